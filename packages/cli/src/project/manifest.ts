import { readFileSync } from "node:fs"
import { join } from "node:path"
import { applyEdits, modify } from "jsonc-parser"

/** The new range of each dependency. `undefined` removes it. */
export type Dependencies = Readonly<Record<string, string | undefined>>

const lists = ["dependencies", "devDependencies", "peerDependencies"]

/**
 * The text of package.json with these dependencies. Each changes in the list that has it; a new one goes to
 * `dependencies`, in alphabetical order. Nothing else in the file changes.
 */
export function withDependencies(root: string, changes: Dependencies): string {
  const text = readFileSync(join(root, "package.json"), "utf8")
  // project.ts has checked that it's a JSON object.
  const manifest = JSON.parse(text) as Record<string, unknown>
  return Object.entries(changes).reduce((result, [name, range]) => {
    const having = lists.filter((list) => has(manifest[list], name))
    const changed = having.length === 0 && range !== undefined ? ["dependencies"] : having
    return changed.reduce((current, list) => withValue(current, [list, name], range), result)
  }, text)
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
