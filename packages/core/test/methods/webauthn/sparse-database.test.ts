import { memoryAdapter } from "@latchkey/adapter-kit"
import type { Adapter } from "@latchkey/core/adapters"
import Passkey from "@latchkey/core/providers/passkey"
import { createAuthenticator, visit } from "@latchkey/testing"
import { expect, test } from "vitest"
import { secret } from "../../http/app.js"

/** A transaction would bring the original methods. */
function withoutTransaction(): Adapter {
  const { transaction: _, ...methods } = memoryAdapter()
  return methods
}

const refuse = (): never => {
  throw new Error("no such table or column")
}

test("a database without a table of verification tokens stores passkeys", async () => {
  await signUpAndIn({ ...withoutTransaction(), createVerificationToken: refuse, useVerificationToken: refuse })
})

test("an adapter without the methods for verification tokens stores passkeys", async () => {
  const { createVerificationToken: _, useVerificationToken: __, ...methods } = withoutTransaction()
  await signUpAndIn(methods)
})

test("a database without the column `session_state` of accounts stores passkeys", async () => {
  const memory = withoutTransaction()
  const linkAccount: Adapter["linkAccount"] = (account) =>
    "session_state" in account ? refuse() : memory.linkAccount?.(account)
  await signUpAndIn({ ...memory, linkAccount })
})

async function signUpAndIn(adapter: Adapter): Promise<void> {
  const authenticator = createAuthenticator()
  const browser = await visit({
    secret,
    trustHost: true,
    adapter,
    providers: [Passkey()],
    experimental: { enableWebAuthn: true },
  })
  await browser.registerPasskey(authenticator, { fields: { email: "ada@example.test" } })
  await browser.signOut()
  await browser.signInWithPasskey(authenticator)
  expect(await browser.session()).toMatchObject({ user: { email: "ada@example.test" } })
}
