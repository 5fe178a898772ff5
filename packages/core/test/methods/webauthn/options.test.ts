import { Auth } from "@latchkey/core"
import { createAuthenticator } from "@latchkey/testing"
import { describe, expect, test } from "vitest"
import { strategies } from "../../flows/signin/setup.js"
import { ada, ask, grace, issue, origin, type Site, signUp, site } from "./setup.js"

const invalidRequest = { status: 400, body: { error: "Invalid request" } }
const invalidAction = { status: 400, body: { error: "Invalid action" } }

/** A site where Ada has a passkey. */
async function siteOfAda(options: Parameters<typeof site>[0] = {}): Promise<Site> {
  const its = await site(options)
  await signUp(its)
  return its
}

describe.each(strategies)("the options endpoint, strategy %s", (strategy) => {
  const session = { strategy }

  test.each([
    { action: "authenticate" },
    { action: "authenticate", email: ada },
    { action: "authenticate", email: grace },
    { email: ada },
    { email: grace },
    {},
  ])("returns options for a sign-in to a visitor who sends %o", async (query) => {
    const { browser } = await siteOfAda({ config: { session } })
    expect(await ask(browser.fresh(), query)).toMatchObject({ status: 200, body: { action: "authenticate" } })
  })

  test.each([
    { action: "register", email: grace },
    { action: "register", email: ada },
  ])("returns options for a registration to a visitor who sends %o", async (query) => {
    const { browser } = await siteOfAda({ config: { session } })
    expect(await ask(browser.fresh(), query)).toMatchObject({ status: 200, body: { action: "register" } })
  })

  test("rejects a registration without an email", async () => {
    const { browser } = await siteOfAda({ config: { session } })
    expect(await ask(browser.fresh(), { action: "register" })).toEqual(invalidRequest)
  })

  test.each([{}, { email: ada }, { email: grace }])(
    "rejects %o without an action from a user who is signed in",
    async (query) => {
      const { browser } = await siteOfAda({ config: { session } })
      expect(await ask(browser, query)).toEqual(invalidRequest)
    },
  )

  test.each(["register", "authenticate"])("returns options to %s to a user who is signed in", async (action) => {
    const { browser } = await siteOfAda({ config: { session } })
    expect(await ask(browser, { action })).toMatchObject({ status: 200, body: { action } })
  })

  test("registers for the user who is signed in, whatever email comes with the request", async () => {
    const { browser } = await siteOfAda({ config: { session } })
    const issued = await issue(browser, { action: "register", email: grace })
    expect(issued).toMatchObject({ options: { user: { name: ada } } })
  })

  test.each(["", "REGISTER", "delete", "register,authenticate", "__proto__", "toString"])(
    "rejects the action %o",
    async (action) => {
      const { browser } = await siteOfAda({ config: { session } })
      expect(await ask(browser, { action, email: grace })).toEqual(invalidAction)
      expect(await ask(browser.fresh(), { action, email: grace })).toEqual(invalidAction)
    },
  )

  test("treats a browser with an invalid or expired session as a visitor", async () => {
    const { browser, clock } = await siteOfAda({ config: { session } })
    clock.advance({ days: 31 })
    expect(await ask(browser, {})).toMatchObject({ status: 200, body: { action: "authenticate" } })
    expect(await ask(browser, { action: "register" })).toEqual(invalidRequest)
    const other = browser.fresh()
    await other.csrf()
    const cookie = other.cookies[0]
    if (cookie === undefined) throw new Error("There is no cookie.")
    other.jar.put({ ...cookie, name: "__Secure-authjs.session-token", value: "not-a-session" })
    expect(await ask(other, { email: grace, action: "register" })).toMatchObject({ status: 200 })
  })
})

