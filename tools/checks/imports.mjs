// The import statements of a file, by the shape that the formatter gives them: they begin a line.

/** @typedef {{ specifier: string, typeOnly: boolean, line: number }} Import */

const statement = /^(import|export)\b(?<clause>[^"'`;()]*?)(?:from\s*)?"(?<specifier>[^"\n]+)"/gm
const call = /\bimport\(\s*"(?<specifier>[^"\n]+)"\s*\)/g

/** @param {string} source @returns {Import[]} */
export function importsOf(source) {
  const code = withoutTemplates(withoutComments(source))
  return [...found(code, statement), ...found(code, call)]
}

/** @param {string} code @param {RegExp} pattern @returns {Import[]} */
function found(code, pattern) {
  return [...code.matchAll(pattern)].flatMap((match) => {
    const { specifier, clause } = match.groups ?? {}
    if (
      specifier === undefined ||
      (match[1] === "export" && !/from\s*$/.test(match[0].slice(0, -specifier.length - 2)))
    )
      return []
    const line = code.slice(0, match.index).split("\n").length
    return [{ specifier, typeOnly: clause !== undefined && isTypeOnly(clause), line }]
  })
}

/** `import type { A } from`, or every name in the braces is marked. @param {string} clause */
function isTypeOnly(clause) {
  if (/^\s*type\b/.test(clause)) return true
  const names = /^\s*\{(.*)\}\s*(?:from\s*)?$/s.exec(clause)?.[1]
  return names !== undefined && names.split(",").every((name) => name.trim() === "" || /^\s*type\s/.test(name))
}

/** Lines that are comments become empty, so that an example in JSDoc counts for nothing and line numbers stay. @param {string} source */
function withoutComments(source) {
  return source.replace(/^[ \t]*(?:\/\/|\/?\*).*$/gm, "")
}

/** Code that is written for others stands in templates. Only their lines stay. @param {string} code */
function withoutTemplates(code) {
  return code.replace(/`(?:[^`\\]|\\.)*`/gs, (text) => text.replace(/[^\n]/g, ""))
}
