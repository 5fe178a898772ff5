import { spawn } from "node:child_process"
import { availableParallelism } from "node:os"
import { performance } from "node:perf_hooks"

/** An error whose message says what happened and what to do. It's printed without a stack trace. */
export class Failure extends Error {}

/** Windows finds `npm.cmd` and the like only through a shell. */
const shell = process.platform === "win32"

/**
 * Runs a program with the output of this process.
 * @param {string} program
 * @param {readonly string[]} args
 * @param {{ cwd?: string, env?: NodeJS.ProcessEnv, input?: "ignore" | "inherit" }} [options]
 * @returns {Promise<number>} its exit code. 130 after SIGINT, 143 after other signals
 */
export function run(program, args, { cwd, env, input = "ignore" } = {}) {
  return new Promise((resolve, reject) => {
    const child = spawn(program, args, { cwd, env: env ?? process.env, stdio: [input, "inherit", "inherit"], shell })
    child.on("error", (cause) => reject(notStarted(program, cause)))
    child.on("close", (code, signal) => resolve(code ?? (signal === "SIGINT" ? 130 : 143)))
  })
}

/**
 * Runs a program and returns its output.
 * @param {string} program
 * @param {readonly string[]} args
 * @param {{ cwd?: string, env?: NodeJS.ProcessEnv }} [options]
 * @returns {Promise<{ code: number, stdout: string, output: string }>} `output` is standard output and standard error, in order
 */
export function capture(program, args, { cwd, env } = {}) {
  return new Promise((resolve, reject) => {
    const child = spawn(program, args, { cwd, env: env ?? process.env, stdio: ["ignore", "pipe", "pipe"], shell })
    let stdout = ""
    let output = ""
    child.stdout.setEncoding("utf8").on("data", (chunk) => {
      stdout += chunk
      output += chunk
    })
    child.stderr.setEncoding("utf8").on("data", (chunk) => (output += chunk))
    child.on("error", (cause) => reject(notStarted(program, cause)))
    child.on("close", (code) => resolve({ code: code ?? 1, stdout, output }))
  })
}

/**
 * Runs a program. A failure is an error.
 * @param {string} program
 * @param {readonly string[]} args
 * @param {{ cwd?: string, env?: NodeJS.ProcessEnv, advice: string }} options `advice`: what to do if it fails, as a sentence
 */
export async function must(program, args, { advice, ...options }) {
  const code = await run(program, args, options)
  if (code !== 0) throw new Failure(`\`${program} ${args.join(" ")}\` exited with code ${code}. ${advice}`)
}

/**
 * Does something with each item, with as many at once as the machine has cores.
 * @template T
 * @param {readonly T[]} items
 * @param {(item: T) => Promise<unknown>} work
 */
export async function withEach(items, work) {
  const left = items.values()
  const worker = async () => {
    for (const item of left) await work(item)
  }
  await Promise.all(Array.from({ length: availableParallelism() }, worker))
}

/**
 * The time since a moment, such as `1.2 s`.
 * @param {number} since from `performance.now()`
 */
export function seconds(since) {
  return `${((performance.now() - since) / 1000).toFixed(1)} s`
}

/** @param {string} program @param {unknown} cause */
function notStarted(program, cause) {
  return new Failure(`Could not start \`${program}\`. Install it, or add its folder to PATH.`, { cause })
}