describe("options for a sign-in", () => {
  test("let the authenticator find the passkey if registrations require a discoverable one", async () => {
    const { browser } = await siteOfAda()
    for (const email of [ada, grace]) {
      const { options } = await issue(browser.fresh(), { action: "authenticate", email })
      expect(options).toEqual({
        challenge: expect.stringMatching(/^[\w-]{43,}$/),
        rpId: "app.test",
        timeout: 300_000,
        userVerification: "required",
        ...("allowCredentials" in options && { allowCredentials: [] }),
        ...("extensions" in options && { extensions: undefined }),
      })
    }
  })

  test("list the passkeys of the email's user if passkeys needn't be discoverable", async () => {
    const { browser, authenticator } = await siteOfAda({ kind: "webauthn" })
    const [{ id } = { id: "" }] = authenticator.credentials
    expect(await issue(browser.fresh(), { action: "authenticate", email: ada }, "webauthn")).toMatchObject({
      options: { allowCredentials: [{ id, type: "public-key", transports: ["internal", "hybrid"] }] },
    })
  })

  test("list no passkeys without an email", async () => {
    const { browser } = await siteOfAda({ kind: "webauthn" })
    const { options } = await issue(browser.fresh(), { action: "authenticate" }, "webauthn")
    expect(options["allowCredentials"] ?? []).toEqual([])
  })

  test("list the passkeys of the user who is signed in", async () => {
    const { browser, authenticator, provider } = await siteOfAda({ kind: "webauthn" })
    await signUp({ browser: browser.fresh(), authenticator: createAuthenticator(), provider }, grace)
    const { options } = await issue(browser, { action: "authenticate" }, "webauthn")
    expect(options).toMatchObject({ allowCredentials: [{ id: authenticator.credentials[0]?.id }] })
  })

  test("have a new challenge each time", async () => {
    const { browser } = await site()
    const challenges = []
    for (let count = 0; count < 20; count += 1) challenges.push((await issue(browser)).options.challenge)
    expect(new Set(challenges).size).toBe(20)
  })

  test("offer only algorithms that every runtime verifies", async () => {
    const { browser } = await site()
    const { options } = await issue(browser, { action: "register", email: ada })
    const [ed25519, es256, rs256] = [-8, -7, -257].map((alg) => ({ alg, type: "public-key" }))
    expect(options).toMatchObject({ pubKeyCredParams: [ed25519, es256, rs256] })
  })

  test("contain the configured options, except for those that the server must choose", async () => {
    const authenticationOptions = {
      timeout: 1000,
      userVerification: "preferred",
      challenge: "AAAA",
      rpID: "evil.test",
      allowCredentials: [],
    } as const
    const { browser } = await siteOfAda({ kind: "webauthn", provider: { authenticationOptions } })
    const { options } = await issue(browser.fresh(), { action: "authenticate", email: ada }, "webauthn")
    expect(options).toMatchObject({ timeout: 1000, rpId: "app.test" })
    expect(options["allowCredentials"]).toHaveLength(1)
  })
})

describe("options for a registration", () => {
  test("name the app and the user", async () => {
    const { browser } = await site()
    const { options } = await issue(browser, { action: "register", email: ada })
    expect(options).toMatchObject({
      rp: { id: "app.test", name: "app.test" },
      user: { name: ada, id: expect.stringMatching(/^[\w-]{43,}$/) },
      timeout: 300_000,
      attestation: "none",
      authenticatorSelection: { residentKey: "required", userVerification: "required" },
    })
  })

  test("have a new user handle each time", async () => {
    const { browser } = await site()
    const ids = []
    for (let count = 0; count < 10; count += 1) {
      const issued = await issue(browser, { action: "register", email: ada })
      ids.push(issued.action === "register" && issued.options.user.id)
    }
    expect(new Set(ids).size).toBe(10)
  })

  test("exclude the passkeys of the user who is signed in, and none for visitors", async () => {
    const { browser, authenticator } = await siteOfAda()
    const [{ id } = { id: "" }] = authenticator.credentials
    expect(await issue(browser, { action: "register" })).toMatchObject({
      options: { excludeCredentials: [{ id, type: "public-key", transports: ["internal", "hybrid"] }] },
    })
    const { options } = await issue(browser.fresh(), { action: "register", email: ada })
    expect(options["excludeCredentials"] ?? []).toEqual([])
  })

  test("have the name of the user who is signed in as display name", async () => {
    const { browser, store } = await siteOfAda({ config: { session: { strategy: "database" } } })
    const [user] = store.rows().users
    await store.updateUser({ id: user?.id ?? "", name: "Ada Lovelace" })
    expect(await issue(browser, { action: "register" })).toMatchObject({
      options: { user: { name: ada, displayName: "Ada Lovelace" } },
    })
  })

  test("contain the configured options, except for those that the server must choose", async () => {
    const registrationOptions = {
      timeout: 1000,
      attestationType: "direct",
      authenticatorSelection: { residentKey: "required", userVerification: "required" },
      supportedAlgorithmIDs: [-257],
      challenge: "AAAA",
      rpID: "evil.test",
      userName: "eve",
    } as const
    const { browser } = await site({ provider: { registrationOptions } })
    const { options } = await issue(browser, { action: "register", email: ada })
    expect(options).toMatchObject({
      timeout: 1000,
      attestation: "direct",
      pubKeyCredParams: [{ alg: -257, type: "public-key" }],
      rp: { id: "app.test" },
      user: { name: ada },
    })
    expect(options.challenge).not.toBe("AAAA")
  })
})

