// Starts an example together with an OpenID provider: `node ../start.mjs <command>` in the folder of the example.
// The first start writes a secret to .env.local. The command gets the variables of that file.
import { spawn } from "node:child_process"
import { randomBytes } from "node:crypto"
import { once } from "node:events"
import { appendFileSync, existsSync, readFileSync } from "node:fs"
import { delimiter, resolve } from "node:path"
import { createInterface } from "node:readline"
import { parseEnv } from "node:util"

const [program, ...args] = process.argv.slice(2)
if (program === undefined) throw new Error("Name the command that starts the example: node ../start.mjs <command>")

const [major = 0, minor = 0] = process.versions.node.split(".").map(Number)
if (major < 22 || (major === 22 && minor < 13))
  throw new Error("The examples need Node 22.13 or newer, which has SQLite.")

const file = ".env.local"
/** @returns {NodeJS.ProcessEnv} The environment takes precedence over the file. */
const variables = () => ({ ...(existsSync(file) ? parseEnv(readFileSync(file, "utf8")) : {}), ...process.env })
if (!variables()["AUTH_SECRET"]) appendFileSync(file, `AUTH_SECRET=${randomBytes(33).toString("base64")}\n`)

/** @type {import("node:child_process").ChildProcess[]} */
const running = []
const stop = () => {
  for (const child of running) child.kill()
}
for (const signal of /** @type {const} */ (["SIGINT", "SIGTERM"])) process.once(signal, stop)

/** @template {import("node:child_process").ChildProcess} T @param {T} child */
const started = (child) => {
  running.push(child)
  child.once("error", (error) => {
    console.error(`Could not start ${child.spawnfile}: ${error.message}`)
    process.exitCode = 1
    stop()
  })
  child.once("exit", (code) => {
    process.exitCode ||= code ?? 0
    stop()
  })
  return child
}

const env = variables()
if (!env["AUTH_OPENID_ID"]) {
  const latchkey = [resolve("node_modules/latchkey/dist/bin.js"), "idp", "--port", "0", "--json"]
  const idp = started(spawn(process.execPath, latchkey, { stdio: ["ignore", "pipe", "inherit"] }))
  const [line] = await once(createInterface(idp.stdout), "line")
  const { issuer, clientId, clientSecret } = JSON.parse(line)
  Object.assign(env, { AUTH_OPENID_ISSUER: issuer, AUTH_OPENID_ID: clientId, AUTH_OPENID_SECRET: clientSecret })
}

// Bundlers set it. Node.js doesn't.
env["NODE_ENV"] ??= "development"
// `npm start` adds this folder to the path too. On Windows, its programs are scripts that need a shell.
env["PATH"] = [resolve("node_modules/.bin"), env["PATH"]].join(delimiter)
started(spawn(program, args, { stdio: "inherit", env, shell: process.platform === "win32" }))
