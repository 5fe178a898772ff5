import { readFileSync } from "node:fs"
import { join } from "node:path"
import { applyEdits, modify } from "jsonc-parser"

/** The new range of each dependency. `undefined` removes it. */
export type Dependencies = Readonly<Record<string, string | undefined>>

const lists = ["dependencies", "devDependencies", "peerDependencies", "optionalDependencies"]

/**
 * The text of package.json with these dependencies. Each changes in the list that has it. A new one goes to `dependencies`, or
 * for Qwik to `devDependencies`, in alphabetical order. Nothing else in the file changes.
 */
export function withDependencies(root: string, changes: Dependencies): string {
  const renamings = Object.entries(changes).map(([name, range]) => ({ from: name, to: name, range }))
  return withRenamed(readFileSync(join(root, "package.json"), "utf8"), renamings)
}

/** The replacement of a dependency. */
export interface Renaming {
  readonly from: string
  readonly to: string
  /** `undefined` removes it. */
  readonly range: string | undefined
}

/** The text of a package.json with these replacements, each in every list that has the dependency. */
export function withRenamed(text: string, renamings: readonly Renaming[]): string {
  const mark = text.startsWith("\uFEFF") ? "\uFEFF" : ""
  // project.ts has checked that it's a JSON object.
  const manifest = JSON.parse(text.slice(mark.length)) as Record<string, unknown>
  const result = renamings.reduce((before, { from, to, range }) => {
    const having = lists.filter((list) => has(manifest[list], from))
    const changed = having.length === 0 && range !== undefined ? [listFor(to)] : having
    return changed.reduce((current, list) => {
      const kept = from === to ? current : withValue(current, [list, from], undefined)
      return withValue(kept, [list, to], range)
    }, before)
  }, text.slice(mark.length))
  return mark + result
}

/** The configuration of Vite in Qwik's starter throws if a package with `qwik` in its name isn't a development dependency. */
function listFor(name: string): string {
  return /qwik/i.test(name) ? "devDependencies" : "dependencies"
}

function has(list: unknown, name: string): boolean {
  return typeof list === "object" && list !== null && name in list
}

function withValue(text: string, path: readonly [list: string, name: string], range: string | undefined): string {
  const indent = /^[ \t]+/m.exec(text)?.[0] ?? "  "
  const edits = modify(text, [...path], range, {
    formattingOptions: {
      insertSpaces: !indent.startsWith("\t"),
      tabSize: indent.length,
      eol: text.includes("\r\n") ? "\r\n" : "\n",
    },
    getInsertionIndex: (names) => names.filter((name) => name < path[1]).length,
  })
  return applyEdits(text, edits)
}
