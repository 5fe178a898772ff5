import { compareReports } from "../checks/api-report.mjs"
import { build } from "./build.mjs"

/** Writes the report of every public type to packages/<name>/api/. */
export async function api() {
  await build()
  const changed = await compareReports({ write: true })
  console.log(changed.length === 0 ? "The API reports are up to date." : `Written:\n  ${changed.join("\n  ")}`)
}
