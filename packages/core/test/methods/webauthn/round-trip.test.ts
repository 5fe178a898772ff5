import { memoryAdapter } from "@latchkey/adapter-kit"
import Passkey from "@latchkey/core/providers/passkey"
import WebAuthn from "@latchkey/core/providers/webauthn"
import { createAuthenticator, visit } from "@latchkey/testing"
import { describe, expect, test } from "vitest"
import { secret } from "../../http/app.js"

describe.each(["jwt", "database"] as const)("with %s sessions", (strategy) => {
  test.each([
    ["passkey", Passkey],
    ["webauthn", WebAuthn],
  ])("a visitor signs up with the provider %s, signs out and signs in again", async (id, factory) => {
    const authenticator = createAuthenticator()
    const browser = await visit({
      secret,
      trustHost: true,
      adapter: memoryAdapter(),
      providers: [factory()],
      experimental: { enableWebAuthn: true },
      session: { strategy },
    })
    const ceremony = { provider: id, fields: { email: "ada@example.test" } }
    await browser.registerPasskey(authenticator, ceremony)
    expect(await browser.session()).toMatchObject({ user: { email: "ada@example.test" } })
    await browser.signOut()
    expect(await browser.session()).toBeNull()
    await browser.signInWithPasskey(authenticator, ceremony)
    expect(await browser.session()).toMatchObject({ user: { email: "ada@example.test" } })
  })
})
