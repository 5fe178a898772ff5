import { check } from "@latchkey/core"
import type { AuthConfig } from "@latchkey/core/types"
import { describe, expect, test } from "vitest"
import { captureLog, createProvider, faults, frozenClock, type ProviderOptions, visit } from "../src/index.js"

describe("a visit", () => {
  test("signs in through the fake provider and signs out", async () => {
    const op = createProvider()
    const browser = await visit({ providers: [op.provider()] })
    await browser.signInWith(op, { as: "ada" })
    expect([browser.location, browser.text]).toEqual(["https://app.test/", "app"])
    expect(await browser.session()).toMatchObject({ user: { name: "Ada Lovelace", email: "ada@example.test" } })
    await browser.signOut()
    expect(await browser.session()).toBeNull()
  })

  test("works with a plain OAuth 2 provider", async () => {
    const op = createProvider()
    const browser = await visit({ providers: [op.oauthProvider()] })
    await browser.signInWith(op, { as: "grace" })
    expect(await browser.session()).toMatchObject({ user: { email: "grace@example.test" } })
  })

  test.each<ProviderOptions>([
    { authentication: "client_secret_post" },
    { authentication: "client_secret_jwt" },
    { authentication: "none" },
    { clientId: "a:b %+é", clientSecret: "s !'()*~ é:%+", authentication: "client_secret_basic" },
    { algorithm: "ES256" },
    { algorithm: "PS256" },
    { algorithm: "EdDSA" },
    { algorithm: "HS256" },
    { issuer: "https://op.test/tenant" },
  ])("works with the provider options %o", async (options) => {
    const op = createProvider(options)
    const browser = await visit({ providers: [op.provider()] })
    await browser.signInWith(op, { as: "ada" })
    expect(await browser.session()).toMatchObject({ user: { name: "Ada Lovelace" } })
  })

  test("ends signed out if the provider has a fault", async () => {
    const op = createProvider({ faults: faults.wrongAud })
    const browser = await visit({ providers: [op.provider()] })
    await browser.signInWith(op, { as: "ada" })
    expect(await browser.session()).toBeNull()
    expect(op.requestsTo("token")).toHaveLength(1)
  })

  test("uses one clock for the engine, the provider and the cookies", async () => {
    const clock = frozenClock()
    const op = createProvider({ clock })
    const browser = await visit({ providers: [op.provider()] }, { clock })
    await browser.signInWith(op, { as: "ada" })
    expect(await browser.session()).toMatchObject({ expires: "2026-01-31T00:00:00.000Z" })
    clock.advance({ days: 31 })
    expect(await browser.session()).toBeNull()
  })

  test("freezes the configuration, but not the adapter", async () => {
    const { logger } = captureLog()
    const config: AuthConfig = { providers: [], session: { maxAge: 60 }, adapter: {}, logger }
    await visit(config)
    expect(Object.isFrozen(config.session)).toBe(true)
    expect(Object.isFrozen(config.adapter)).toBe(false)
  })

  test("shows the app's own pages outside the base path", async () => {
    const app = ({ url }: Request) => new Response(new URL(url).pathname)
    const browser = await visit({ providers: [] }, { app, origin: "https://other.test" })
    await browser.get("/authors")
    expect(browser.text).toBe("/authors")
    expect(browser.location).toBe("https://other.test/authors")
  })

  test("signs in with another base path", async () => {
    const op = createProvider()
    const browser = await visit({ providers: [op.provider()], basePath: "/api/auth" })
    await browser.signInWith(op, { as: "ada" })
    expect(await browser.session()).toMatchObject({ user: { name: "Ada Lovelace" } })
    expect(op.authorizations).toMatchObject([{ redirect_uri: "https://app.test/api/auth/callback/op" }])
  })
})

describe("a configuration with problems", () => {
  const broken: AuthConfig = { providers: [{ id: "a b", name: "A", type: "oidc" }], session: { maxAge: -1 } }

  test("makes visit throw, and the error lists each problem with its fix", async () => {
    const error: unknown = await visit(broken).catch((thrown: unknown) => thrown)
    expect(error).toBeInstanceOf(Error)
    const { errors } = check({ secret: "0123456789abcdef0123456789abcdef", trustHost: true, ...broken })
    expect(errors.length).toBeGreaterThan(1)
    for (const { path, problem, fix } of errors) {
      expect(String(error)).toContain(`${path}: ${problem}. ${fix}`)
    }
  })

  test("reaches a logger of the test, and the app responds as in production", async () => {
    const log = captureLog()
    const browser = await visit({ ...broken, logger: log.logger })
    await browser.get("/auth/signin")
    expect(browser.response.status).toBe(500)
    expect(log.entries.map(({ text }) => text).join("\n")).toContain("session.maxAge")
  })
})
