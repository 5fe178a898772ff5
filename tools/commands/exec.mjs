import { prepare } from "../bootstrap.mjs"
import { Failure, run } from "../shell.mjs"

/** Runs a program with the Node and pnpm of this repository in PATH. @param {string[]} args */
export async function exec([program, ...args]) {
  if (program === undefined) throw new Failure("There is no program to run. Name one, for example `exec pnpm install`.")
  await prepare({ dependencies: program === "pnpm" ? "none" : "all" })
  process.exitCode = await run(program, args, { input: "inherit" })
}
