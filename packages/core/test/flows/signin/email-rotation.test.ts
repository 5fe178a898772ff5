import { memoryAdapter } from "@latchkey/adapter-kit"
import type { AuthConfig } from "@latchkey/core/types"
import { type Browser, visit } from "@latchkey/testing"
import { createHash } from "node:crypto"
import { expect, test } from "vitest"
import { errorAt, hasSession, mailbox } from "./setup.js"

const older = "older-secret-0123456789abcdefghijklmn"
const newer = "newer-secret-0123456789abcdefghijklmn"

type Secret = NonNullable<AuthConfig["secret"]>

/** Requests a link under one secret and opens it in another browser under another. */
async function rotated(before: Secret, after: Secret, own: { before?: string; after?: string } = {}): Promise<Browser> {
  const store = memoryAdapter()
  const mail = mailbox(own.before === undefined ? {} : { secret: own.before })
  const asking = await visit({ providers: [mail.provider], adapter: store, secret: before })
  await asking.signIn("email", { email: "ada@example.test" })
  const later = mailbox(own.after === undefined ? {} : { secret: own.after })
  const opening = await visit({ providers: [later.provider], adapter: store, secret: after })
  await opening.get(mail.link())
  if (opening.forms.length > 0) await opening.submitForm(0)
  return opening
}

test.each<[string, Secret, Secret]>([
  ["the same secret", older, older],
  ["a new secret in front of the old one", older, [newer, older]],
  ["two secrets in another order", [older, newer], [newer, older]],
  ["a list of the one secret", older, [older]],
])("a link survives %s", async (_title, before, after) => {
  expect(hasSession(await rotated(before, after))).toBe(true)
})

test("a link is invalid once its secret is removed", async () => {
  const browser = await rotated(older, newer)
  expect(errorAt(browser)).toBe("/auth/error Verification")
  expect(hasSession(browser)).toBe(false)
})

test("the provider's own secret replaces that of the configuration", async () => {
  expect(hasSession(await rotated(older, newer, { before: "mine-alone", after: "mine-alone" }))).toBe(true)
  expect(hasSession(await rotated(older, older, { before: "mine-alone", after: "another" }))).toBe(false)
})

test("a link that was hashed with the joined secrets, as Auth.js does, works", async () => {
  const store = memoryAdapter()
  const mail = mailbox()
  const browser = await visit({ providers: [mail.provider], adapter: store, secret: [newer, older] })
  const token = createHash("sha256").update(`the-token${newer},${older}`).digest("hex")
  const expires = new Date(Date.now() + 60_000)
  await store.createVerificationToken({ identifier: "ada@example.test", token, expires })
  await browser.get("/auth/callback/email?token=the-token&email=ada%40example.test")
  await browser.submitForm(0)
  expect(hasSession(browser)).toBe(true)
})
