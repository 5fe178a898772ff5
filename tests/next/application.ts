import { mkdtemp } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { createProvider, type FakeProvider } from "@latchkey/testing"
import { afterAll, beforeAll } from "vitest"
import { build, type Built, remove, type Source } from "./build.js"
import { type Outside, outside } from "./outside.js"
import { freePort, host, serve, type Site } from "./serve.js"

/** One build, and whatever is started from it, for all tests of a file. */
export interface Application {
  readonly source: Source
  readonly built: Built
  readonly op: FakeProvider
  readonly outside: Outside
  /** The application with this added to its environment; the same one for all who ask for the same. */
  served(env?: Readonly<Record<string, string>>): Promise<Site>
}

/** Everything in the newest major; in the older two what may be different there. */
export type Extent = "whole" | "small"

/** 43 characters of base64url. */
export const secret = "k0Wc5v2uYl1u8mQ7o3nT9xZ4hB6sD1fGp2RjE8tLqVw"

/** Built before the tests of the file, and taken away after them. */
export function application(source: Source): Application {
  const sites = new Map<string, Promise<Site>>()
  const op = createProvider()
  let parts:
    | { readonly built: Built; readonly around: Outside; readonly close: () => Promise<void>; readonly data: string }
    | undefined

  function ready(): NonNullable<typeof parts> {
    if (parts === undefined) throw new Error("The application has not been built")
    return parts
  }

  beforeAll(async () => {
    const built = await build(source)
    const [around, { close }] = await Promise.all([outside(), op.listen()])
    parts = { built, around, close, data: await mkdtemp(join(tmpdir(), "latchkey-next-data-")) }
  }, 180_000)

  afterAll(async () => {
    await Promise.all([...sites.values()].map(async (site) => (await site).stop()))
    if (parts === undefined) return
    await Promise.all([parts.around.close(), parts.close(), remove(parts.built.folder), remove(parts.data)])
  })

  return {
    source,
    op,
    get built() {
      return ready().built
    },
    get outside() {
      return ready().around
    },
    async served(env = {}) {
      const key = JSON.stringify(env)
      const { built, around, data } = ready()
      const all = {
        AUTH_SECRET: secret,
        AUTH_TRUST_HOST: "true",
        OUTSIDE: around.url,
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

/**
 * An application that has to know its address is told it with the word `origin`. Strict serves only addresses that are
 * configured; a provider on loopback is for a site on loopback.
 */
async function start(built: Built, env: Readonly<Record<string, string>>): Promise<Site> {
  const address = env["AUTH_URL"] ?? (env["SECURITY"] === "strict" ? "origin" : undefined)
  if (address === undefined) return serve(built, env)
  const port = await freePort()
  return serve(built, { ...env, AUTH_URL: address.replace("origin", `http://${host}:${port}`) }, port)
}
