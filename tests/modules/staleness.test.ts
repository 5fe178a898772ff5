import { type MemoryAdapter, memoryAdapter } from "@latchkey/adapter-kit/memory"
import { bearer } from "@latchkey/bearer"
import { createVerifier } from "@latchkey/bearer/verify"
import { createAuthClient } from "@latchkey/client"
import type { Adapter } from "@latchkey/core/adapters"
import { createServer } from "@latchkey/core/server"
import { createSessionReader } from "@latchkey/core/session-reader"
import type { AuthConfig } from "@latchkey/core/types"
import { redisCache } from "@latchkey/redis"
import { type Browser, createProvider, frozenClock, type FrozenClock, visit } from "@latchkey/testing"
import { afterEach, describe, expect, test, vi } from "vitest"
import { kinds } from "./credentials.js"
import { siteOf } from "./site.js"

// How long a session, token or key is accepted after `revoke`, by everything that may have a copy: the table in docs/ending-sessions.md.

interface World {
  readonly config: AuthConfig
  readonly store: MemoryAdapter
  readonly clock: FrozenClock
  readonly browser: Browser
  revoke(): Promise<void>
}

/** Ada is signed in. */
async function signedIn(more: Partial<AuthConfig>, adapter?: (store: MemoryAdapter) => Adapter): Promise<World> {
  const [clock, store] = [frozenClock(), memoryAdapter()]
  const op = createProvider({ clock })
  const config: AuthConfig = {
    secret: "k0Wc5v2uYl1u8mQ7o3nT9xZ4hB6sD1fGqR8eJ2aV5pLw",
    url: "https://app.test/auth",
    rateLimit: false,
    providers: [op.provider()],
    logger: { error() {}, warn() {}, debug() {} },
    ...more,
    adapter: adapter?.(store) ?? store,
    runtime: clock.runtime,
  }
  const browser = await visit(config, { clock })
  await browser.signInWith(op, { as: "ada" })
  expect(await browser.session()).not.toBeNull()
  const revoke = async () => createServer(config).revoke(store.rows().users[0]?.id ?? "")
  return { config, store, clock, browser, revoke }
}

const headersOf = ({ cookies }: Browser) =>
  new Headers({ cookie: cookies.map(({ name, value }) => `${name}=${value}`).join("; ") })

const read = async (config: AuthConfig, browser: Browser) =>
  (await createServer(config).session({ headers: headersOf(browser), origin: "https://app.test" })).session

const revocable = { session: { strategy: "jwt" }, security: { revocableSessions: true } } as const

describe("a server with the adapter", () => {
  test.each<readonly [string, Partial<AuthConfig>]>([
    ["sessions in the database", { session: { strategy: "database" } }],
    ["revocable sessions in cookies", revocable],
    ["strict", { security: "strict", session: { strategy: "jwt" } }],
  ])("accepts no request more: %s", async (_, more) => {
    const { browser, config, revoke } = await signedIn(more)
    const copy = headersOf(browser)
    await revoke()
    expect((await createServer(config).session({ headers: copy, origin: "https://app.test" })).session).toBeNull()
  })

  test("accepts a session in a cookie that isn't revocable until it expires, and each use moves that", async () => {
    const more = {
      session: { strategy: "jwt", maxAge: 3600, updateAge: 0 },
      security: { revocableSessions: false },
    } as const
    const { browser, clock, config, revoke } = await signedIn(more)
    const copy = headersOf(browser)
    const readCopy = async () =>
      (await createServer(config).session({ headers: copy, origin: "https://app.test" })).session
    await revoke()
    clock.advance({ seconds: 3599 })
    expect([await readCopy(), await browser.session()]).toEqual([expect.anything(), expect.anything()])
    clock.advance({ seconds: 3599 })
    expect([await readCopy(), await browser.session()]).toEqual([null, expect.anything()])
  })
})

