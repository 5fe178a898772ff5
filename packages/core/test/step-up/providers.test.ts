import { memoryAdapter } from "@latchkey/adapter-kit/memory"
import GitHub from "@latchkey/core/providers/github"
import Passkey from "@latchkey/core/providers/passkey"
import type { OIDCConfig } from "@latchkey/core/types"
import { createAuthenticator, createProvider, type Fault, frozenClock } from "@latchkey/testing"
import { describe, expect, test } from "vitest"
import { at, byName, isOpen, signIn, siteOf } from "./site.js"

async function world(provider: Partial<OIDCConfig> = {}) {
  const clock = frozenClock()
  const op = createProvider({ clock })
  return { op, ...(await siteOf({ providers: [op.provider(provider)] }, clock)) }
}

type World = Awaited<ReturnType<typeof world>>

/** The authorization request of the sign-in that a page leads to. */
async function asksAgain({ browser }: World, path = "/recent?to=bob"): Promise<URLSearchParams> {
  await browser.get(path)
  expect(new URL(browser.location).pathname).toBe("/auth/signin")
  await browser.submitForm("signin/op")
  return new URL(browser.location).searchParams
}

/** Replaces claims of the ID token. */
function claiming(change: (now: number) => Readonly<Record<string, unknown>>): Fault {
  return {
    idToken: (token) => ({ ...token, claims: { ...token.claims, ...change(Number(token.claims["iat"])) } }),
  }
}

const page = (browser: World["browser"]) => [
  new URL(browser.location).pathname,
  new URL(browser.location).searchParams.get("error"),
]

test("the token of a stored session fits into the column that Prisma makes in MySQL, with what a provider says", async () => {
  const clock = frozenClock()
  const op = createProvider({ clock })
  const adapter = memoryAdapter()
  const session = { strategy: "database" } as const
  const { browser } = await siteOf({ adapter, session, providers: [op.provider()] }, clock)
  const acr = "urn:ä:".padEnd(40, "x")
  op.inject(claiming(() => ({ auth_time: clock.now() / 1000, acr })))
  await browser.signInWith(op, { as: "ada" })
  expect(await isOpen(browser, "/recent")).toBe(true)
  const [row] = adapter.rows().sessions
  expect(row?.sessionToken.length).toBeLessThanOrEqual(191)
})

