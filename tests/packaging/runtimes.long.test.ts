import { execFile } from "node:child_process"
import { cp, mkdtemp, readFile, rm, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"
import { promisify } from "node:util"
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest"
import { startDemo } from "../../examples/demo/test/running-demo.js"
import { startExample } from "../next/running-example.js"
import { declarationsOf, root } from "./compiler.js"
import { packAll } from "./installed.js"
import {
  hasRuntimes,
  installRuntimes,
  nodeProgram as node,
  npmFlags as flags,
  runtimeFolder,
} from "../applications/runtimes.js"

/** npm installs from the registry here, which can be slow. */
const timeout = 600_000

const here = join(root, "tests", "packaging")
const run = promisify(execFile)
/** pnpm sets NODE_PATH, and with it a program finds the packages of the workspace. */
const env = { ...process.env, NODE_PATH: undefined }
const library = "@simplewebauthn/server@14.0.3"

/** The packages that users import, and what `engines` of each has to name. */
const engines = {
  "adapter-kit": ">=20",
  anonymous: ">=20",
  "api-keys": ">=20",
  audit: ">=20",
  logout: ">=20",
  bearer: ">=20",
  cli: "^20.19.0 || >=22.12.0",
  client: ">=20",
  core: ">=20",
  "device-bound": ">=20",
  express: ">=20",
  mfa: ">=20",
  next: ">=20",
  password: ">=20",
  phone: ">=20",
  qwik: ">=20",
  "rate-limit": ">=20",
  react: ">=20",
  redis: ">=20",
  sql: ">=20",
  testing: ">=20",
} as const

const bun = join(runtimeFolder("bun"), "bun")
const deno = join(runtimeFolder("deno"), "deno")

describe.skipIf(!hasRuntimes)("the packed packages, installed by npm", () => {
  let project = ""

  beforeAll(async () => {
    await installRuntimes()
    project = await mkdtemp(join(tmpdir(), "latchkey-runtimes-"))
    await writeFile(join(project, "package.json"), JSON.stringify({ private: true, type: "module" }))
    // The others would bring their frameworks.
    const tarballs = await packAll(Object.keys(engines))
    await run("npm", ["install", ...flags, ...tarballs, "pg@8.23.1", "nodemailer@10.6.0", "next@16.4.6", library], {
      cwd: project,
    })
    await rm(dirname(tarballs[0] ?? ""), { recursive: true, force: true })
    const specifiers = Object.keys(engines).flatMap((short) =>
      short === "cli"
        ? []
        : [...declarationsOf(join(root, "packages", short)).keys()].map((path) => `@latchkey/${short}${path.slice(1)}`),
    )
    await writeFile(join(project, "entries.json"), JSON.stringify(specifiers))
    for (const program of ["program.mjs", "passkeys.mjs"]) await cp(join(here, program), join(project, program))
  }, timeout)

  afterAll(() => rm(project, { recursive: true, force: true }))

  /** What the program found, in a copy of the project with another version of `better-sqlite3`, if one is given. */
  async function start(command: readonly string[], peer?: string): Promise<unknown> {
    const [program = "", ...args] = command
    if (peer !== undefined) await run("npm", ["install", "--no-save", ...flags, peer], { cwd: project })
    const { stdout } = await run(program, [...args, "program.mjs"], { cwd: project, env })
    if (peer !== undefined) await rm(join(project, "node_modules", "better-sqlite3"), { recursive: true })
    return JSON.parse(stdout.trim().split("\n").at(-1) ?? "")
  }

  test.each(Object.entries(engines))("%s names the versions of Node that are tested here", async (short, wanted) => {
    const manifest: unknown = JSON.parse(await readFile(join(root, "packages", short, "package.json"), "utf8"))
    expect(manifest).toMatchObject({ engines: { node: wanted } })
  })

  test("work on the oldest Node that they name, with an error that says how to get SQLite", { timeout }, async () => {
    const advice = "Update to Node 22.13 or newer, or install `better-sqlite3` 12."
    const missing = expect.stringContaining(`This runtime has no built-in SQLite. ${advice}`)
    expect(await start([node("20.0")])).toEqual({ entries: expect.any(Number), sqlite: missing })
  })

  test("don't load a better-sqlite3 that would end the process", { timeout }, async () => {
    const message = "better-sqlite3 13.2.0 doesn't work on Node 22.12.0. Install `better-sqlite3` 12, or update Node."
    expect(await start([node("22.12")], "better-sqlite3@13.2.0")).toMatchObject({ sqlite: message })
  })

  test("say how to repair a better-sqlite3 without its native module", { timeout }, async () => {
    const message = "better-sqlite3 12.11.1 is installed, but it can't be loaded. Run `npm rebuild better-sqlite3`."
    expect(await start([node("20.19")], "better-sqlite3@12.11.1")).toMatchObject({ sqlite: message })
  })

  test("use better-sqlite3 on a Node without SQLite", { timeout }, async () => {
    const command = [node("26"), "--no-experimental-sqlite"]
    expect(await start(command, "better-sqlite3@13.2.0")).toMatchObject({ sqlite: "works" })
  })

  test.each([
    ["the oldest Node with SQLite", [node("22.13"), "--no-warnings"]],
    ["the newest Node", [node("26")]],
    ["Bun", [bun]],
    ["Deno", [deno, "run", "-A"]],
  ])("work on %s, with SQLite", { timeout }, async (_name, command) => {
    expect(await start(command)).toEqual({ entries: expect.any(Number), sqlite: "works" })
  })

  /** What a sign-up and a sign-in with passkeys on this runtime gave. */
  async function usePasskeys([program = "", ...args]: readonly string[]): Promise<unknown> {
    const { stdout } = await run(program, [...args, "passkeys.mjs"], { cwd: project, env })
    return JSON.parse(stdout.trim().split("\n").at(-1) ?? "")
  }

  const emails = ["eddsa@example.com", "rs256@example.com"]
  const everywhere = [
    ["the oldest Node", [node("20.0")]],
    ["Node 22", [node("22.13")]],
    ["the newest Node", [node("26")]],
    ["Bun", [bun]],
    ["Deno", [deno, "run", "-A"]],
  ] as const

  test.each(everywhere)("sign users up and in with passkeys on %s", { timeout }, async (_name, command) => {
    expect(await usePasskeys(command)).toEqual({ emails, messages: ["experimental-webauthn"] })
  })

  test("sign in with the @simplewebauthn/server 9 of an Auth.js application, and warn once", { timeout }, async () => {
    await run("npm", ["install", "--no-save", ...flags, "@simplewebauthn/server@9.0.3"], { cwd: project })
    const messages = ["experimental-webauthn", "passkey-library-old"]
    for (const [, command] of everywhere) expect(await usePasskeys(command)).toEqual({ emails, messages })
  })

  test("say how to install a missing @simplewebauthn/server", { timeout }, async () => {
    await rm(join(project, "node_modules", "@simplewebauthn"), { recursive: true })
    const advice = "Passkeys need the package @simplewebauthn/server. Run `npm install @simplewebauthn/server@14`"
    for (const [, command] of everywhere) {
      expect(await usePasskeys(command)).toEqual({ emails: [], messages: ["experimental-webauthn", advice] })
    }
    await run("npm", ["install", "--no-save", ...flags, library], { cwd: project })
  })

  test.each(["20.19", "22.12", "26"] as const)("the command line runs on Node %s", { timeout }, async (version) => {
    const bin = join(project, "node_modules", "latchkey", "dist", "bin.js")
    const { stdout } = await run(node(version), [bin, "secret", "--raw"], { cwd: project, env })
    expect(stdout).toMatch(/[\w+/=-]{40,}/)
    const list = await run(node(version), [bin, "add", "--list"], { cwd: project, env })
    expect(list.stdout).toContain("github")
  })
})

describe.skipIf(!hasRuntimes)("the examples", () => {
  beforeAll(installRuntimes, timeout)

  test.each(["22.13", "26"] as const)("the demo runs on Node %s", { timeout }, async (version) => {
    const demo = await startDemo(0, node(version))
    onTestFinished(async () => void (await demo.interrupt()))
    const providers: unknown = await (await fetch(`${demo.origin}/auth/providers`)).json()
    expect(providers).toHaveProperty("openid")
    expect(await demo.interrupt()).toBe(0)
  })

  test.each([
    ["next", "22.13"],
    ["next-pages", "26"],
  ] as const)("examples/%s builds and runs on Node %s", { timeout }, async (name, version) => {
    const example = await startExample(name, {}, node(version))
    onTestFinished(() => example.stop())
    const response = await fetch(`${example.origin}/api/auth/session`)
    expect([response.status, await response.text()]).toEqual([200, "null"])
  })
})
