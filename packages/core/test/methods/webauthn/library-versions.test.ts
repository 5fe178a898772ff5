import { memoryAdapter } from "@latchkey/adapter-kit"
import Passkey from "@latchkey/core/providers/passkey"
import WebAuthn from "@latchkey/core/providers/webauthn"
import type { AuthConfig } from "@latchkey/core/types"
import {
  type Authenticator,
  authenticatorFaults,
  type AuthenticatorOptions,
  captureLog,
  createAuthenticator,
  visit,
} from "@latchkey/testing"
import * as version14 from "@simplewebauthn/server"
import * as version10 from "@simplewebauthn/server-10"
import * as version11 from "@simplewebauthn/server-11"
import * as version12 from "@simplewebauthn/server-12"
import * as version13 from "@simplewebauthn/server-13"
import * as version9 from "@simplewebauthn/server-9"
import { describe, expect, test } from "vitest"
import { secret } from "../../http/app.js"

const versions = [
  ["9.0.3", version9],
  ["10.0.1", version10],
  ["11.0.0", version11],
  ["12.0.0", version12],
  ["13.3.1", version13],
  ["14.0.3", version14],
] as const
const older = versions.slice(0, -1)

/** The functions of a module without the module, as an application may pass them. */
function functionsOf(module: (typeof versions)[number][1]) {
  const { generateAuthenticationOptions, generateRegistrationOptions } = module
  const { verifyAuthenticationResponse, verifyRegistrationResponse } = module
  return {
    generateAuthenticationOptions,
    generateRegistrationOptions,
    verifyAuthenticationResponse,
    verifyRegistrationResponse,
  }
}

/** Version 9 rejects one of 128 ES256 signatures: those of which a part begins with a zero byte. */
function authenticatorWith(options: AuthenticatorOptions = {}): Authenticator {
  return createAuthenticator({ algorithm: "EdDSA", ...options })
}

const email = "ada@example.test"
const strict = { security: "strict", trustHost: ["app.test"] } as const

async function application(
  simpleWebAuthn: ReturnType<typeof functionsOf>,
  more: Partial<AuthConfig> = {},
  registrationOptions?: { readonly attestationType: "direct" },
) {
  const adapter = memoryAdapter()
  const log = captureLog()
  const options = { simpleWebAuthn, ...(registrationOptions && { registrationOptions }) }
  const browser = await visit({
    secret,
    trustHost: true,
    adapter,
    logger: log.logger,
    providers: [Passkey(options), WebAuthn({ id: "key", enableConditionalUI: false, ...options })],
    experimental: { enableWebAuthn: true },
    ...more,
  })
  const warnings = () => log.entries.filter(({ message }) => message === "passkey-library-old")
  const errors = () => log.entries.filter(({ level }) => level === "error").map(({ message }) => message)
  return { adapter, browser, warnings, errors }
}

describe.each(versions)("with version %s of @simplewebauthn/server", (_version, module) => {
  test.each([
    ["passkey", {}],
    ["key", { residentKeys: false }],
    ["passkey", { algorithm: "RS256", counter: false, backup: "done" }],
  ] as const satisfies readonly (readonly [string, AuthenticatorOptions])[])(
    "%s registers, adds and signs in with an authenticator %j",
    async (provider, options) => {
      const { adapter, browser } = await application(module)
      const [first, second] = [authenticatorWith(options), authenticatorWith(options)]
      const ceremony = { provider, fields: { email } }
      await browser.registerPasskey(first, ceremony)
      await browser.registerPasskey(second, ceremony)
      await expect(browser.registerPasskey(second, ceremony)).rejects.toMatchObject({ name: "InvalidStateError" })
      for (const authenticator of [first, second]) {
        const elsewhere = browser.fresh()
        await elsewhere.signInWithPasskey(authenticator, ceremony)
        expect(await elsewhere.session()).toMatchObject({ user: { email } })
      }
      const { authenticators } = adapter.rows()
      expect(authenticators.map(({ counter }) => counter)).toEqual(
        [first, second].flatMap(({ credentials }) => credentials.map(({ counter }) => counter)),
      )
    },
  )

  test("the options for browsers are the same as with version 14", async () => {
    const shapes: unknown[] = []
    for (const library of [module, version14]) {
      const { browser } = await application(library)
      await browser.registerPasskey(authenticatorWith(), { fields: { email } })
      const added = await optionsFor(browser, "passkey", "register")
      const listed = await optionsFor(browser.fresh(), "key", "authenticate")
      shapes.push([added, listed].map(shapeOf))
    }
    expect(shapes[0]).toEqual(shapes[1])
  })

  test.each(["badSignature", "wrongOrigin", "wrongRpIdHash", "noUserVerification", "lowerCounter"] as const)(
    "a sign-in with the fault %s is refused",
    async (fault) => {
      const { browser } = await application(module)
      const authenticator = authenticatorWith()
      await browser.registerPasskey(authenticator, { fields: { email } })
      await signInTwice(browser.fresh(), authenticator)
      authenticator.inject(authenticatorFaults[fault])
      const elsewhere = browser.fresh()
      await elsewhere.signInWithPasskey(authenticator)
      expect(elsewhere.location).toContain("error=WebAuthnVerificationError")
      expect(await elsewhere.session()).toBeNull()
    },
  )
})

