import { mkdtemp } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { createProvider, type FakeProvider } from "@latchkey/testing"
import { afterAll, beforeAll } from "vitest"
import { remove } from "../applications/install.js"
import { freePort, host, type Site } from "../applications/processes.js"
import { build, type Built, type Source } from "./build.js"
import { type Database, startDatabase } from "./database.js"
import { serve } from "./serve.js"
import { type Services, startServices } from "../applications/services.js"

/** One build and the servers started from it, shared by the tests of a file. */
export interface Application {
  readonly source: Source
  readonly built: Built
  readonly op: FakeProvider
  readonly services: Services
  /** Starts the application with these variables. The same variables return the same server. */
  served(env?: Readonly<Record<string, string>>): Promise<Site>
}

/** `"all"` for the newest major, `"some"` for the parts that can differ in older ones. */
export type Extent = "all" | "some"

/** 43 characters of base64url. */
export const secret = "k0Wc5v2uYl1u8mQ7o3nT9xZ4hB6sD1fGp2RjE8tLqVw"

/** Builds before the tests of the file and removes everything after them. */
export function application(source: Source): Application {
  const sites = new Map<string, Promise<Site>>()
  const op = createProvider()
  let parts:
    | {
        readonly built: Built
        readonly services: Services
        readonly database: Database
        readonly close: () => Promise<void>
        readonly data: string
      }
    | undefined

  function ready(): NonNullable<typeof parts> {
    if (parts === undefined) throw new Error("The application isn't built yet")
    return parts
  }

  beforeAll(async () => {
    const built = await build(source)
    const [services, database, { close }] = await Promise.all([startServices(), startDatabase(), op.listen()])
    parts = { built, services, database, close, data: await mkdtemp(join(tmpdir(), "latchkey-next-data-")) }
  }, 420_000)

  afterAll(async () => {
    await Promise.all([...sites.values()].map(async (site) => (await site).stop()))
    if (parts === undefined) return
    await Promise.all([
      parts.services.close(),
      parts.database.close(),
      parts.close(),
      remove(parts.built.folder),
      remove(parts.data),
    ])
  })

  return {
    source,
    op,
    get built() {
      return ready().built
    },
    get services() {
      return ready().services
    },
    async served(env = {}) {
      const key = JSON.stringify(env)
      const { built, services, database, data } = ready()
      const all = {
        AUTH_SECRET: secret,
        AUTH_TRUST_HOST: "true",
        SERVICES_URL: services.url,
        ADAPTER_URL: database.url,
        ISSUER: op.issuer,
        DATABASE: join(data, `${sites.size}.db`),
        ...env,
      }
      const site = sites.get(key) ?? start(built, all)
      sites.set(key, site)
      return site
    },
  }
}

/** Replaces the word `origin` in AUTH_URL. Strict mode needs AUTH_URL, because it only serves configured origins. */
async function start(built: Built, env: Readonly<Record<string, string>>): Promise<Site> {
  const authUrl = env["AUTH_URL"] ?? (env["SECURITY"] === "strict" ? "origin" : undefined)
  if (authUrl === undefined) return serve(built, env)
  const port = await freePort()
  return serve(built, { ...env, AUTH_URL: authUrl.replace("origin", `http://${host}:${port}`) }, port)
}
