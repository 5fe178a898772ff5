import { readFileSync } from "node:fs"
import { join } from "node:path"

/** What becomes of a dependency: another range, another name, or nothing (`undefined`). */
export type Dependencies = Readonly<Record<string, string | undefined>>

/**
 * The text of package.json with these dependencies set, in the place where they or, for new ones, the others are. Like
 * npm itself it keeps the indentation and the end of the file.
 */
export function withDependencies(root: string, changes: Dependencies): string {
  const text = readFileSync(join(root, "package.json"), "utf8")
  // project.ts has read it as an object.
  const manifest = JSON.parse(text) as Record<string, unknown>
  const places = ["dependencies", "devDependencies", "peerDependencies"]
  for (const [name, range] of Object.entries(changes)) {
    const there = places.filter((place) => name in recordAt(manifest, place))
    for (const place of there) manifest[place] = sorted(recordAt(manifest, place), { [name]: range })
    if (there.length === 0 && range !== undefined)
      manifest["dependencies"] = sorted(recordAt(manifest, "dependencies"), { [name]: range })
  }
  const indent = /^[ \t]+/m.exec(text)?.[0] ?? "  "
  return (
    JSON.stringify(manifest, null, indent).replaceAll("\n", text.includes("\r\n") ? "\r\n" : "\n") +
    (/\s*$/.exec(text)?.[0] ?? "")
  )
}

function recordAt(manifest: Readonly<Record<string, unknown>>, place: string): Readonly<Record<string, unknown>> {
  const value = manifest[place]
  return typeof value === "object" && value !== null ? Object.fromEntries(Object.entries(value)) : {}
}

function sorted(record: Readonly<Record<string, unknown>>, changes: Dependencies): Record<string, unknown> {
  const entries = Object.entries({ ...record, ...changes }).filter(([, range]) => range !== undefined)
  return Object.fromEntries(entries.toSorted(([a], [b]) => (a < b ? -1 : 1)))
}
