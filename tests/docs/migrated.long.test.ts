import { execFile, spawn } from "node:child_process"
import { readdir, readFile, rm, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { setTimeout } from "node:timers/promises"
import { promisify } from "node:util"
import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest"
import { authQwik } from "../../packages/cli/test/applications/auth-qwik.js"
import { appRouter } from "../../packages/cli/test/applications/version-4-app-router.js"
import { pagesRouter } from "../../packages/cli/test/applications/version-4-pages-router.js"
import { split } from "../../packages/cli/test/applications/version-5-split.js"
import { application, latchkey } from "../../packages/cli/test/latchkey.js"
import { browse } from "../applications/http.js"
import { freePort } from "../servers/process.js"
import { packPackages } from "./quick-start.js"

/** npm installs from the registry here, which can be slow; each takes one to two minutes. */
const timeout = 900_000
const names = ["client", "core", "next", "qwik", "react"]
type Browser = ReturnType<typeof browse>

const run = promisify(execFile)

let packed = ""

beforeAll(async () => {
  packed = await packPackages(names)
}, timeout)

afterAll(async () => rm(packed, { recursive: true, force: true }))

/** How an application is built and started. */
interface Framework {
  /** The packages of Latchkey that it needs. The first one is in package.json after the migration. */
  readonly packages: readonly string[]
  readonly builds: readonly (readonly string[])[]
  readonly start: (port: number) => readonly string[]
}

const next: Framework = {
  packages: ["next", "client", "core", "react"],
  builds: [["node_modules/next/dist/bin/next", "build"]],
  start: (port) => ["node_modules/next/dist/bin/next", "start", "-H", "localhost", "-p", String(port)],
}

const qwik: Framework = {
  packages: ["qwik", "client", "core"],
  builds: [
    ["node_modules/vite/bin/vite.js", "build"],
    ["node_modules/vite/bin/vite.js", "build", "--config", "vite.server.ts"],
  ],
  start: () => ["--env-file=.env", "server/entry.server.js"],
}

/** Migrates the application, installs the packed packages, checks its types, builds it, and starts it. */
async function migrated(
  files: Readonly<Record<string, string>>,
  { packages, builds, start }: Framework = next,
): Promise<Browser> {
  const folder = await application(files)
  expect(await latchkey(folder, ["migrate", "--write"])).toMatchObject({ code: 0 })
  await useTarballs(folder, packages)
  const options = { cwd: folder, env: environment(), maxBuffer: 16_000_000 }
  await run("npm", ["install", "--prefer-offline", "--no-audit", "--no-fund"], options)
  for (const build of builds) await run(process.execPath, build, options)
  await run(process.execPath, ["node_modules/typescript/bin/tsc", "--noEmit"], options)
  const port = await freePort()
  const server = spawn(process.execPath, start(port), {
    cwd: folder,
    env: { ...environment(), PORT: String(port), AUTH_URL: `http://localhost:${port}` },
    detached: true,
    stdio: "ignore",
  })
  const ended = new Promise<void>((resolve) => server.once("close", () => resolve()))
  onTestFinished(async () => {
    if (server.pid !== undefined && server.exitCode === null) process.kill(-server.pid, "SIGKILL")
    await ended
  })
  const origin = `http://localhost:${port}`
  while (!(await answers(origin))) await setTimeout(200)
  return browse(origin)
}

function environment(): NodeJS.ProcessEnv {
  return { ...process.env, NODE_ENV: undefined, NEXT_TELEMETRY_DISABLED: "1", npm_config_legacy_peer_deps: "false" }
}

/** npm doesn't have the packages yet, so package.json gets the packed ones. */
async function useTarballs(folder: string, packages: readonly string[]): Promise<void> {
  const tarballs = await readdir(packed)
  const path = join(folder, "package.json")
  const { dependencies, devDependencies, ...rest } = JSON.parse(await readFile(path, "utf8")) as Manifest
  const listed = { ...devDependencies, ...dependencies }
  expect(listed).toHaveProperty([`@latchkey/${packages[0]}`])
  const files = packages.map((name) => [
    `@latchkey/${name}`,
    `file:${join(packed, tarballs.find((one) => one.startsWith(`latchkey-${name}-`)) ?? "")}`,
  ])
  await writeFile(path, JSON.stringify({ ...rest, dependencies: { ...listed, ...Object.fromEntries(files) } }))
}

interface Manifest {
  readonly dependencies?: Readonly<Record<string, string>>
  readonly devDependencies?: Readonly<Record<string, string>>
}

async function answers(origin: string): Promise<boolean> {
  try {
    await fetch(origin, { redirect: "manual" })
    return true
  } catch {
    return false
  }
}

async function signIn(browser: Browser, fields: Readonly<Record<string, string>>): Promise<void> {
  await browser.get("/api/auth/csrf")
  const { csrfToken } = JSON.parse(browser.text) as { csrfToken: string }
  await browser.post("/api/auth/callback/credentials", { csrfToken, callbackUrl: "/", ...fields })
}

test("a migrated version 4 application with the App Router compiles and signs in", { timeout }, async () => {
  const browser = await migrated(appRouter)
  await browser.get("/")
  expect(browser.text).toContain("Hello visitor")

  await signIn(browser, { email: "ada@example.com", password: "lovelace" })
  await browser.get("/")
  expect(browser.text).toContain("Hello Ada, customer")
  await browser.get("/orders")
  expect(browser.text.replaceAll("<!-- -->", "")).toContain("Orders of 1")
  await browser.get("/api/token")
  expect(JSON.parse(browser.text)).toEqual({ role: "customer" })
})

test("a migrated version 4 application with the Pages Router compiles and signs in", { timeout }, async () => {
  const browser = await migrated(pagesRouter)
  await browser.get("/account")
  expect(new URL(browser.location).pathname).toBe("/api/auth/signin")

  await browser.submitForm("callback/credentials", { name: "ada", password: "lovelace" })
  expect(new URL(browser.location).pathname).toBe("/account")
  expect(browser.text.replaceAll("<!-- -->", "")).toContain("Account of ada")
  await browser.get("/")
  expect(browser.text.replaceAll("<!-- -->", "")).toContain("Hello ada")
  await browser.get("/api/me")
  expect(JSON.parse(browser.text)).toEqual({ name: "ada", sub: "ada" })
})

test("a migrated version 5 application with a split configuration compiles and signs in", { timeout }, async () => {
  const browser = await migrated(split)
  await browser.get("/account")
  expect(new URL(browser.location).pathname).toBe("/api/auth/signin")

  await browser.submitForm("callback/credentials", { name: "Ada", password: "lovelace" })
  expect(browser.text.replaceAll("<!-- -->", "")).toContain("Account of Ada")
  await browser.get("/")
  expect(browser.text.replaceAll("<!-- -->", "")).toContain("Hello Ada, free")
})

test("a migrated Qwik application compiles and signs in", { timeout }, async () => {
  const browser = await migrated(authQwik, qwik)
  await browser.get("/")
  await browser.submitForm("in", { "options.name": "Eve", "options.password": "books" })
  expect(new URL(browser.location).search).toBe("?error=CredentialsSignin&code=closed&callbackUrl=%2F")
  await browser.get("/")
  await browser.submitForm("in", { "options.name": "Ada", "options.password": "books" })
  expect(browser.text).toContain("Hello Ada, shelf A")
  await browser.submitForm("out")
  expect(browser.text).toContain("Sign in")
})
