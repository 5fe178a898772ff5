import { type MemoryAdapter, memoryAdapter } from "@latchkey/adapter-kit/memory"
import type { Adapter } from "@latchkey/core/adapters"
import { createAuthenticator } from "@latchkey/testing"
import fc from "fast-check"
import { expect, test } from "vitest"
import { attack, type Mode } from "../../../../tests/attack.js"
import { linkIn, site, type SiteOptions } from "../account/setup.js"
import { mailbox } from "../flows/signin/setup.js"
import { holds, patience } from "../fuzz/holds.js"
import { mutated, nasty } from "../fuzz/text.js"

/** As collations of MySQL and SQL Server compare text. */
function collated(text: string): string {
  return text
    .normalize("NFKD")
    .replace(/[\p{M}\p{Cc}\p{Cf}]/gu, "")
    .toLowerCase()
    .trimEnd()
}

/** A database that deletes tokens by an identifier as its collation compares it. */
function withCollation(store: MemoryAdapter): Adapter {
  return {
    ...store,
    async deleteVerificationTokens(identifier) {
      for (const row of store.rows().verificationTokens) {
        if (collated(row.identifier) === collated(identifier)) await store.deleteVerificationTokens(row.identifier)
      }
    },
  }
}

/** The application takes any text as an email. */
const mail = mailbox({ normalizeIdentifier: (text) => text })

const kinds = ["change-email", "former-session", "former-sessions-end", "webauthn-challenge"]

/** What the engine stores besides links: a session that ended, a used challenge, a change of email. */
async function withRecords(mode: Mode = "compatible") {
  const store = memoryAdapter()
  const adapter = withCollation(store)
  const jwt: SiteOptions = { session: { strategy: "jwt" }, sender: mail.provider, rateLimit: false }
  const before = await site(adapter, jwt)
  await before.browser.signInWith(before.first, { as: "ada" })
  const rest = mode === "strict" ? { trustHost: ["https://app.test"] } : {}
  const its = await site(adapter, {
    ...jwt,
    ...rest,
    security: { mode, revocableSessions: true, newestEmailLinkOnly: true },
  })
  const { browser, account, first } = its
  for (const cookie of before.browser.cookies) browser.jar.put(cookie)
  await browser.signOut()
  await browser.signInWith(first, { as: "ada" })
  await browser.registerPasskey(createAuthenticator())
  await account().changeEmail("new@example.test")
  const names = [...new Set(store.rows().verificationTokens.map(({ identifier }) => identifier))]
  // Those without a semicolon are for earlier releases.
  const own = names.filter((name) => name.includes(";"))
  for (const kind of kinds) expect(own.some((name) => name.includes(kind))).toBe(true)
  const looks = new Set(own.map(collated))
  const records = () => store.rows().verificationTokens.filter(({ identifier }) => looks.has(collated(identifier)))
  return { ...its, own, records }
}

attack("T3-07", "a visitor can't type the identifier of a record, not even as another spelling", async (mode) => {
  const { account, adapter, browser, first, own, records } = await withRecords(mode)
  const stored = records()
  const spellings = (name: string) => [name, name.toUpperCase(), `${name} `, ` ${name}`, `\u0000${name}`]
  const alike = (name: string) => [name.replace(";", "\uff1b"), name.replace(";", "\u037e")]
  const visitor = browser.fresh()
  for (const email of own.flatMap((name) => [...spellings(name), ...alike(name)])) {
    await visitor.signIn("email", { email })
    const { token } = linkIn(mail.sent)
    await visitor.get(`/auth/callback/email?${new URLSearchParams({ email, token }).toString()}`)
    await visitor.post("/auth/callback/email", { email, token, csrfToken: (await visitor.csrf()) ?? "" })
    await expect(account().changeEmail(email)).rejects.toMatchObject({ type: "EmailSignInError" })
  }
  for (const email of own) {
    const owner = browser.fresh()
    await owner.signInWith(first, { as: "grace" })
    // An application may take it from elsewhere.
    await adapter.updateUser?.({ id: (await account(owner).overview()).user.id, email })
    await account(owner).deleteAccount()
  }
  expect(records()).toEqual(expect.arrayContaining(stored))
})

test("no text that a visitor can type is, for any database, the identifier of a record", {
  timeout: patience,
}, async () => {
  const { browser, own, records } = await withRecords()
  const stored = records()
  const known = fc.constantFrom(...own)
  const property = fc.asyncProperty(fc.oneof(nasty, mutated(known), known.map(collated)), async (email) => {
    await browser.signIn("email", { email })
    expect(records()).toEqual(stored)
  })
  await holds(property, 0.05)
})