type Visited = Awaited<ReturnType<typeof application>>["browser"]

async function signInTwice(browser: Visited, authenticator: Authenticator): Promise<void> {
  for (let use = 0; use < 2; use++) await browser.signInWithPasskey(authenticator)
}

async function optionsFor(
  browser: Visited,
  provider: string,
  action: string,
): Promise<Readonly<Record<string, unknown>>> {
  const response = await browser.fetch(`/auth/webauthn-options/${provider}?action=${action}&email=${email}`)
  return Object(await response.json()).options
}

/** The options with types in place of random values, without what depends on the version. */
function shapeOf(options: Readonly<Record<string, unknown>>): unknown {
  const text = JSON.stringify(options, (name, value: unknown) => {
    if (name === "pubKeyCredParams" || name === "hints") return undefined
    return typeof value === "string" && /^[\w-]{20,}$/.test(value) ? "<base64url>" : value
  })
  return JSON.parse(text)
}

describe.each(older)("version %s of @simplewebauthn/server", (_version, module) => {
  test("is used with one warning", async () => {
    const { browser, warnings } = await application(module)
    const authenticator = authenticatorWith()
    await browser.registerPasskey(authenticator, { fields: { email } })
    await signInTwice(browser, authenticator)
    expect(warnings().map(({ detail }) => detail)).toEqual([
      "The installed @simplewebauthn/server is older than version 14. Run `npm install @simplewebauthn/server@14`. Until then, attestation isn't trusted",
    ])
  })

  test.each([
    ["the module", module, "The installed @simplewebauthn/server is older than version 14"],
    ["its functions", functionsOf(module), "aren't those of version 14. Pass the whole module"],
  ])("is refused under strict as %s, with an error that says what to do", async (_form, given, message) => {
    const { browser, errors } = await application(given, strict)
    const response = await browser.fetch("/auth/webauthn-options/passkey?action=authenticate")
    expect(response.ok).toBe(false)
    expect(errors().join()).toContain(message)
  })

  test.each(["self", "certificate"] as const)(
    "doesn't register an authenticator with the attestation %s if the configuration asks for attestation",
    async (attestation) => {
      const { adapter, browser } = await application(module, {}, { attestationType: "direct" })
      await browser.registerPasskey(authenticatorWith({ attestation }), { fields: { email } })
      expect(browser.location).toContain("error=WebAuthnVerificationError")
      expect(adapter.rows()).toMatchObject({ users: [], authenticators: [] })
      await browser.registerPasskey(authenticatorWith(), { fields: { email } })
      expect(await browser.session()).toMatchObject({ user: { email } })
    },
  )

  test("registers an authenticator with attestation if the configuration doesn't ask for it", async () => {
    const { browser } = await application(module)
    await browser.registerPasskey(authenticatorWith({ attestation: "self" }), { fields: { email } })
    expect(await browser.session()).toMatchObject({ user: { email } })
  })
})

test.each(versions.slice(1))("with version %s, an authenticator with ES256 signs in", async (_version, module) => {
  const { browser } = await application(module)
  const authenticator = authenticatorWith({ algorithm: "ES256" })
  await browser.registerPasskey(authenticator, { fields: { email } })
  await browser.fresh().signInWithPasskey(authenticator)
  expect(await browser.session()).toMatchObject({ user: { email } })
})

test("version 14 is used without a warning, and under strict", async () => {
  const { browser, warnings, errors } = await application(version14, strict)
  expect((await browser.fetch("/auth/webauthn-options/passkey?action=authenticate")).ok).toBe(true)
  expect([warnings(), errors()]).toEqual([[], []])
})
