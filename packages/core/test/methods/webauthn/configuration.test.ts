import { memoryAdapter } from "@latchkey/adapter-kit/memory"
import { Auth, check } from "@latchkey/core"
import Passkey from "@latchkey/core/providers/passkey"
import WebAuthn, {
  DEFAULT_SIMPLEWEBAUTHN_BROWSER_VERSION,
  DEFAULT_WEBAUTHN_TIMEOUT,
} from "@latchkey/core/providers/webauthn"
import { AuthError } from "@latchkey/core/errors"
import type { AuthConfig, WebAuthnConfig } from "@latchkey/core/types"
import { captureLog, createAuthenticator, createProvider } from "@latchkey/testing"
import * as simpleWebAuthn from "@simplewebauthn/server"
import { describe, expect, test } from "vitest"
import { emailOf, errorAt, hasSession } from "../../flows/signin/setup.js"
import { app, location, op } from "../../http/app.js"
import { ada, ask, grace, issue, onlyPasskey, origin, secret, signUp, site } from "./setup.js"

const passkeys = { adapter: memoryAdapter(), providers: [Passkey()], experimental: { enableWebAuthn: true } }

/** The types of the configuration errors that a request logs. */
async function problemsOf(config: Partial<AuthConfig>): Promise<readonly unknown[]> {
  const { get, log } = app({ trustHost: true, ...config })
  await get("/auth/session")
  const errors = log.entries.filter(({ level }) => level === "error").map(({ detail }) => detail)
  return errors.map((error) => (error instanceof AuthError ? error.type : error))
}

describe("a passkey provider", () => {
  test.each([
    ["passkey", Passkey, { residentKey: "required", userVerification: "required" }],
    ["webauthn", WebAuthn, undefined],
  ] as const)("%s has the defaults of Auth.js 5", (id, factory, authenticatorSelection) => {
    const provider = factory()
    expect(provider).toMatchObject({
      id,
      name: { passkey: "Passkey", webauthn: "WebAuthn" }[id],
      type: "webauthn",
      enableConditionalUI: true,
      simpleWebAuthnBrowserVersion: "v9.0.1",
      formFields: { email: { label: "Email", required: true, autocomplete: "username webauthn" } },
    })
    expect(provider["registrationOptions"]).toEqual({
      timeout: 300_000,
      ...(authenticatorSelection && { authenticatorSelection }),
    })
    expect(provider["authenticationOptions"]).toEqual({
      timeout: 300_000,
      ...(authenticatorSelection && { userVerification: "required" }),
    })
    const verification = authenticatorSelection && { requireUserVerification: true }
    expect(provider["verifyAuthenticationOptions"]).toEqual(verification)
    expect(provider["verifyRegistrationOptions"]).toEqual(verification)
    expect([DEFAULT_WEBAUTHN_TIMEOUT, DEFAULT_SIMPLEWEBAUTHN_BROWSER_VERSION]).toEqual([300_000, "v9.0.1"])
  })

  test("is in the response of the endpoint providers", async () => {
    const { get } = app(passkeys)
    expect(await (await get("/auth/providers")).json()).toEqual({
      passkey: {
        id: "passkey",
        name: "Passkey",
        type: "webauthn",
        signinUrl: `${origin}/auth/signin/passkey`,
        callbackUrl: `${origin}/auth/callback/passkey`,
      },
    })
  })

  test("can be given as a function", async () => {
    const { browser, authenticator } = await site({ config: { providers: [Passkey] } })
    await browser.registerPasskey(authenticator, { fields: { email: ada } })
    expect(await emailOf(browser)).toBe(ada)
  })

  test("works under strict security without a problem", () => {
    const { errors } = check({ secret, url: `${origin}/auth`, ...passkeys, security: "strict" })
    expect(errors).toEqual([])
  })

  test("of a package that brings its own method is no problem", async () => {
    const unused = async () => ({}) as never
    const method = async () => ({ start: unused, finish: unused, steps: () => ({}) as never })
    expect(await problemsOf({ ...passkeys, providers: [{ ...Passkey(), method }] })).toEqual([])
  })

  test("leaves the other providers working", async () => {
    const { post } = app({ ...passkeys, providers: [Passkey(), op.provider()] })
    expect(location(await post(`/auth/signin/${op.provider().id}`))).toContain("https://op.test")
  })

  test("isn't signed in to by POST of the sign-in route, which returns to the page", async () => {
    const { post } = app(passkeys)
    expect(location(await post("/auth/signin/passkey"))).toBe(`${origin}/auth/signin`)
  })
})

