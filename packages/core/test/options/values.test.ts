import { Auth, check, skipCSRFCheck } from "@latchkey/core"
import { createSessionReader } from "@latchkey/core/session-reader"
import credentials from "@latchkey/core/providers/credentials"
import github from "@latchkey/core/providers/github"
import { memoryAdapter } from "@latchkey/adapter-kit/memory"
import { captureLog } from "@latchkey/testing"
import { describe, expect, test } from "vitest"
import { secret, typed } from "../http/app.js"
import { strongSecret } from "../modes/setup.js"

const origin = "https://app.test"

/** Takes any object, because JavaScript applications can pass what the types forbid. */
function configOf(given: object): Parameters<typeof Auth>[1] {
  return { secret, trustHost: true, providers: [typed], ...given }
}

function pathsOf(given: object) {
  const { errors, warnings } = check(configOf(given) as never)
  return { errors: errors.map(({ path }) => path), warnings: warnings.map(({ detail }) => detail.split(":", 1)[0]) }
}

/** Options of this library, of a type that the compiler refuses. */
const own: readonly (readonly [path: string, given: object])[] = [
  ["session.maxAge", { session: { maxAge: "3600" } }],
  ["session.maxAge", { session: { maxAge: "1h" } }],
  ["session.absoluteMaxAge", { session: { absoluteMaxAge: "3600" } }],
  ["jwt.maxAge", { jwt: { maxAge: "3600" } }],
  ["jwt.encryption", { jwt: { encryption: "A128GCM" } }],
  ["security.linking", { security: { linking: "explict" } }],
  ["security.sessionCookiePrefix", { security: { sessionCookiePrefix: "__host-" } }],
  ["security.providerTokens", { security: { providerTokens: "hidden" } }],
  ["security.hashSessionTokens", { security: { hashSessionTokens: "false" } }],
  ["security.passkeySignUp", { security: { passkeySignUp: null } }],
  ["security.recentSignIn", { security: { recentSignIn: "600" } }],
  ["rateLimit.failOpen", { rateLimit: { failOpen: "no" } }],
  ["basePath", { basePath: 5 }],
  ["redirectProxyOrigins", { redirectProxyOrigins: "https://app.test" }],
  ["deploymentOrigins", { deploymentOrigins: "https://app.test" }],
  ["modules", { modules: {} }],
  ["nonce", { nonce: "x" }],
  ["tokens", { tokens: true }],
  ["captcha.verify", { captcha: null }],
  ["captcha.field", { captcha: { verify: () => true, field: "two words" } }],
  ["captcha.whenUnavailable", { captcha: { verify: () => true, field: "f", whenUnavailable: true } }],
  ["captcha.widget.siteKey", { captcha: { verify: () => true, field: "f", widget: null } }],
  [
    "captcha.widget.script",
    { captcha: { verify: () => true, field: "f", widget: { script: "x", siteKey: "k", hosts: [] } } },
  ],
  ["captcha.widget.hosts", { captcha: { verify: () => true, field: "f", widget: { siteKey: "k", hosts: ["a; b"] } } }],
  ["waitUntil", { waitUntil: true }],
]

describe.each(["compatible", "strict"] as const)("[%s] a value of a wrong type", (mode) => {
  test.each(own)("in `%s` is an error at the first request: %j", async (path, given) => {
    const { logger, entries } = captureLog()
    const security = "security" in given ? { ...(given.security as object), mode } : mode
    const config = configOf({ secret: strongSecret, url: origin, logger, ...given, security })
    expect((await Auth(new Request(`${origin}/auth/session`), config)).status).toBe(500)
    const errors = entries.filter(({ level }) => level === "error")
    expect(errors).toHaveLength(1)
    expect(errors[0]?.message).toContain(`${path}: The `)
  })
})

test("a lifetime that is text says so", () => {
  const { errors } = check(configOf({ session: { maxAge: "3600" } }) as never)
  expect(errors[0]?.problem).toBe("The lifetime is text, not a number")
})

const oauth = (options: object) => ({ providers: [github({ clientId: "x", clientSecret: "y", ...options })] })
const mail = { id: "m", name: "M", type: "email", sendVerificationRequest() {} }

/** What Auth.js v5 works with. */
const tolerated: readonly (readonly [path: string, given: object])[] = [
  ["session.maxAge", { session: { maxAge: "3600" }, adapter: memoryAdapter() }],
  ["useSecureCookies", { useSecureCookies: "true" }],
  ["debug", { debug: "false" }],
  ["experimental.enableWebAuthn", { experimental: { enableWebAuthn: "true" } }],
  ["skipCSRFCheck", { skipCSRFCheck: true }],
  ["raw", { raw: true }],
  ["providers[0].allowDangerousEmailAccountLinking", oauth({ allowDangerousEmailAccountLinking: "true" })],
  ["providers[0].allowEmailAccountLinking", oauth({ allowEmailAccountLinking: true })],
  ["providers[0].allowInsecureRequests", oauth({ allowInsecureRequests: "yes" })],
  ["providers[0].verifyAuthentication", oauth({ verifyAuthentication: "false" })],
  ["providers[0].idToken", oauth({ idToken: "false" })],
  ["providers[0].codeChallengeMethod", oauth({ codeChallengeMethod: "s256" })],
  ["providers[0].code", { providers: [{ ...mail, code: "false" }], adapter: memoryAdapter() }],
]

test.each(tolerated)(
  "in `%s`, a value that Auth.js v5 works with is a warning, and an error under strict",
  (path, given) => {
    const compatible = pathsOf(given)
    expect(compatible.errors).toEqual([])
    expect(compatible.warnings.filter((each) => each === path)).toHaveLength(1)
    expect(pathsOf({ secret: strongSecret, url: origin, ...given, security: "strict" }).errors).toContain(path)
  },
)

test("useSecureCookies as text gives cookies that browsers keep", async () => {
  const config = configOf({ useSecureCookies: "true" })
  const response = await Auth(new Request(`${origin}/auth/csrf`), config)
  expect(response.headers.getSetCookie()[0]).toMatch(/^__Host-authjs.csrf-token=.*; Secure/)
  const reader = createSessionReader(configOf({ session: { maxAge: "3600" } }) as never)
  expect(await reader.session({ headers: new Headers(), origin })).toMatchObject({ session: null, cookies: [] })
})

test.each(["compatible", "strict"] as const)(
  "skipCSRFCheck accepts a form of the own site without a token (%s)",
  async (security) => {
    const ada = credentials({ credentials: { name: {} }, authorize: ({ name }) => ({ id: String(name) }) })
    const config = configOf({ secret: strongSecret, url: origin, skipCSRFCheck, security, providers: [ada] })
    const send = async (headers: Record<string, string>) => {
      const body = new URLSearchParams({ name: "ada" })
      const request = new Request(`${origin}/auth/callback/credentials`, { method: "POST", headers, body })
      return (await Auth(request, config)).headers.get("location")
    }
    expect(await send({ "sec-fetch-site": "same-origin" })).toBe(origin)
    expect(await send({ origin })).toBe(origin)
    expect(await send({ origin: "https://evil.test" })).toContain("MissingCSRF")
    // No browser sends such a form. Under strict, only a token could show that the application made it.
    const silent = await send({})
    if (security === "compatible") expect(silent).toBe(origin)
    else expect(silent).toContain("MissingCSRF")
  },
)
