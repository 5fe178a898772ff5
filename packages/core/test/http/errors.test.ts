import * as errors from "@latchkey/core/errors"
import credentials from "@latchkey/core/providers/credentials"
import { describe, expect, test } from "vitest"
import { app, location, origin } from "./app.js"

const { AuthError, isClientError } = errors

/** Class, page and code in the URL: `errors.classes` in docs/specification/errors.md. */
const catalogue = [
  ["AuthError", "error", "Configuration"],
  ["AccessDenied", "error", "AccessDenied"],
  ["AccountNotLinked", "signIn", "AccountNotLinked"],
  ["AdapterError", "error", "Configuration"],
  ["CallbackRouteError", "error", "Configuration"],
  ["CaptchaRefused", "signIn", "CaptchaRefused"],
  ["CredentialsSignin", "signIn", "CredentialsSignin&code=credentials"],
  ["DuplicateConditionalUI", "error", "Configuration"],
  ["EmailSignInError", "signIn", "EmailSignin"],
  ["ErrorPageLoop", "error", "Configuration"],
  ["EventError", "error", "Configuration"],
  ["ExperimentalFeatureNotEnabled", "error", "Configuration"],
  ["InvalidCallbackUrl", "error", "Configuration"],
  ["InvalidCheck", "error", "Configuration&code=InvalidCheck"],
  ["InvalidEndpoints", "error", "Configuration"],
  ["InvalidProvider", "error", "Configuration"],
  ["InvalidProfile", "error", "InvalidProfile"],
  ["JWTSessionError", "error", "Configuration"],
  ["MissingAdapter", "error", "Configuration"],
  ["MissingAdapterMethods", "error", "Configuration"],
  ["MissingAuthorize", "error", "Configuration"],
  ["MissingCSRF", "signIn", "MissingCSRF"],
  ["MissingSecret", "error", "Configuration"],
  ["MissingWebAuthnAutocomplete", "error", "Configuration"],
  ["OAuthAccountNotLinked", "signIn", "OAuthAccountNotLinked"],
  ["OAuthCallbackError", "signIn", "OAuthCallbackError"],
  ["OAuthProfileParseError", "signIn", "OAuthCallbackError"],
  ["OAuthSignInError", "error", "Configuration"],
  ["LastSignInMethod", "error", "LastSignInMethod"],
  ["NotConfirmed", "error", "NotConfirmed"],
  ["PasskeyInUse", "error", "PasskeyInUse"],
  ["RecentSignInRequired", "signIn", "RecentSignInRequired"],
  ["SessionRequired", "signIn", "SessionRequired"],
  ["SessionTokenError", "error", "Configuration"],
  ["SignOutError", "error", "Configuration&code=SignOutError"],
  ["UnknownAction", "error", "Configuration"],
  ["UnsupportedStrategy", "error", "Configuration"],
  ["UntrustedHost", "error", "Configuration"],
  ["Verification", "error", "Verification"],
  ["WebAuthnVerificationError", "error", "WebAuthnVerificationError"],
] as const

test.each(catalogue)(
  "%s has its name and type, and redirects to the %s page with error=%s",
  async (name, kind, code) => {
    const error = new errors[name]("It broke: mend it")
    expect(error).toBeInstanceOf(AuthError)
    expect(error).toBeInstanceOf(Error)
    expect([error.name, error.type, error.kind, error.message]).toEqual([name, name, kind, "It broke: mend it"])
    expect(isClientError(error)).toBe(!code.startsWith("Configuration"))
    const page = kind === "signIn" ? "signin" : "error"
    const { post } = app({ providers: [credentials({ credentials: {}, authorize: () => Promise.reject(error) })] })
    expect(location(await post("/auth/callback/credentials"))).toBe(`${origin}/auth/${page}?error=${code}`)
  },
)

test("the table has every class", () => {
  const known = new Set<string>([
    ...catalogue.map(([name]) => name),
    "FactorRefused",
    "RevokeError",
    "RateLimited",
    "SignInError",
    "InvalidConfig",
    "MissingSecretError",
    "UnsupportedByAdapter",
  ])
  const classes = Object.entries(errors).filter(
    ([, value]) => value.prototype instanceof AuthError || value === AuthError,
  )
  expect(classes.map(([name]) => name).filter((name) => !known.has(name))).toEqual([])
})

test("SignInError has the type AuthError, and MissingSecretError is an alias of MissingSecret", () => {
  expect(new errors.SignInError()).toMatchObject({ type: "AuthError", kind: "signIn", name: "SignInError" })
  expect(errors.MissingSecretError).toBe(errors.MissingSecret)
})

test("a subclass of CredentialsSignin sends its own code", async () => {
  class Locked extends errors.CredentialsSignin {
    override code = "locked & late"
  }
  const { post } = app({ providers: [credentials({ credentials: {}, authorize: () => Promise.reject(new Locked()) })] })
  const to = location(await post("/auth/callback/credentials"))
  expect(to).toBe(`${origin}/auth/signin?error=CredentialsSignin&code=locked+%26+late`)
})

test.each([new Error("x"), new TypeError("x")])("%s isn't a client error", (error) => {
  expect(isClientError(error)).toBe(false)
})

describe("the cause", () => {
  const origin = new TypeError("inner", { cause: { query: "select" } })
  test.each([
    ["an Error", [origin], { query: "select", err: origin }],
    ["an Error and an object", [origin, { provider: "p" }], { query: "select", provider: "p", err: origin }],
    ["a text and { cause: Error }", ["m", { cause: origin }], { query: "select", err: origin }],
    ["a text and { cause: object }", ["m", { cause: { a: 1 } }], { a: 1 }],
    ["a text and an Error", ["m", origin], { query: "select", err: origin }],
    ["a text and another object", ["m", { provider: "p" }], { provider: "p" }],
    ["an object alone", [{ hasInvite: true, expired: false }], { hasInvite: true, expired: false }],
    ["a cause that is a text", ["m", { cause: "why" }], { cause: "why" }],
  ] as const)("of %s is complete", (_, args, expected) => {
    const [first, second] = args as readonly [string | Error | object, (Error | object)?]
    expect(new AuthError(first, second).cause).toEqual(expected)
  })

  test("without details is undefined", () => {
    expect(new AuthError("m").cause).toBeUndefined()
    expect(new AuthError().message).toBe("")
  })
})
