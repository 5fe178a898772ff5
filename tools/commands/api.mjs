import { compareReports } from "../checks/api-report.mjs"
import { build } from "./build.mjs"

/** Writes the reports of all public types to packages/<name>/api/. */
export async function api() {
  await build()
  const changed = await compareReports({ write: true })
  console.log(changed.length === 0 ? "The API reports are up to date." : `Written:\n  ${changed.join("\n  ")}`)
}
