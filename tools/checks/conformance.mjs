// The table of adapters in docs/evidence/adapters.md has the results of tests/adapters/results.json.
import { readFileSync } from "node:fs"
import { page, withTable } from "../conformance.mjs"
import { Failure } from "../shell.mjs"

export async function checkConformance() {
  const text = readFileSync(page, "utf8")
  if (text === withTable(text)) return
  throw new Failure(
    "The table in docs/evidence/adapters.md differs from tests/adapters/results.json. Run `npm run conformance`.",
  )
}
