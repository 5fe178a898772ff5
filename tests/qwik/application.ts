import { mkdtemp } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { createProvider, type FakeProvider } from "@latchkey/testing"
import { afterAll, beforeAll } from "vitest"
import { remove } from "../applications/install.js"
import { freePort, type Site } from "../applications/processes.js"
import { type Services, startServices } from "../applications/services.js"
import { build, type Built, type Major, type Package } from "./build.js"
import { serve } from "./serve.js"

export type Env = Readonly<Record<string, string>>

/** Builds of the application, the servers started from them, and what they talk to. */
export interface Application {
  readonly major: Major
  readonly op: FakeProvider
  readonly services: Services
  /** The build with this package. @default the first one */
  built(name?: Package): Built
  /** Starts the application with these variables. The same variables return the same server. */
  served(env?: Env): Promise<Site>
  /** Starts a server that you stop yourself, with one database for all of them. */
  deploy(name: Package, port: number, env?: Env): Promise<Site>
}

/** 43 characters of base64url. */
export const secret = "k0Wc5v2uYl1u8mQ7o3nT9xZ4hB6sD1fGp2RjE8tLqVw"

/** Builds before the tests of the file and removes everything after them. */
export function application(major: Major, packages: readonly Package[] = ["@latchkey/qwik"]): Application {
  const op = createProvider()
  const sites = new Map<string, Promise<Site>>()
  const builds = new Map<Package, Built>()
  let parts: { readonly services: Services; readonly data: string; close(): Promise<void> } | undefined

  function ready(): NonNullable<typeof parts> {
    if (parts === undefined) throw new Error("The application isn't built yet")
    return parts
  }

  function built(name = packages[0]): Built {
    const found = name === undefined ? undefined : builds.get(name)
    if (found === undefined) throw new Error(`There is no build with ${name}`)
    return found
  }

  function variables(database: string, env: Env): Env {
    const { services, data } = ready()
    return {
      AUTH_SECRET: secret,
      AUTH_TRUST_HOST: "true",
      AUTH_OP_ISSUER: op.issuer,
      AUTH_OP_ID: op.clientId,
      AUTH_OP_SECRET: op.clientSecret,
      SERVICES_URL: services.url,
      DATABASE: join(data, database),
      ...env,
    }
  }

  beforeAll(async () => {
    const [services, { close }] = await Promise.all([startServices(), op.listen()])
    parts = { services, close, data: await mkdtemp(join(tmpdir(), "latchkey-qwik-data-")) }
    for (const name of packages) builds.set(name, await build(major, name))
  }, 420_000)

  afterAll(async () => {
    await Promise.all([...sites.values()].map(async (site) => (await site).stop()))
    await Promise.all([...builds.values()].map(async ({ folder }) => remove(folder)))
    if (parts === undefined) return
    await Promise.all([parts.services.close(), parts.close(), remove(parts.data)])
  })

  return {
    major,
    op,
    built,
    get services() {
      return ready().services
    },
    async served(env = {}) {
      const key = JSON.stringify(env)
      const site = sites.get(key) ?? start(built(), variables(`${sites.size}.db`, env))
      sites.set(key, site)
      return site
    },
    deploy: async (name, port, env = {}) => serve(built(name), variables("shared.db", env), port),
  }
}

/** Replaces the word `origin` in AUTH_URL with the origin of the server, and leaves out empty variables. */
async function start(built: Built, { AUTH_URL: authUrl, ...env }: Env): Promise<Site> {
  const port = await freePort()
  const url = authUrl === undefined ? {} : { AUTH_URL: authUrl.replace("origin", `http://localhost:${port}`) }
  const given = Object.entries({ ...env, ...url }).filter(([, text]) => text !== "")
  return serve(built, Object.fromEntries(given), port)
}
