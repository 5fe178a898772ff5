// ARCHITECTURE.md prints what the main journeys visit.
import { readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { journeyTable, playJourneys } from "../journeys.mjs"
import { Failure } from "../shell.mjs"
import { root } from "../workspace.mjs"

const page = join(root, "ARCHITECTURE.md")
const start = "<!-- The table is written by `npm run check -- journeys`. -->\n"

/** Writes the table, and fails if it was another one. */
export async function checkJourneys() {
  const text = readFileSync(page, "utf8")
  const [before, rest] = text.split(start)
  if (rest === undefined) throw new Failure(`ARCHITECTURE.md: keep the line ${start.trim()}`)
  const written = `${before}${start}\n${journeyTable(await playJourneys())}\n${rest.replace(/^(?:\s*\|.*\n)*/, "")}`
  if (written === text) return
  writeFileSync(page, written)
  throw new Failure("The journeys in ARCHITECTURE.md were others. They're written now: a longer one needs a reason.")
}
