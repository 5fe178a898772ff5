import { randomBytes } from "node:crypto"
import { mkdtemp, readdir, readFile, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { setTimeout } from "node:timers/promises"
import { parseEnv } from "node:util"
import type { Browser } from "playwright-core"
import { type Command, environment, freePort, host, launch, runToEnd } from "../applications/processes.js"
import type { Maker } from "./application.js"
import type { Starter, Variables } from "./starter.js"
import { visitsOf, warmUp } from "./visits.js"

export interface Run {
  readonly starter: Starter
  readonly make: Maker
  readonly start: Command | undefined
  readonly chromium: Browser | undefined
  /** Doesn't delete the application. */
  readonly keep: boolean
  /** Replaces the pictures of sign-in pages instead of comparing with them. */
  readonly writesPictures: boolean
  /** Called after each step with its name and milliseconds. */
  readonly log: (step: string, milliseconds: number) => void
}

/** Makes an application, checks its types, builds it, and visits it in production and in development. Returns what failed. */
export async function run(given: Run): Promise<readonly string[]> {
  const parent = await mkdtemp(join(tmpdir(), `latchkey-starter-${given.starter.id}-`))
  try {
    return await steps(given, parent)
  } finally {
    if (given.keep) process.stdout.write(`  ${parent}\n`)
    else await rm(parent, { recursive: true, force: true, maxRetries: 3 })
  }
}

async function steps(
  { starter, make, start, chromium, writesPictures, log }: Run,
  parent: string,
): Promise<readonly string[]> {
  const failures: string[] = []
  const port = String(await freePort())
  const values = { ...provider, PORT: port, AUTH_SECRET: randomBytes(32).toString("base64") }
  const app = join(parent, "app")
  const step = async (name: string, work: () => Promise<readonly string[] | void>) => {
    const since = performance.now()
    try {
      const found = (await work()) ?? []
      failures.push(...found.map((failure) => `${name}: ${failure}`))
      return found.length === 0
    } catch (error) {
      failures.push(`${name}: ${messageOf(error)}`)
      return false
    } finally {
      log(name, performance.now() - since)
    }
  }
  if (!(await step("make", () => make(starter, parent, values)))) return failures
  const env = environment({ ...registry(), ...starter.instead })
  const { types, build, dev } = starter
  if (build !== undefined && !(await step("build", () => succeed(build, app, env)))) return failures
  if (types !== undefined) await step("types", () => succeed(types, app, env))
  const visited = { starter, app, values, port, chromium, writesPictures }
  const production = { ...env, AUTH_URL: originAt(port) + starter.basePath, ...(await variablesIn(app)) }
  if (start !== undefined) await step("production", () => visit({ ...visited, command: start, env: production }))
  if (dev !== undefined) await step("development", () => visit({ ...visited, command: dev, env, isDevelopment: true }))
  return failures
}

/** How npm reaches the registry. Some commands install what they need. */
function registry(): Variables {
  const names = /^(?:npm_config_\w+|NODE_EXTRA_CA_CERTS|SSL_CERT_FILE)$/i
  const found = Object.entries(process.env).flatMap(([name, value = ""]) => (names.test(name) ? [[name, value]] : []))
  return { ...Object.fromEntries(found), npm_config_yes: "true" }
}

/** In production, the host of an application sets what the env file of development has, and the public URL. */
async function variablesIn(app: string): Promise<Variables> {
  const names = (await readdir(app)).filter((name) => name.startsWith(".env"))
  const texts = await Promise.all(names.map((name) => readFile(join(app, name), "utf8")))
  return Object.assign({}, ...texts.map((text) => parseEnv(text)))
}

/** What a developer gets from GitHub. */
const provider = { AUTH_GITHUB_ID: "id-of-the-app", AUTH_GITHUB_SECRET: "secret-of-the-app" }

/** Milliseconds */
const buildLimit = 300_000
const startLimit = 60_000

async function succeed(command: Command, cwd: string, env: Variables): Promise<void> {
  const { code, output } = await runToEnd(command, { cwd, env }, buildLimit)
  if (code !== 0) throw new Error(`\`${command.join(" ")}\` exited with code ${code}:\n${output}`)
}

interface Visited {
  readonly starter: Starter
  readonly app: string
  readonly values: Variables
  readonly port: string
  readonly chromium: Browser | undefined
  readonly writesPictures: boolean
  readonly command: Command
  readonly env: Variables
  readonly isDevelopment?: boolean
}

/** Characters of a message, which can have a whole page. */
const longest = 1000

/** Starts the application, makes all visits, and returns what failed. */
async function visit(visited: Visited): Promise<readonly string[]> {
  const { starter, app, values, port, chromium, writesPictures, command, env, isDevelopment = false } = visited
  const [program, ...args] = command
  const server = launch([program, ...args.map((arg) => arg.replace("{port}", port))], { cwd: app, env })
  const origin = originAt(port)
  try {
    await Promise.race([server.until(() => undefined), answers(origin)])
    const site = { ...starter, origin, values, writesPictures, output: server.output }
    const browser = starter.visit.pages ? chromium : undefined
    if (isDevelopment && browser !== undefined) await warmUp(site, browser)
    const failures: string[] = []
    for (const [title, make] of Object.entries(visitsOf(starter.visit))) {
      await make(site, browser).catch((error: unknown) =>
        failures.push(`${title}: ${messageOf(error).slice(0, longest)}`),
      )
    }
    return failures.length === 0 ? [] : [...failures, `the terminal:\n${server.output()}`]
  } finally {
    await server.stop()
  }
}

async function answers(origin: string): Promise<void> {
  const late = performance.now() + startLimit
  while (performance.now() < late) {
    const response = await fetch(origin, { redirect: "manual" }).catch(() => undefined)
    if (response !== undefined) return
    await setTimeout(100)
  }
  throw new Error(`nothing answers at ${origin}`)
}

function originAt(port: string): string {
  return `http://${host}:${port}`
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}