describe("an OpenID provider", () => {
  test("is told to ask for credentials, and the sign-in leads back", async () => {
    const its = await world()
    await its.browser.signInWith(its.op, { as: "ada" })
    its.clock.advance({ minutes: 6 })
    const params = await asksAgain(its)
    expect([params.get("prompt"), params.get("max_age")]).toEqual(["login", "300"])
    await its.browser.consentAt(its.op, { as: "ada" })
    expect(at(its.browser)).toBe("/recent?to=bob")
    expect(its.browser.response.status).toBe(200)
  })

  test("keeps other prompts of the configuration", async () => {
    const its = await world({ authorization: { params: { prompt: "consent" } } })
    expect((await asksAgain(its)).get("prompt")).toBe("consent login")
  })

  test("isn't told so in an ordinary sign-in", async () => {
    const { browser } = await world()
    await browser.get("/auth/signin?callbackUrl=/any")
    await browser.submitForm("signin/op")
    const params = new URL(browser.location).searchParams
    expect([params.get("prompt"), params.get("max_age")]).toEqual([null, null])
  })

  test.each([
    ["an hour ago", (now: number) => ({ auth_time: now - 3600 })],
    ["four minutes ago, before it was asked", (now: number) => ({ auth_time: now - 240 })],
    ["at no known time", () => ({ auth_time: undefined })],
    ["in the future", (now: number) => ({ auth_time: now + 3600 })],
    ["at a time that isn't a number", (now: number) => ({ auth_time: String(now) })],
  ])("that authenticated the user %s is refused", async (_, change) => {
    const its = await world()
    await its.browser.signInWith(its.op, { as: "ada" })
    its.clock.advance({ minutes: 6 })
    its.op.inject(claiming(change))
    await asksAgain(its)
    await its.browser.consentAt(its.op, { as: "ada" })
    expect(page(its.browser)).toEqual(
      typeof change(0).auth_time === "string"
        ? ["/auth/error", "Configuration"]
        : ["/auth/signin", "OAuthCallbackError"],
    )
    expect(await isOpen(its.browser, "/recent")).toBe(false)
  })

  test.each([
    ["says that it was an hour ago", (now: number) => ({ auth_time: now - 3600 })],
    ["says nothing about it", () => ({})],
  ])("that %s in an ordinary sign-in makes no recent one, although the user signed out before", async (_, change) => {
    const its = await world()
    its.op.inject(claiming(change))
    await its.browser.signInWith(its.op, { as: "ada" })
    await its.browser.signOut()
    await its.browser.signInWith(its.op, { as: "ada" })
    expect(await isOpen(its.browser, "/any")).toBe(true)
    expect(await isOpen(its.browser, "/recent")).toBe(false)
  })

  test("that says that it was just now makes a recent one", async () => {
    const its = await world()
    its.op.inject(claiming((now) => ({ auth_time: now - 60 })))
    await its.browser.signInWith(its.op, { as: "ada" })
    expect(await isOpen(its.browser, "/recent")).toBe(true)
    its.clock.advance({ minutes: 4, seconds: 1 })
    expect(await isOpen(its.browser, "/recent")).toBe(false)
  })

  test("that can't say it counts as of the sign-in, if the configuration says so", async () => {
    const its = await world({ verifyAuthentication: false })
    await its.browser.signInWith(its.op, { as: "ada" })
    expect(await isOpen(its.browser, "/recent")).toBe(true)
  })

  test("doesn't decide about two factors by its own word", async () => {
    const its = await world()
    its.op.inject(claiming(() => ({ amr: ["pwd", "otp", "mfa"], acr: "mfa" })))
    const { browser } = await siteOf(
      {
        adapter: memoryAdapter(),
        providers: [its.op.provider(), Passkey],
        experimental: { enableWebAuthn: true },
        session: { strategy: "jwt" },
      },
      its.clock,
    )
    await browser.signInWith(its.op, { as: "ada" })
    expect(await isOpen(browser, "/strong")).toBe(false)
  })
})

test("a provider of plain OAuth 2.0 is told to ask for credentials", async () => {
  const { browser } = await siteOf({ providers: [GitHub({ clientId: "id", clientSecret: "secret" })] })
  await browser.get("/recent")
  await browser.submitForm("signin/github")
  const { hostname, searchParams } = new URL(browser.location)
  expect([hostname, searchParams.get("prompt"), searchParams.get("max_age")]).toEqual(["github.com", "login", null])
})

test.each([
  [true, 200],
  [false, 401],
])("a passkey is two factors if it verified its user (%s)", async (verifiesUser, status) => {
  const adapter = memoryAdapter()
  const optional = { authenticatorSelection: { userVerification: "preferred" } } as const
  const passkey = Passkey({
    authenticationOptions: { userVerification: "preferred" },
    verifyAuthenticationOptions: { requireUserVerification: false },
    registrationOptions: optional,
    verifyRegistrationOptions: { requireUserVerification: false },
  })
  const { browser } = await siteOf({
    adapter,
    providers: [byName, passkey],
    experimental: { enableWebAuthn: true },
    session: { strategy: "jwt" },
  })
  const authenticator = createAuthenticator({ userVerification: verifiesUser })
  await browser.registerPasskey(authenticator, { fields: { email: "ada@users.test" } })
  await browser.signOut()
  await browser.signInWithPasskey(authenticator)
  expect((await browser.fetch("/strong")).status).toBe(status)
  expect((await browser.fetch("/recent")).status).toBe(200)
  await browser.signOut()
  await signIn(browser)
  expect((await browser.fetch("/strong")).status).toBe(401)
})