describe("the options endpoint", () => {
  test("responds with JSON that no cache stores, and with the challenge cookie", async () => {
    const { browser } = await site()
    const response = await browser.fetch("/auth/webauthn-options/passkey")
    expect(response.headers.get("content-type")).toBe("application/json")
    expect(response.headers.get("cache-control")).toContain("no-store")
    const cookie = browser.cookies.find(({ name }) => name.includes("challenge"))
    expect(cookie).toMatchObject({
      name: "__Secure-authjs.challenge",
      httpOnly: true,
      secure: true,
      sameSite: "lax",
      path: "/",
      expires: Date.parse("2026-01-01T00:15:00Z"),
    })
  })

  test("sets no challenge cookie with an error, or in response to HEAD", async () => {
    const { browser } = await site()
    await browser.fetch("/auth/webauthn-options/passkey?action=register")
    await browser.fetch("/auth/webauthn-options/passkey?action=wrong")
    await browser.fetch("/auth/webauthn-options/passkey", { method: "HEAD" })
    expect(browser.cookies.filter(({ name }) => name.includes("challenge"))).toEqual([])
  })

  test("uses the configured name and options of the challenge cookie", async () => {
    const cookies = {
      webauthnChallenge: { name: "my-challenge", options: { sameSite: "strict", maxAge: 60 } },
    } as const
    const { browser } = await site({ config: { cookies } })
    await issue(browser)
    expect(browser.cookies.find(({ name }) => name === "my-challenge")).toMatchObject({ sameSite: "strict" })
    expect(browser.cookies.some(({ name }) => name.includes("authjs.challenge"))).toBe(false)
  })

  test("doesn't exist for other providers, without a provider, or as POST", async () => {
    const { browser } = await site()
    for (const path of ["other", "", "passkey/more"]) {
      const response = await browser.fetch(`/auth/webauthn-options/${path}`)
      expect(response.status, path).toBeGreaterThanOrEqual(400)
    }
    const posted = await browser.post("/auth/webauthn-options/passkey", { csrfToken: (await browser.csrf()) ?? "" })
    expect([posted.status >= 400, browser.location.includes("error=Configuration")]).toContain(true)
    expect(browser.cookies.filter(({ name }) => name.includes("challenge"))).toEqual([])
  })

  test("works under another base path", async () => {
    const { config } = await site()
    const request = new Request(`${origin}/api/login/webauthn-options/passkey`)
    const response = await Auth(request, { ...config, url: undefined, trustHost: true, basePath: "/api/login" })
    expect([response.status, await response.json()]).toMatchObject([200, { action: "authenticate" }])
  })

  test("works with several providers, each by its ID", async () => {
    const { config, provider, browser } = await site()
    const security = { ...provider, id: "security-key", enableConditionalUI: false }
    const response = await Auth(new Request(`${origin}/auth/webauthn-options/security-key`), {
      ...config,
      providers: [provider, security],
    })
    expect(await response.json()).toMatchObject({ action: "authenticate" })
    expect((await ask(browser, {}, "security-key")).status).toBeGreaterThanOrEqual(400)
  })
})
