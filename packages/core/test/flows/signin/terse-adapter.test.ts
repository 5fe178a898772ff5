import { memoryAdapter } from "@latchkey/adapter-kit"
import type { Adapter } from "@latchkey/core/adapters"
import { visit } from "@latchkey/testing"
import { expect, test } from "vitest"
import { emailOf, hasSession, mailbox } from "./setup.js"

/** An adapter that returns used verification tokens with this `token`. */
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

test("an adapter that doesn't return the token of a record works", async () => {
  expect(await emailOf(await asked({ token: undefined }))).toBe("ada@example.test")
})

test("an adapter that returns a record with another token starts no session", async () => {
  expect(hasSession(await asked({ token: "f".repeat(64) }))).toBe(false)
})
