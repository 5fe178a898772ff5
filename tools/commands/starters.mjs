import { run } from "../shell.mjs"
import { root } from "../workspace.mjs"
import { build } from "./build.mjs"
import { packAll } from "./pack.mjs"

/**
 * Makes new applications with the starters of frameworks, follows the guides in them, and visits them.
 * @param {string[]} args names of frameworks, and options of tests/starters/command.ts
 */
export async function starters(args) {
  await build()
  await packAll()
  // TypeScript and its imports of sources, as in vitest.
  const program = ["--import", "./tests/crash-safety/sources.ts", "tests/starters/command.ts"]
  process.exitCode = await run("node", [...program, ...args], { cwd: root })
}
