import type { Adapter } from "@latchkey/core/adapters"
import { expect } from "vitest"
import { attack, type Mode } from "../../../../tests/attack.js"
import { emailOf, errorAt, hasSession, intercept, signInByMail } from "../flows/signin/setup.js"
import { attacker, confirm, linkWith, type Site, site, tokenOf, victim } from "./email-setup.js"

async function bothAsked(mode: Mode, adapter?: (store: Site["store"]) => Adapter): Promise<Site> {
  const its = await site(mode, adapter === undefined ? {} : { adapter })
  await its.browser.signIn("email", { email: attacker })
  await its.browser.fresh().signIn("email", { email: victim })
  return its
}

attack("ADV-NA-01", "a token signs in only with its own email, and is not consumed with another", async (mode) => {
  const { browser, mail, store } = await bothAsked(mode)
  const others = [
    victim,
    "VICTIM@example.test",
    ` ${attacker}`,
    `${attacker} `,
    attacker.toUpperCase(),
    `${attacker}\0`,
  ]
  for (const email of others) {
    await browser.get(linkWith(mail.link(0), { email }))
    // Another browser gets a page with a button first.
    const elsewhere = browser.fresh()
    await confirm(elsewhere, { token: tokenOf(mail.link(0)), email })
    for (const guesser of [browser, elsewhere]) {
      if (guesser === browser && hasForm(guesser)) await guesser.submitForm(0)
      expect(errorAt(guesser), email).toBe("/auth/error Verification")
      expect(guesser.trail[0]?.status).toBe(302)
      expect(hasSession(guesser)).toBe(false)
    }
    expect(store.rows().verificationTokens).toHaveLength(2)
    expect(store.rows().users).toEqual([])
  }
  await browser.get(mail.link(0))
  await browser.submitForm(0)
  expect(await emailOf(browser)).toBe(attacker)
})

function hasForm({ forms }: Site["browser"]): boolean {
  return forms.length > 0
}

attack("ADV-NA-01", "the email of the stored row is checked even if the adapter ignores it", async (mode) => {
  const { browser, mail, store } = await bothAsked(mode, (good) =>
    intercept(good, (method, run) => (method === "useVerificationToken" ? byTokenAlone(good) : run())),
  )
  await browser.get(linkWith(mail.link(0), { email: victim }))
  expect(errorAt(browser)).toBe("/auth/error Verification")
  expect(hasSession(browser)).toBe(false)
  expect(store.rows().users).toEqual([])
  expect(store.rows().sessions).toEqual([])
})

/** Returns the first row, like an adapter that ignores the email. */
async function byTokenAlone(store: Site["store"]) {
  const [row] = store.rows().verificationTokens
  return row === undefined ? null : store.useVerificationToken(row)
}

attack("ADV-NA-08", "an email with the token of another is refused, and the stored token remains", async (mode) => {
  const { browser, mail, store } = await bothAsked(mode)
  const stored = store.rows().verificationTokens.map(({ token }) => token)
  const right = tokenOf(mail.link(1))
  const wrong = ["anything", "0".repeat(64), right.toUpperCase(), `${right} `, right.slice(1), "*", "null", ...stored]
  for (const token of wrong) {
    await browser.get(linkWith(mail.link(1), { token }))
    if (hasForm(browser)) await browser.submitForm(0)
    expect(errorAt(browser), token).toBe("/auth/error Verification")
    expect(browser.trail.at(0)?.status).toBe(302)
  }
  expect(hasSession(browser)).toBe(false)
  expect(store.rows().verificationTokens.map(({ token }) => token)).toEqual(stored)
})

attack("ADV-NA-08", "a row that an adapter found by email alone does not sign in", async (mode) => {
  const { browser, store } = await bothAsked(mode, (good) =>
    intercept(good, async (method, run) =>
      method === "useVerificationToken" ? (good.rows().verificationTokens.at(-1) ?? null) : run(),
    ),
  )
  for (const token of ["anything", "0".repeat(64)]) {
    await confirm(browser, { token, email: victim })
    expect(errorAt(browser)).toBe("/auth/error Verification")
    expect(hasSession(browser)).toBe(false)
  }
  expect(store.rows().verificationTokens).toHaveLength(2)
})

attack("MAIL-08", "a hundred wrong tokens leave the valid link valid", async (mode) => {
  const its = await site(mode)
  await its.browser.signIn("email", { email: victim })
  // Forty browsers also post it. None of this may affect the user.
  for (let round = 0; round < 100; round++) {
    const guesser = its.browser.fresh()
    const token = `${round}`.padStart(64, "0")
    await guesser.get(linkWith(its.mail.link(), { token }))
    if (round < 40) await confirm(guesser, { token, email: victim })
    expect(hasSession(guesser)).toBe(false)
  }
  expect(its.store.rows().verificationTokens).toHaveLength(1)
  await its.browser.get(its.mail.link())
  expect(await emailOf(its.browser)).toBe(victim)
})

const loosely = new Intl.Collator("en", { sensitivity: "base" })

/** A database with a collation that treats look-alikes as equal. */
function loose(good: Site["store"]): Adapter {
  const fold = (email: string) => email.replaceAll("ı", "i").normalize("NFKC")
  return {
    ...good,
    getUserByEmail: async (email) =>
      good.rows().users.find((user) => loosely.compare(fold(user.email), fold(email)) === 0) ?? null,
  }
}

attack("MAIL-04", "a look-alike email does not sign in to the account it resembles", async (mode) => {
  const open = (typed: string) => typed
  for (const normalizeIdentifier of [undefined, open]) {
    for (const typed of ["m\u0131ke@example.org", "miké@example.org", "mike@examplé.org", "MIKE@example.org "]) {
      const its = await site(mode, { adapter: loose, ...(normalizeIdentifier && { email: { normalizeIdentifier } }) })
      await its.store.createUser({ id: "mike", email: "mike@example.org", emailVerified: new Date(0) })
      await its.browser.signIn("email", { email: typed })
      const to = its.mail.sent.map(({ identifier }) => identifier)
      if (to.length > 0) await its.browser.get(its.mail.link())
      const mine = await emailOf(its.browser)
      // Only a link that was sent to mike may sign in as mike.
      expect(mine === "mike@example.org", `${typed} → ${to.join()}`).toBe(to.includes("mike@example.org"))
      if (mine !== "mike@example.org")
        expect(its.store.rows().sessions.map(({ userId }) => userId)).not.toContain("mike")
    }
  }
})

attack("MAIL-04", "the message goes to the stored email, not to the typed one", async (mode) => {
  const its = await site(mode, { adapter: loose })
  await its.store.createUser({ id: "mike", email: "Mike@Example.org", emailVerified: new Date(0) })
  await signInByMail(its.browser, its.mail, "mike@example.org")
  expect(its.mail.sent.map(({ identifier }) => identifier)).toEqual(["Mike@Example.org"])
  expect(its.store.rows().users).toHaveLength(1)
  expect(hasSession(its.browser)).toBe(true)
})