test.each<readonly [string, Partial<AuthConfig>, number, number]>([
  ["strict, without the option", { security: "strict", session: { strategy: "jwt" } }, 300, 0],
  ["with `maxStaleness`", { ...revocable, session: { strategy: "jwt", revocation: { maxStaleness: 60 } } }, 60, 0],
  ["compatible, without the option", revocable, 30 * 86_400, 15],
])("middleware without the adapter accepts a copy for some seconds: %s", async (_, more, seconds, tolerance) => {
  const { browser, clock, config, revoke } = await signedIn(more)
  const { adapter: _adapter, providers: _providers, ...rest } = config
  const reader = createSessionReader(rest)
  const copy = headersOf(browser)
  await revoke()
  clock.advance({ seconds: seconds - 1 })
  expect((await reader.session({ headers: copy })).session).not.toBeNull()
  clock.advance({ seconds: tolerance + 2 })
  expect((await reader.session({ headers: copy })).session).toBeNull()
})

/** Redis with the clock of a test, as far as the cache uses it. It tells the scripts by what they do. */
function redisAt(clock: FrozenClock) {
  const kept = new Map<string, { readonly text: string; readonly until: number }>()
  const get = (key: string) => {
    const found = kept.get(key)
    return found !== undefined && found.until > clock.now() ? found.text : null
  }
  const set = (key: string, text = "", ttl = "0") => {
    kept.set(key, { text, until: clock.now() + Number(ttl) })
    return 1
  }
  return {
    get: async (key: string) => get(key),
    evalsha: async () => Promise.reject(new Error("NOSCRIPT No matching script")),
    async eval(script: string, _keys: number, key: string, ...args: string[]) {
      const before = get(key)
      if (script.includes("ARGV[4]"))
        return (before ?? "") !== args[0] || clock.now() > Number(args[3]) ? 0 : set(key, args[1], args[2])
      if (script.includes("TIME")) return [String(clock.now()), before]
      if (script.includes("before:sub")) return set(key, args[0], args[1])
      return before === args[0] ? set(key, args[1], args[2]) : 0
    },
  }
}

describe("a cache of sessions in Redis", () => {
  const cached = async () => {
    let direct: MemoryAdapter | undefined
    const clock = frozenClock()
    const client = redisAt(clock)
    // The cache compares the expiry with the real time.
    const session = { strategy: "database", maxAge: 20 * 365 * 86_400 } as const
    const world = await signedIn({ session }, (store) => {
      direct = store
      return redisCache(store, client)
    })
    // While a write may be under way, nothing is copied.
    clock.advance({ minutes: 2 })
    await read(world.config, world.browser)
    return { ...world, redis: clock, direct }
  }

  test("accepts no request more if the session ended through it, in any process", async () => {
    const { browser, config, revoke } = await cached()
    expect(await read(config, browser)).not.toBeNull()
    const copy = headersOf(browser)
    await revoke()
    expect((await createServer(config).session({ headers: copy, origin: "https://app.test" })).session).toBeNull()
  })

  test("accepts a copy for `ttlSeconds`, 60 by default, if the row was deleted past it", async () => {
    const { browser, config, direct, redis } = await cached()
    expect(await read(config, browser)).not.toBeNull()
    await direct?.deleteSessions(direct.rows().users[0]?.id ?? "")
    redis.advance({ seconds: 59 })
    expect(await read(config, browser)).not.toBeNull()
    redis.advance({ seconds: 2 })
    expect(await read(config, browser)).toBeNull()
  })
})

