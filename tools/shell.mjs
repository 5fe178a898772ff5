// Running other programs: with their output passed through, or captured.
import { spawn } from "node:child_process"
import { performance } from "node:perf_hooks"

/** A failure that is explained by its message alone: what happened and what to do. */
export class Failure extends Error {}

/** Windows finds `npm.cmd` and its like only through a shell. */
const shell = process.platform === "win32"

/**
 * Runs a program with our own output and input.
 * @param {string} program
 * @param {readonly string[]} args
 * @param {{ cwd?: string, env?: NodeJS.ProcessEnv, input?: "ignore" | "inherit" }} [options]
 * @returns {Promise<number>} its exit code; 128 + n when it was ended by signal n
 */
export function run(program, args, { cwd, env, input = "ignore" } = {}) {
  return new Promise((resolve, reject) => {
    const child = spawn(program, args, { cwd, env: env ?? process.env, stdio: [input, "inherit", "inherit"], shell })
    child.on("error", (cause) => reject(notStarted(program, cause)))
    child.on("close", (code, signal) => resolve(code ?? (signal === "SIGINT" ? 130 : 143)))
  })
}

/**
 * Runs a program and keeps what it writes.
 * @param {string} program
 * @param {readonly string[]} args
 * @param {{ cwd?: string, env?: NodeJS.ProcessEnv }} [options]
 * @returns {Promise<{ code: number, stdout: string, output: string }>} `output` is both streams as they came
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
 * Runs a program that has to succeed.
 * @param {string} program
 * @param {readonly string[]} args
 * @param {{ cwd?: string, env?: NodeJS.ProcessEnv, advice: string }} options `advice`: what to do when it fails
 */
export async function must(program, args, { advice, ...options }) {
  const code = await run(program, args, options)
  if (code !== 0) throw new Failure(`\`${program} ${args.join(" ")}\` ended with code ${code}: ${advice}`)
}

/**
 * Seconds since a moment, for people.
 * @param {number} since from `performance.now()`
 */
export function seconds(since) {
  return `${((performance.now() - since) / 1000).toFixed(1)} s`
}

/** @param {string} program @param {unknown} cause */
function notStarted(program, cause) {
  return new Failure(`\`${program}\` could not be started: install it or put its folder in PATH`, { cause })
}
