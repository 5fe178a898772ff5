import { memoryAdapter } from "@latchkey/adapter-kit/memory"
import { createServer } from "@latchkey/core/server"
import { createSessionReader } from "@latchkey/core/session-reader"
import type { Adapter, AuthConfig } from "@latchkey/core/types"
import { describe, expect, test } from "vitest"
import { logged, visitor } from "./setup.js"

const secret = "k0Wc5v2uYl1u8mQ7o3nT9xZ4hB6sD1fGp2RjE8tLqVw"

async function signedIn(rest: Partial<AuthConfig> = {}) {
  const { config, log } = logged({ secret, url: "https://app.test", ...rest })
  const { cookies } = await createServer(config).signIn(visitor(), "credentials", { name: "ada", code: "open" })
  const { providers: _, ...own } = config
  return { config, own, cookies, log }
}

async function storeWithAda() {
  const store = memoryAdapter()
  await store.createUser({ id: "ada", name: "ada", email: "ada@app.test", emailVerified: null })
  return store
}

/** An adapter that counts how often it is loaded, and may fail at first. */
function lazily(adapter: Adapter, failures = 0) {
  const state = { loads: 0 }
  const load = async () => {
    state.loads++
    if (state.loads <= failures) throw new Error("the module could not be loaded")
    return { default: adapter }
  }
  return { load, state }
}

describe("a session reader", () => {
  test.each(["compatible", "strict"] as const)("reads the session that the server wrote (%s)", async (security) => {
    const { config, own, cookies } = await signedIn({ security })
    const expected = await createServer(config).session(visitor(cookies))
    expect(expected.session).not.toBeNull()
    const origin = "https://app.test"
    expect(await createSessionReader(own).session(visitor(cookies))).toEqual({ ...expected, origin })
    expect(await createSessionReader(own).session(visitor())).toEqual({ session: null, cookies: [], origin })
  })

  test("returns the origin of the site, unless the host isn't trusted", async () => {
    const { url: _, ...own } = (await signedIn()).own
    const reader = createSessionReader({ ...own, trustHost: ["shop.test"] })
    const originFor = async (host: string) =>
      (await reader.session({ headers: new Headers({ "x-forwarded-host": host }), origin: "https://app.test" })).origin
    expect(await originFor("shop.test")).toBe("https://shop.test")
    for (const host of ["evil.test", "shop.test:1@evil.test"]) expect(await originFor(host)).toBeUndefined()
  })

  test("without a secret, or for an untrusted host, returns no session and the reason", async () => {
    const { own, cookies, log } = await signedIn()
    const { secret: _, ...bare } = own
    const reader = createSessionReader(bare)
    for (let turn = 0; turn < 3; turn++)
      expect(await reader.session(visitor(cookies))).toMatchObject({ session: null, error: { type: "MissingSecret" } })
    expect(log.entries.filter(({ text }) => text.includes("No secret is set"))).toHaveLength(1)
    const { url: __, ...anywhere } = own
    const distrusting = createSessionReader({ ...anywhere, trustHost: false })
    expect(await distrusting.session(visitor(cookies))).toMatchObject({
      session: null,
      error: { type: "UntrustedHost" },
    })
  })

  test("loads an adapter only if sessions need it", async () => {
    const store = await storeWithAda()
    const sealed = await signedIn({ adapter: store, session: { strategy: "jwt" } })
    const unused = lazily(store)
    const reader = createSessionReader({ ...sealed.own, adapter: unused.load })
    expect((await reader.session(visitor(sealed.cookies))).session).not.toBeNull()
    expect(unused.state.loads).toBe(0)

    const stored = await signedIn({ adapter: store })
    const used = lazily(store)
    const other = createSessionReader({ ...stored.own, adapter: used.load })
    await other.session(visitor(stored.cookies))
    expect((await other.session(visitor(stored.cookies))).session).toMatchObject({ user: { name: "ada" } })
    expect(used.state.loads).toBe(1)
  })

  test("with revocable sessions asks the adapter for JWT sessions too", async () => {
    const store = await storeWithAda()
    const { own } = await signedIn({
      adapter: store,
      session: { strategy: "jwt" },
      security: { revocableSessions: true },
    })
    const used = lazily(store)
    await createSessionReader({ ...own, adapter: used.load }).session(visitor())
    expect(used.state.loads).toBe(1)
  })

  test("tries again to load an adapter that could not be loaded", async () => {
    const store = await storeWithAda()
    const { own, cookies } = await signedIn({ adapter: store })
    const reader = createSessionReader({ ...own, adapter: lazily(store, 1).load })
    expect(await reader.session(visitor(cookies))).toMatchObject({
      session: null,
      error: expect.any(Error),
      cookies: [],
    })
    expect((await reader.session(visitor(cookies))).session).not.toBeNull()
  })
})