test("a server that reads a replica accepts a session as long as the replica lags", async () => {
  const lag = 5
  let ended = Number.POSITIVE_INFINITY
  const clockOf: { now?: () => number } = {}
  const { browser, clock, config, revoke } = await signedIn({ session: { strategy: "database" } }, (store) => {
    let before: Awaited<ReturnType<MemoryAdapter["getSessionAndUser"]>> = null
    return {
      ...store,
      async getSessionAndUser(token) {
        const primary = await store.getSessionAndUser(token)
        if (primary !== null) before = primary
        return (clockOf.now?.() ?? 0) < ended + lag * 1000 ? before : primary
      },
    }
  })
  clockOf.now = () => clock.now()
  expect(await read(config, browser)).not.toBeNull()
  const copy = headersOf(browser)
  await revoke()
  ended = clock.now()
  const readCopy = async () =>
    (await createServer(config).session({ headers: copy, origin: "https://app.test" })).session
  clock.advance({ seconds: lag - 1 })
  expect(await readCopy()).not.toBeNull()
  clock.advance({ seconds: 1 })
  expect(await readCopy()).toBeNull()
})

test("an API that verifies an access token alone accepts it for `maxAge` and `clockTolerance`, and your own site no more", async () => {
  const site = siteOf({ modules: [bearer({ audiences: ["https://app.test"], maxAge: 300 })] })
  const ada = await site.signIn("ada")
  const response = await ada.post("/auth/bearer/mint", { csrfToken: (await ada.csrf()) ?? "" })
  const { access_token: token = "" } = (await response.json()) as { readonly access_token?: string }
  const verify = createVerifier({
    issuer: "https://app.test/auth/bearer",
    audience: "https://app.test",
    now: site.clock.now,
    fetch: async (url) => site.server.handle(new Request(url)),
  })
  const headers = new Headers({ authorization: `Bearer ${token}` })
  const session = async () => (await site.server.session({ headers, origin: "https://app.test" })).session
  expect(await session()).not.toBeNull()
  await site.server.revoke(site.idOf("ada"))
  expect(await session()).toBeNull()
  site.clock.advance({ seconds: 300 + 59 })
  await expect(verify(token)).resolves.toMatchObject({ sub: site.idOf("ada") })
  site.clock.advance({ seconds: 1 })
  await expect(verify(token)).rejects.toThrow()
})

test("an API key is looked up for each request, so it ends at once in every process", async () => {
  const site = siteOf()
  const { works } = (await kinds["api-keys"]?.(site, "ada")) ?? {}
  expect(await works?.()).toBe(true)
  await createServer({ ...site.config }).revoke(site.idOf("ada"))
  expect(await works?.()).toBe(false)
})

describe("`useSession` in a page that stays open", () => {
  afterEach(() => void vi.useRealTimers())

  function open(options: { readonly refetchInterval?: number }) {
    vi.useFakeTimers({ now: Date.parse("2029-01-01T00:00:00Z") })
    const page = Object.assign(new EventTarget(), { visibilityState: "visible" })
    vi.stubGlobal("document", page)
    vi.stubGlobal("window", globalThis)
    vi.stubGlobal("navigator", { onLine: true })
    vi.stubGlobal("addEventListener", () => undefined)
    const session = { user: { name: "Ada" }, expires: "2030-01-01T00:00:00.000Z" }
    let answer: object | null = session
    vi.stubGlobal("fetch", async () => Response.json(answer))
    const client = createAuthClient({ baseUrl: "https://app.test", basePath: "/auth", session } as never)
    const stop = client.start(options)
    return { client, page, stop, revoke: () => (answer = null) }
  }

  test("shows the user for `refetchInterval` and a twentieth more", async () => {
    const { client, revoke, stop } = open({ refetchInterval: 60 })
    revoke()
    await vi.advanceTimersByTimeAsync(59_000)
    expect(client.getSnapshot().status).toBe("authenticated")
    await vi.advanceTimersByTimeAsync(5_000)
    expect(client.getSnapshot().status).toBe("unauthenticated")
    stop()
  })

  test("without it, until the user comes back to the page", async () => {
    const { client, page, revoke, stop } = open({})
    revoke()
    await vi.advanceTimersByTimeAsync(3_600_000)
    expect(client.getSnapshot().status).toBe("authenticated")
    page.dispatchEvent(new Event("visibilitychange"))
    await vi.advanceTimersByTimeAsync(100)
    expect(client.getSnapshot().status).toBe("unauthenticated")
    stop()
  })
})
