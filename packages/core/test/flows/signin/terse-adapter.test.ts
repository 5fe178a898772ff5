import { memoryAdapter } from "@latchkey/adapter-kit"
import type { Adapter } from "@latchkey/core/adapters"
import { visit } from "@latchkey/testing"
import { expect, test } from "vitest"
import { emailOf, hasSession, mailbox } from "./setup.js"

/** An adapter whose used invitations come back with this token. */
async function asked(changes: { readonly token: unknown }) {
  const store = memoryAdapter()
  const mail = mailbox()
  const adapter: Adapter = {
    ...store,
    useVerificationToken: async (params) => {
      const used = await store.useVerificationToken(params)
      return used && Object.assign({}, used, changes)
    },
  }
  const browser = await visit({ providers: [mail.provider], adapter })
  await browser.signIn("email", { email: "ada@example.test" })
  await browser.get(mail.link())
  return browser
}

test("an adapter that does not return the token it was asked for can be signed in with", async () => {
  expect(await emailOf(await asked({ token: undefined }))).toBe("ada@example.test")
})

test("an adapter that returns another token than the one it was asked for signs nobody in", async () => {
  expect(hasSession(await asked({ token: "f".repeat(64) }))).toBe(false)
})
