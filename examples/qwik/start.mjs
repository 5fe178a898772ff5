// Starts the example and an OpenID provider. The first start writes a secret to .env.local.
import { spawn } from "node:child_process"
import { randomBytes } from "node:crypto"
import { appendFileSync, existsSync, readFileSync } from "node:fs"
import { once } from "node:events"
import { createInterface } from "node:readline"
import { fileURLToPath } from "node:url"

const local = existsSync(".env.local") ? readFileSync(".env.local", "utf8") : ""
if (!/^AUTH_SECRET=./m.test(local) && process.env.AUTH_SECRET === undefined) {
  appendFileSync(".env.local", `AUTH_SECRET=${randomBytes(33).toString("base64")}\n`)
}

const program = (/** @type {string} */ path) => fileURLToPath(new URL(`node_modules/${path}`, import.meta.url))
/** @type {import("node:child_process").ChildProcess[]} */
const started = []
const run = (/** @type {string[]} */ args, /** @type {import("node:child_process").SpawnOptions} */ options) => {
  const child = spawn(process.execPath, args, options)
  started.push(child)
  child.once("exit", () => stop())
  return child
}
const stop = () => {
  for (const child of started) child.kill()
}
for (const signal of /** @type {const} */ (["SIGINT", "SIGTERM"])) process.once(signal, stop)

const env = { ...process.env }
if (!/^AUTH_OPENID_ID=./m.test(local) && env.AUTH_OPENID_ID === undefined) {
  const idp = run([program("latchkey/dist/bin.js"), "idp", "--port", "0", "--json"], {
    stdio: ["ignore", "pipe", "inherit"],
  })
  if (idp.stdout === null) throw new Error("The provider has no output.")
  const [line] = await once(createInterface(idp.stdout), "line")
  const { issuer, clientId, clientSecret } = JSON.parse(line)
  Object.assign(env, { AUTH_OPENID_ISSUER: issuer, AUTH_OPENID_ID: clientId, AUTH_OPENID_SECRET: clientSecret })
}
run([program("vite/bin/vite.js"), "--mode", "ssr", ...process.argv.slice(2)], { stdio: "inherit", env })
