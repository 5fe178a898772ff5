import { spawn } from "node:child_process"
import { join } from "node:path"
import { root } from "../workspace.mjs"
import { build } from "./build.mjs"

const demo = join(root, "examples", "demo")

/** Builds the demo and runs it until it exits or gets a signal. @param {string[]} args */
export async function start(args) {
  await build(demo)
  const running = spawn("node", [join(demo, "dist", "main.js"), ...args], {
    cwd: root,
    stdio: "inherit",
  })
  const wasStopped = forwardSignals(running)
  const code = await new Promise((resolve, reject) => {
    running.on("error", reject)
    running.on("close", resolve)
  })
  process.exitCode = wasStopped() ? 0 : (code ?? 1)
}

/**
 * Ctrl-C in a terminal reaches the whole process group, so forwarding it would deliver it twice. `kill` reaches only this
 * process.
 * @param {import("node:child_process").ChildProcess} child
 * @returns {() => boolean} whether a signal arrived
 */
function forwardSignals(child) {
  let wasStopped = false
  for (const signal of /** @type {const} */ (["SIGINT", "SIGTERM", "SIGHUP"])) {
    process.on(signal, () => {
      wasStopped = true
      if (signal !== "SIGINT" || !process.stdin.isTTY) child.kill(signal)
    })
  }
  return () => wasStopped
}
