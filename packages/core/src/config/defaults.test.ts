import { describe, expect, test } from "vitest"
import type { AuthConfig } from "../model/config.js"
import type { CookieKey } from "../model/cookie.js"
import type { RawProfile } from "../model/provider.js"
import type { User } from "../model/user.js"
import {
  basePathOf,
  cookieKeys,
  cookieTable,
  defaultAccount,
  defaultProfile,
  formerSessionCookies,
  lifetimeOf,
} from "./defaults.js"
import { securityOf } from "./presets.js"

const config = (given: Partial<AuthConfig> = {}): AuthConfig => ({ providers: [], ...given })

const names: readonly (readonly [CookieKey, http: string, https: string, strict: string])[] = [
  ["sessionToken", "authjs.session-token", "__Secure-authjs.session-token", "__Host-authjs.session-token"],
  ["callbackUrl", "authjs.callback-url", "__Secure-authjs.callback-url", "__Host-authjs.callback-url"],
  ["csrfToken", "authjs.csrf-token", "__Host-authjs.csrf-token", "__Host-authjs.csrf-token"],
  [
    "pkceCodeVerifier",
    "authjs.pkce.code_verifier",
    "__Secure-authjs.pkce.code_verifier",
    "__Host-authjs.pkce.code_verifier",
  ],
  ["state", "authjs.state", "__Secure-authjs.state", "__Host-authjs.state"],
  ["nonce", "authjs.nonce", "__Secure-authjs.nonce", "__Host-authjs.nonce"],
  ["webauthnChallenge", "authjs.challenge", "__Secure-authjs.challenge", "__Host-authjs.challenge"],
  ["device", "authjs.device", "__Host-authjs.device", "__Host-authjs.device"],
  ["attempt", "authjs.attempt", "__Host-authjs.attempt", "__Host-authjs.attempt"],
  ["lastUsed", "authjs.last-used", "__Host-authjs.last-used", "__Host-authjs.last-used"],
  ["signInTime", "authjs.sign-in-time", "__Host-authjs.sign-in-time", "__Host-authjs.sign-in-time"],
  ["pendingSignIn", "authjs.pending-sign-in", "__Host-authjs.pending-sign-in", "__Host-authjs.pending-sign-in"],
]

describe("the cookie table", () => {
  test.each(names)("contains the names of %s", (key, http, https, strict) => {
    expect(cookieTable(config(), false)[key].name).toBe(http)
    expect(cookieTable(config(), true)[key].name).toBe(https)
    expect(cookieTable(config({ security: "strict" }), true)[key].name).toBe(strict)
    expect(cookieTable(config({ security: "strict" }), false)[key].name).toBe(http)
  })

  test("contains every cookie", () => {
    expect(cookieKeys).toEqual(names.map(([key]) => key))
  })

  test.each([true, false])("hides every cookie from scripts and other sites (secure: %j)", (secure) => {
    for (const { options } of Object.values(cookieTable(config(), secure))) {
      expect(options).toMatchObject({ httpOnly: true, sameSite: "lax", path: "/", secure })
      expect(options).not.toHaveProperty("domain")
    }
  })

  test("gives the cookies of a flow a lifetime of 15 minutes", () => {
    const table = cookieTable(config(), true)
    const withLifetime = cookieKeys.filter((key) => table[key].options.maxAge === 900)
    expect(withLifetime).toEqual(["pkceCodeVerifier", "state", "nonce", "webauthnChallenge"])
  })

  test("applies a configured name and single attributes, and keeps all other defaults", () => {
    const given = Object.freeze({ sessionToken: { name: "sid", options: { domain: "a.test", path: undefined } } })
    const table = cookieTable(config({ cookies: given }), true)
    expect(table.sessionToken).toEqual({
      name: "sid",
      options: { httpOnly: true, sameSite: "lax", path: "/", secure: true, domain: "a.test" },
    })
    expect(table.csrfToken).toEqual(cookieTable(config(), true).csrfToken)
  })

  test("keeps the name that the session cookie had before `__Host-`", () => {
    expect(formerSessionCookies(config({ security: "strict" }), true).map(({ name }) => name)).toEqual([
      "__Secure-authjs.session-token",
    ])
    expect(formerSessionCookies(config(), true)).toEqual([])
    expect(formerSessionCookies(config({ security: "strict" }), false)).toEqual([])
  })
})