describe("the configuration", async () => {
  test("without `experimental.enableWebAuthn` is rejected", async () => {
    for (const experimental of [undefined, {}, { enableWebAuthn: false }]) {
      expect(await problemsOf({ ...passkeys, experimental })).toEqual(["ExperimentalFeatureNotEnabled"])
    }
  })

  test("without an adapter is rejected", async () => {
    expect(await problemsOf({ ...passkeys, adapter: undefined })).toEqual(["MissingAdapter"])
  })

  test.each([
    "createUser",
    "getUser",
    "linkAccount",
    "getAccount",
    "getAuthenticator",
    "createAuthenticator",
    "listAuthenticatorsByUserId",
    "updateAuthenticatorCounter",
  ] as const)("with an adapter that lacks %s is rejected", async (method) => {
    const { [method]: _, ...adapter } = memoryAdapter()
    expect(await problemsOf({ ...passkeys, adapter })).toEqual(["MissingAdapterMethods"])
  })

  test("with two providers for autofill is rejected, and with one isn't", async () => {
    const second = (more: Partial<WebAuthnConfig>) => WebAuthn({ id: "second", ...more })
    expect(await problemsOf({ ...passkeys, providers: [Passkey(), second({})] })).toEqual(["DuplicateConditionalUI"])
    expect(await problemsOf({ ...passkeys, providers: [Passkey(), second({ enableConditionalUI: false })] })).toEqual(
      [],
    )
  })

  test("with autofill and no field for it is rejected", async () => {
    const formFields = { email: { label: "Email", autocomplete: "username" } }
    expect(await problemsOf({ ...passkeys, providers: [Passkey({ formFields })] })).toEqual([
      "MissingWebAuthnAutocomplete",
    ])
    expect(await problemsOf({ ...passkeys, providers: [Passkey({ formFields, enableConditionalUI: false })] })).toEqual(
      [],
    )
  })

  test("accepts a version of the browser library, or none", async () => {
    for (const simpleWebAuthnBrowserVersion of ["v9.0.1", "v10", "v13.2", false] as const) {
      expect(await problemsOf({ ...passkeys, providers: [Passkey({ simpleWebAuthnBrowserVersion })] })).toEqual([])
    }
    for (const simpleWebAuthnBrowserVersion of ["9.0.1", "latest", "v9.0.1/../evil"]) {
      expect(await problemsOf({ ...passkeys, providers: [Passkey({ simpleWebAuthnBrowserVersion })] })).toHaveLength(1)
    }
  })

  test.each([
    ["with passkeys", [Passkey()]],
    ["without passkeys", [op.provider()]],
  ] as const)("%s warns once that passkeys are experimental", async (_, providers) => {
    const log = captureLog()
    const config: AuthConfig = {
      secret,
      url: `${origin}/auth`,
      ...passkeys,
      providers: [...providers],
      logger: log.logger,
    }
    for (let count = 0; count < 3; count += 1) await Auth(new Request(`${origin}/auth/session`), config)
    const warnings = log.entries.filter(({ level }) => level === "warn").map(({ message }) => message)
    expect(warnings.filter((message) => message.includes("experimental-webauthn"))).toHaveLength(1)
  })
})

