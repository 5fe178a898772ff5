import { readFileSync } from "node:fs"
import { fileURLToPath } from "node:url"

const page = fileURLToPath(new URL("../../../docs/differences.md", import.meta.url))

/** The ids of docs/differences.md, in its order. */
export function idsOnPage(): readonly string[] {
  const rows = readFileSync(page, "utf8").matchAll(/^\| `([\w-]+)` \|/gm)
  return [...rows].map(([, id = ""]) => id)
}
