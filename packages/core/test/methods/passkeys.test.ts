import { memoryAdapter } from "@latchkey/adapter-kit"
import { check } from "@latchkey/core"
import Passkey from "@latchkey/core/providers/passkey"
import WebAuthn, { DEFAULT_WEBAUTHN_TIMEOUT } from "@latchkey/core/providers/webauthn"
import type { AuthConfig } from "@latchkey/core/types"
import { describe, expect, test } from "vitest"
import { app, location, op, origin, secret } from "../http/app.js"

const passkey = Passkey({
  formFields: { email: { label: "Username", required: true, autocomplete: "username webauthn" } },
})

function withPasskeys(): Partial<AuthConfig> {
  return {
    adapter: memoryAdapter(),
    providers: [passkey, op.provider()],
    experimental: { enableWebAuthn: true },
  }
}

const message = `Passkeys aren't available yet, so the provider "passkey" can't sign users in. Remove it from \`providers\``

describe("a passkey provider", () => {
  test.each([
    ["passkey", Passkey, { residentKey: "required", userVerification: "required" }],
    ["webauthn", WebAuthn, undefined],
  ] as const)("%s has the defaults of Auth.js 5", (id, factory, authenticatorSelection) => {
    expect(factory()).toMatchObject({
      id,
      type: "webauthn",
      enableConditionalUI: true,
      simpleWebAuthnBrowserVersion: "v9.0.1",
      formFields: { email: { label: "Email", required: true, autocomplete: "username webauthn" } },
      authenticationOptions: { timeout: DEFAULT_WEBAUTHN_TIMEOUT },
    })
    expect(factory()["registrationOptions"]).toEqual({
      timeout: 300_000,
      ...(authenticatorSelection && { authenticatorSelection }),
    })
  })

  test("leaves the other providers working, and a warning says that it doesn't work yet", async () => {
    const { get, post, log } = app(withPasskeys())
    const page = await (await get("/auth/signin")).text()
    expect(page).toContain("/auth/signin/")
    expect(page).not.toContain("passkey")
    expect(location(await post(`/auth/signin/${op.provider().id}`))).toContain("https://")
    expect(log.entries.filter(({ level }) => level !== "debug").map(({ detail }) => detail)).toContain(message)
  })

  test("is in the response of the endpoint providers", async () => {
    const { get } = app(withPasskeys())
    expect(await (await get("/auth/providers")).json()).toMatchObject({ passkey: { type: "webauthn" } })
  })

  test("fails with a message in the log when a browser asks for its options or signs in", async () => {
    const { get, post, log } = app(withPasskeys())
    const answers = [await get("/auth/webauthn-options/passkey"), await post("/auth/callback/passkey")]
    for (const answer of answers) expect(location(answer)).toBe(`${origin}/auth/error?error=Configuration`)
    const errors = log.entries.filter(({ level }) => level === "error")
    expect(errors.map((entry) => entry.message)).toEqual([message, message])
  })

  test("is the only one that has options", async () => {
    const { get } = app(withPasskeys())
    expect((await get(`/auth/webauthn-options/${op.provider().id}`)).status).toBe(404)
    expect((await get("/auth/webauthn-options/unknown")).status).toBe(404)
    expect((await get("/auth/webauthn-options")).status).toBe(404)
  })

  test("is a problem of the configuration under `strict`", () => {
    const { errors } = check({ secret, providers: [], ...withPasskeys(), security: "strict", url: origin })
    expect(errors).toContainEqual(
      expect.objectContaining({
        path: "providers[0]",
        problem: "Passkeys aren't available yet, so this provider can't sign users in",
        fix: "Remove it from `providers`",
      }),
    )
  })

  test("of a package that brings its own method is none", () => {
    const method = async () => ({ start: async () => ({}) as never, finish: async () => ({}) as never })
    const { errors, warnings } = check({
      secret,
      ...withPasskeys(),
      providers: [{ ...passkey, method }],
      security: "strict",
      url: origin,
    })
    expect(errors).toEqual([])
    expect(warnings).toContainEqual({
      code: "experimental-webauthn",
      detail: "Passkeys are experimental. Their options may change",
    })
  })
})