describe("the relying party", () => {
  test("is the host of the request by default", async () => {
    const { browser } = await site({
      origin: "https://login.app.test:8443",
      config: { url: undefined, trustHost: true },
    })
    expect(await issue(browser, { action: "register", email: ada })).toMatchObject({
      options: { rp: { id: "login.app.test", name: "login.app.test:8443" } },
    })
    const authenticator = createAuthenticator()
    await browser.registerPasskey(authenticator, { fields: { email: ada } })
    expect(await emailOf(browser)).toBe(ada)
  })

  test("can be configured as strings", async () => {
    const its = await site({
      origin: "https://login.app.test",
      config: { url: "https://login.app.test/auth" },
      provider: { relayingParty: { id: "app.test", name: "My App", origin: "https://login.app.test" } },
    })
    expect(await issue(its.browser, { action: "register", email: ada })).toMatchObject({
      options: { rp: { id: "app.test", name: "My App" } },
    })
    await signUp(its)
    await its.browser.signOut()
    await its.browser.signInWithPasskey(its.authenticator)
    expect(await emailOf(its.browser)).toBe(ada)
  })

  test.each([0, 1, 2])("accepts each of its origins, with the first ID and name (%s)", async (nth) => {
    const origins = ["https://app.test", "https://login.app.test", "https://app.example"]
    const relayingParty = { id: ["app.test", "other.test"], name: ["My App", "Other"], origin: origins }
    const its = await site({ provider: { relayingParty } })
    const authenticator = createAuthenticator({ origin: origins[nth] ?? "", relatedRpIds: ["app.test"] })
    const { browser } = its
    // The related origins send their requests to one server.
    const issued = await issue(browser, { action: "register", email: ada })
    expect(issued.options).toMatchObject({ rp: { id: "app.test", name: "My App" } })
    if (issued.action !== "register") throw new Error("The options are for a sign-in.")
    const data = JSON.stringify(await authenticator.create(issued.options))
    const fields = async () => ({ csrfToken: (await browser.csrf()) ?? "" })
    await browser.post("/auth/callback/passkey", { ...(await fields()), action: "register", data })
    expect(await emailOf(browser)).toBe(ada)
    await browser.signOut()
    const again = await issue(browser, { action: "authenticate" })
    const signed = JSON.stringify(await authenticator.get(again.options))
    await browser.post("/auth/callback/passkey", { ...(await fields()), action: "authenticate", data: signed })
    expect(await emailOf(browser)).toBe(ada)
  })

  test("rejects the origin of the request if another one is configured", async () => {
    const its = await site({ provider: { relayingParty: { origin: "https://other.test" } } })
    await signUp(its)
    expect(errorAt(its.browser)).toBe("/auth/error WebAuthnVerificationError")
  })

  test("can be computed from the default of the provider", async () => {
    const its = await site({
      provider: {
        relayingParty: { id: ["app.test", "other.test"], origin },
        getRelayingParty: (options, request) => {
          const found = Passkey().getRelayingParty?.(options, request)
          return { id: found?.id ?? "", name: `${found?.name} 2`, origin: found?.origin ?? "" }
        },
      },
    })
    expect(await issue(its.browser, { action: "register", email: ada })).toMatchObject({
      options: { rp: { id: "app.test", name: "app.test 2" } },
    })
    await signUp(its)
    expect(await emailOf(its.browser)).toBe(ada)
  })

  test("can be computed from the request", async () => {
    const seen: unknown[] = []
    const its = await site({
      provider: {
        getRelayingParty: (options, request) => {
          seen.push([options.provider.id, options.url.href, request.method, request.url.pathname])
          return { id: "app.test", name: "Computed", origin: "https://app.test" }
        },
      },
    })
    expect(await issue(its.browser, { action: "register", email: ada })).toMatchObject({
      options: { rp: { id: "app.test", name: "Computed" } },
    })
    await signUp(its)
    expect(await emailOf(its.browser)).toBe(ada)
    const url = expect.stringMatching(/^https:\/\/app\.test\/auth\//)
    expect(seen[0]).toEqual(["passkey", url, "GET", "/auth/webauthn-options/passkey"])
    expect(seen.at(-1)).toEqual(["passkey", url, "POST", "/auth/callback/passkey"])
  })
})

describe("getUserInfo", () => {
  test("chooses the user of a registration from the form fields", async () => {
    const its = await site({
      provider: {
        formFields: { login: { label: "Login", autocomplete: "username webauthn" } },
        getUserInfo: async (_, { query }) => {
          const login = String(query?.["login"] ?? "")
          return login === "" ? null : { exists: false, user: { email: `${login}@app.test`, name: login } }
        },
      },
    })
    expect(await ask(its.browser, { action: "register", email: ada })).toMatchObject({ status: 400 })
    await its.browser.registerPasskey(its.authenticator, { fields: { login: "ada" } })
    expect(await its.browser.session()).toMatchObject({ user: { email: "ada@app.test", name: "ada" } })
    expect(its.store.rows().users).toMatchObject([{ email: "ada@app.test", name: "ada", emailVerified: null }])
  })

  test("can call the default function of the provider", async () => {
    const its = await site({
      provider: {
        getUserInfo: async (...params) =>
          (await Passkey().getUserInfo?.(...params)) ?? { exists: false, user: { email: "guest@app.test" } },
      },
    })
    expect(await issue(its.browser, { action: "register", email: ada })).toMatchObject({
      options: { user: { name: ada } },
    })
    await its.browser.registerPasskey(its.authenticator)
    expect(await emailOf(its.browser)).toBe("guest@app.test")
  })

  test("chooses the user whose passkeys the options list", async () => {
    const first = await site({ kind: "webauthn" })
    await signUp(first)
    const [user] = first.store.rows().users
    const its = await site({
      kind: "webauthn",
      store: first.store,
      provider: { getUserInfo: async () => ({ exists: true, user: { ...user } }) },
    })
    expect(await issue(its.browser, { action: "authenticate" }, "webauthn")).toMatchObject({
      options: { allowCredentials: [{ id: first.authenticator.credentials[0]?.id }] },
    })
  })

  test("receives the adapter, the provider and the request", async () => {
    const seen: unknown[] = []
    const its = await site({
      provider: {
        getUserInfo: async (options, request) => {
          const user = await options.adapter?.getUserByEmail?.(grace)
          seen.push(user, options.provider.id, options.url.href, request.method, request.query)
          return null
        },
      },
    })
    await ask(its.browser, { action: "register", extra: "1" })
    expect(seen).toEqual([
      null,
      "passkey",
      expect.stringMatching(/^https:\/\/app\.test\/auth\//),
      "GET",
      expect.objectContaining({ action: "register", extra: "1" }),
    ])
  })

  test("that returns a user without an email can't register", async () => {
    for (const user of [{}, { email: null }, { name: "Ada" }]) {
      const { browser } = await site({ provider: { getUserInfo: async () => ({ exists: false, user }) } })
      expect(await ask(browser, { action: "register" })).toEqual({
        status: 400,
        body: { error: "Invalid request" },
      })
    }
  })

  test("that throws leads to an error without a session", async () => {
    const { browser, log } = await site({
      provider: {
        getUserInfo: () => {
          throw new Error("The directory is down")
        },
      },
    })
    const response = await browser.fetch("/auth/webauthn-options/passkey?action=register&email=a@b.test")
    expect([200, 500]).toContain(response.status)
    expect(log.entries.some(({ level, text }) => level === "error" && text.includes("The directory is down"))).toBe(
      true,
    )
    expect(hasSession(browser)).toBe(false)
  })
})

describe("`simpleWebAuthn`", () => {
  test("replaces the library", async () => {
    const called: string[] = []
    const recorded = new Proxy(simpleWebAuthn, {
      get(library, name) {
        const run: unknown = Reflect.get(library, name)
        if (typeof run !== "function") return run
        return (options: unknown) => {
          called.push(String(name))
          return Reflect.apply(run, undefined, [options])
        }
      },
    })
    const its = await site({ provider: { simpleWebAuthn: recorded } })
    await signUp(its)
    await its.browser.signOut()
    await its.browser.signInWithPasskey(its.authenticator)
    expect(await emailOf(its.browser)).toBe(ada)
    expect(called).toEqual([
      "generateRegistrationOptions",
      "verifyRegistrationResponse",
      "generateAuthenticationOptions",
      "verifyAuthenticationResponse",
    ])
  })
})

describe("`security.passkeySignUp`", () => {
  const off = { security: { passkeySignUp: false } } as const

  test("off prevents that a visitor registers a passkey", async () => {
    const { browser } = await site({ config: off })
    expect(await ask(browser, { action: "register", email: ada })).toEqual({
      status: 400,
      body: { error: "Invalid request" },
    })
    expect(await ask(browser, { email: ada })).toMatchObject({ status: 200, body: { action: "authenticate" } })
  })

  test("off lets a user who is signed in add a passkey and sign in with it", async () => {
    const { store, clock, provider } = await site()
    const idp = createProvider({ clock })
    const its = await site({ store, clock, config: { ...off, providers: [provider, idp.provider()] } })
    await its.browser.signInWith(idp, { as: "ada" })
    await its.browser.registerPasskey(its.authenticator)
    expect(onlyPasskey(its.store).userId).toBe(its.store.rows().users[0]?.id)
    const other = its.browser.fresh()
    await other.signInWithPasskey(its.authenticator)
    expect(await emailOf(other)).toBe(ada)
  })

  test("is off under strict security", async () => {
    const { browser } = await site({ config: { security: "strict" } })
    expect((await ask(browser, { action: "register", email: ada })).status).toBe(400)
    const on = await site({ config: { security: { mode: "strict", passkeySignUp: true } } })
    expect((await ask(on.browser, { action: "register", email: ada })).status).toBe(200)
  })
})
