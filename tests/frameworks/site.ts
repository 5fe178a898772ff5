import { existsSync } from "node:fs"
import { readFile, rm, writeFile } from "node:fs/promises"
import { connect } from "node:net"
import { join } from "node:path"
import { setTimeout } from "node:timers/promises"
import { type Browser, type FakeProvider, openBrowser } from "@latchkey/testing"
import { forward, type RawResponse, type RequestOptions, send } from "../applications/http.js"
import { freePort, host, launch } from "../applications/processes.js"
import type { Services } from "../applications/services.js"
import { variables } from "./build.js"
import type { Framework } from "./framework.js"

export type Env = Readonly<Record<string, string>>

/** A running application, and what a behavior does with it. */
export interface Site {
  readonly framework: Framework
  readonly origin: string
  /** Path of the auth routes. */
  readonly basePath: string
  readonly op: FakeProvider
  readonly services: Services
  /** Opens a browser without JavaScript. */
  browse(options?: Proxy): Browser
  /** Sends one request with exactly this path and these headers. */
  send(path: string, options?: RequestOptions): Promise<RawResponse>
  /** The adapter methods that the application called since the last time. */
  calls(): Promise<readonly string[]>
  /** Makes every call of the adapter fail, or work again. */
  setStoreDown(isDown: boolean): Promise<void>
  /** Everything that the application has written to stdout and stderr. */
  output(): string
  stop(): Promise<void>
}

/** A reverse proxy in front of the application. */
export interface Proxy {
  /** The origin that browsers see. @default that of the application */
  readonly origin?: string
  /** Headers that the proxy sets. */
  readonly headers?: Readonly<Record<string, string>>
}

/** What all servers of a suite share. */
export interface Surroundings {
  readonly framework: Framework
  readonly folder: string
  /** A folder for databases and other files. */
  readonly data: string
  readonly op: FakeProvider
  readonly services: Services
}

/** 43 characters of base64url. */
export const secret = "k0Wc5v2uYl1u8mQ7o3nT9xZ4hB6sD1fGp2RjE8tLqVw"

/** Milliseconds between two attempts to connect to a server that starts. */
const pause = 20

/** Starts the built application. Variables with an empty value are left out. */
export async function start(name: string, env: Env, surroundings: Surroundings): Promise<Site> {
  const { framework, folder, data, op, services } = surroundings
  const port = await freePort()
  const origin = `http://${host}:${port}`
  const [callsFile, faultFile] = [join(data, `${name}.calls`), join(data, `${name}.fault`)]
  const all = {
    AUTH_SECRET: secret,
    AUTH_TRUST_HOST: "true",
    AUTH_OP_ISSUER: op.issuer,
    AUTH_OP_ID: op.clientId,
    AUTH_OP_SECRET: op.clientSecret,
    SERVICES_URL: services.url,
    DATABASE: join(data, `${name}.db`),
    CALLS_FILE: callsFile,
    FAULT_FILE: faultFile,
    HOST: host,
    PORT: String(port),
    ...framework.env,
    ...env,
  }
  const authPath = framework.basePath ?? "/auth"
  const filled = Object.entries(all)
    .filter(([, value]) => value !== "")
    .map(([key, value]) => [
      key,
      value.replaceAll("{origin}", origin).replaceAll("{port}", String(port)).replaceAll("{basePath}", authPath),
    ])
  const { until, ...server } = launch(framework.start, {
    cwd: folder,
    env: variables(framework, folder, Object.fromEntries(filled)),
  })
  // Rejects if the application exits first.
  await Promise.race([until(() => undefined), connected(port)])
  const basePath = env["BASE_PATH"] ?? (env["AUTH_URL"]?.startsWith("{origin}/") ? env["AUTH_URL"].slice(8) : authPath)
  return {
    ...server,
    framework,
    origin,
    basePath,
    op,
    services,
    browse: ({ origin: seen = origin, headers = {} } = {}) =>
      openBrowser({
        origin: seen,
        basePath,
        handle: async (request) => forward(request, { origin, headers }),
      }),
    send: (path, options) => send(origin, path, options),
    async calls() {
      const text = existsSync(callsFile) ? await readFile(callsFile, "utf8") : ""
      await rm(callsFile, { force: true })
      return text.split("\n").filter((line) => line !== "")
    },
    async setStoreDown(isDown) {
      if (isDown) await writeFile(faultFile, "")
      else await rm(faultFile, { force: true })
    },
  }
}

async function connected(port: number): Promise<void> {
  while (!(await accepts(port))) await setTimeout(pause)
}

function accepts(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, host)
    socket.once("connect", () => {
      socket.destroy()
      resolve(true)
    })
    socket.once("error", () => resolve(false))
  })
}
