import { must } from "../shell.mjs"
import { root } from "../workspace.mjs"

/** Files, exports and dependencies that nothing uses. Its configuration is knip.json. */
export async function checkUnused() {
  await must("knip", ["--no-progress"], {
    cwd: root,
    advice: "Delete what it lists, or add an entry point to knip.json.",
  })
}
