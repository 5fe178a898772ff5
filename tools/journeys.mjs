import { join } from "node:path"
import { capture, Failure } from "./shell.mjs"
import { root } from "./workspace.mjs"

/** @typedef {{ name: string, files: number, calls: number, moves: number, visited: [file: string, calls: number][] }} Journey */

/** Plays the main journeys, and counts what each visits. @returns {Promise<Journey[]>} */
export async function playJourneys() {
  const folder = join(root, "tools", "journeys")
  const args = ["--import", join(folder, "count.mjs"), join(folder, "play.mjs")]
  const { code, stdout, output } = await capture("node", args, { cwd: root })
  if (code !== 0) throw new Failure(output.trim())
  return JSON.parse(stdout)
}

/** @param {Journey[]} journeys */
export function journeyTable(journeys) {
  const rows = journeys.map(({ name, files, calls, moves }) => `| ${name} | ${files} | ${calls} | ${moves} |`)
  return ["| Journey | Files | Calls | Moves |", "| --- | --- | --- | --- |", ...rows].join("\n")
}
