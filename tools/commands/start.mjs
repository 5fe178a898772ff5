import { spawn } from "node:child_process"
import { join } from "node:path"
import { root } from "../workspace.mjs"
import { build } from "./build.mjs"

/** Builds and runs the demo until it ends or is told to. @param {string[]} args */
export async function start(args) {
  await build()
  const demo = spawn("node", [join(root, "examples", "demo", "dist", "main.js"), ...args], {
    cwd: root,
    stdio: "inherit",
  })
  const told = passOnSignals(demo)
  const code = await new Promise((resolve, reject) => {
    demo.on("error", reject)
    demo.on("close", resolve)
  })
  process.exitCode = told() ? 0 : (code ?? 1)
}

/**
 * A terminal sends Ctrl-C to the whole group, so that passing it on would deliver it twice; `kill` reaches only us.
 * @param {import("node:child_process").ChildProcess} child
 * @returns {() => boolean} whether somebody asked us to end
 */
function passOnSignals(child) {
  let told = false
  for (const signal of /** @type {const} */ (["SIGINT", "SIGTERM", "SIGHUP"])) {
    process.on(signal, () => {
      told = true
      if (signal !== "SIGINT" || !process.stdin.isTTY) child.kill(signal)
    })
  }
  return () => told
}
