/**
 * @typedef {object} Block a code block of a Markdown document
 * @property {string} language such as `ts`
 * @property {string} flags what follows the language, such as `no-check`
 * @property {string} code
 * @property {string} section the heading above it, or `""` before the first heading of level two
 * @property {number} line its first line of code, counted from 1
 * @property {string} [file] the path in its first line, such as `src/auth.ts`
 * @property {boolean} adds whether the first line says "Add to": the file has more lines
 */

/** Reads the code blocks of a Markdown document. @param {string} text @returns {Block[]} */
export function blocksOf(text) {
  return [...text.matchAll(/^```(?<language>\w+)(?<flags>[^\n]*)\n(?<code>.*?)^```/gms)].map((match) => {
    const { language = "", flags = "", code = "" } = match.groups ?? {}
    const before = text.slice(0, match.index)
    const { adds, file } = firstLineOf(code)
    return {
      language,
      flags,
      code,
      section: /.*^#{2,6} (.+?)$/ms.exec(before)?.[1] ?? "",
      line: before.split("\n").length + 1,
      adds: adds !== undefined,
      ...(file === undefined ? {} : { file }),
    }
  })
}

/** A comment with a path, in TypeScript, HTML, a shell, or the frontmatter of Astro. @param {string} code */
function firstLineOf(code) {
  const groups =
    /^(?:---\n)?(?:\/\/|<!--|#) (?<adds>Add to )?(?<file>[\w./@$[\]()+-]*\.[\w.]+)(?:,[^\n]*)?(?: -->)?\n/.exec(
      code,
    )?.groups
  return groups ?? {}
}