describe("security", () => {
  test("is compatible by default", () => {
    expect(securityOf(config())).toMatchObject({
      linking: "same-session",
      providerTokens: "plain",
      emailLinkMaxAge: 86_400,
      refuseWeakSecret: false,
    })
  })

  test('is hardened with "strict"', () => {
    expect(securityOf(config({ security: "strict" }))).toEqual({
      linking: "explicit",
      sessionCookiePrefix: "__Host-",
      revocableSessions: true,
      keyPerPurpose: true,
      hashSessionTokens: true,
      providerTokens: "none",
      newestEmailLinkOnly: true,
      emailLinkMaxAge: 900,
      reclaimMailbox: true,
      passkeySignUp: false,
      listedOriginsOnly: true,
      refuseWeakSecret: true,
      enforceIssuerChecks: true,
      recentSignIn: 600,
    })
  })

  test("applies single options over the mode, which is compatible by default", () => {
    const strict = securityOf(
      config({ security: { mode: "strict", linking: "same-session", emailLinkMaxAge: undefined } }),
    )
    expect(strict).toMatchObject({ linking: "same-session", emailLinkMaxAge: 900, refuseWeakSecret: true })
    expect(strict).not.toHaveProperty("mode")
    expect(securityOf(config({ security: { refuseWeakSecret: true } }))).toMatchObject({
      linking: "same-session",
      refuseWeakSecret: true,
    })
  })
})

describe("lifetimes", () => {
  const rows: readonly (readonly [string, Partial<AuthConfig>, object])[] = [
    [
      "default to 30 days and one day",
      {},
      { maxAge: 2_592_000, updateAge: 86_400, jwtMaxAge: 2_592_000, absoluteMaxAge: undefined },
    ],
    [
      "extend a short session after a tenth of its lifetime",
      { session: { maxAge: 3605 } },
      { maxAge: 3605, updateAge: 360, jwtMaxAge: 3605 },
    ],
    ["accept an updateAge of 0", { session: { updateAge: 0 } }, { updateAge: 0 }],
    ["keep jwt.maxAge", { jwt: { maxAge: 60 } }, { maxAge: 2_592_000, jwtMaxAge: 60 }],
    ["have an absolute end after 30 days when strict", { security: "strict" }, { absoluteMaxAge: 2_592_000 }],
    ["have the configured absolute end", { security: "strict", session: { absoluteMaxAge: 5 } }, { absoluteMaxAge: 5 }],
  ]
  test.each(rows)("%s", (_, given, expected) => {
    expect(lifetimeOf(config(given))).toMatchObject(expected)
  })
})

test.each([
  [{}, "/auth"],
  [{ basePath: "/api/auth/" }, "/api/auth"],
  [{ basePath: "api//auth" }, "/api/auth"],
  [{ basePath: "/" }, ""],
  [{ basePath: "" }, ""],
  [{ url: "https://a.test/x/" }, "/x"],
  [{ url: "https://a.test" }, "/auth"],
  [{ url: "nonsense" }, "/auth"],
  [{ url: "https://a.test/x", basePath: "/y" }, "/y"],
])("%j has the base path %j", (given, expected) => {
  expect(basePathOf(given)).toBe(expected)
})

const profiles: readonly (readonly [string, RawProfile, User])[] = [
  [
    "the standard claims",
    { sub: "1", name: "Jane", email: "j@x.test", picture: "https://x.test/j.png", aud: "c" },
    { id: "1", name: "Jane", email: "j@x.test", image: "https://x.test/j.png" },
  ],
  ["a numeric id", { id: 42, nickname: "j" }, { id: "42", name: "j" }],
  [
    "a null name",
    { sub: "1", name: null, preferred_username: "jane", email: null },
    { id: "1", name: "jane", email: null },
  ],
  ["a profile without an id", { name: "Jane" }, { name: "Jane" }],
  ["values of unexpected types", { sub: { a: 1 }, email: ["x"] }, {}],
]
test.each(profiles)("the default profile maps %s", (_, raw, expected) => {
  expect(defaultProfile(raw)).toEqual(expected)
  expect(Object.values(defaultProfile(raw))).not.toContain(undefined)
})

test("the default account keeps the standard token fields that are present", () => {
  const account = defaultAccount({
    access_token: "a",
    scope: "s",
    expires_at: 1,
    session_state: "x",
    user: "no",
    token_type: "bearer",
  })
  expect(account).toEqual({ access_token: "a", scope: "s", expires_at: 1, session_state: "x", token_type: "bearer" })
  expect(Object.keys(account ?? {})).not.toContain("id_token")
})
