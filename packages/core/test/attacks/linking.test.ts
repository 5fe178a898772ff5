import type { Adapter } from "@latchkey/core/adapters"
import type { AuthConfig, OIDCConfig } from "@latchkey/core/types"
import { type Person, visit } from "@latchkey/testing"
import { expect } from "vitest"
import { attack, type Mode, strictAttack } from "../../../../tests/attack.js"
import { emailOf, errorAt, hasSession, type Question, signInByMail } from "../flows/signin/setup.js"
import { type Site, site, victim } from "./email-setup.js"

const dangerous = { allowDangerousEmailAccountLinking: true } as const
const verified = { allowEmailAccountLinking: "verified" } as const

interface Choices {
  readonly provider?: Partial<OIDCConfig>
  readonly person: Person
  readonly rest?: Partial<AuthConfig>
  readonly adapter?: (store: Site["store"]) => Adapter
}

/** An application whose provider has the given user. */
async function linkable(mode: Mode, { provider = {}, person, rest, adapter }: Choices): Promise<Site> {
  const its = await site(mode, { ...(adapter && { adapter }) })
  its.op.people["eve"] = person
  const config = { ...its.config, providers: [its.mail.provider, its.op.provider(provider)], ...rest }
  return { ...its, config, browser: await visit(config, { clock: its.clock }) }
}

async function refused({ browser, store, op, log }: Site, why: string): Promise<void> {
  await browser.signInWith(op, { as: "eve" })
  // In strict mode, a user without a verified email isn't told that the email is in use.
  expect(errorAt(browser), why).toMatch(/^\/auth\/signin OAuth(?:AccountNotLinked|CallbackError)$/)
  expect(
    log.entries.some(({ text }) => text.includes("another user has the same email")),
    why,
  ).toBe(true)
  expect(hasSession(browser), why).toBe(false)
  expect(store.rows().accounts, why).toEqual([])
  expect(store.rows().users, why).toHaveLength(1)
  expect(store.rows().sessions, why).toEqual([])
}

strictAttack(
  "ADV-BA-11",
  "first proof of a mailbox",
  "an account of a provider does not link to a user with an unverified email",
  async (mode) => {
    for (const emailVerified of [null, undefined]) {
      const person = { email: victim, email_verified: true }
      const its = await linkable(mode, { provider: dangerous, person })
      await its.store.createUser({ id: "trap", email: victim, emailVerified } as never)
      await refused(its, String(emailVerified))
    }
  },
)

attack(
  "ADV-BA-11",
  "no provider links to a user with an unverified email unless `allowDangerousEmailAccountLinking` is set",
  async (mode) => {
    for (const provider of [{}, verified]) {
      const its = await linkable(mode, { provider, person: { email: victim, email_verified: true } })
      await its.store.createUser({ id: "trap", email: victim, emailVerified: null })
      await refused(its, JSON.stringify(provider))
    }
  },
)

attack("ADV-BA-11", "a provider links to a user with a verified email if that is allowed", async (mode) => {
  for (const provider of [dangerous, verified]) {
    const its = await linkable(mode, { provider, person: { email: victim, email_verified: true } })
    await its.store.createUser({ id: "owner", email: victim, emailVerified: new Date(0) })
    await its.browser.signInWith(its.op, { as: "eve" })
    expect(its.store.rows().accounts.map(({ userId }) => userId)).toEqual(["owner"])
    expect(await emailOf(its.browser)).toBe(victim)
  }
})

/** Claims that the email isn't verified. */
const unverified: readonly Person[] = [false, "false", "no", "0", "", 0, 1, [], {}].map((claim) => ({
  email: victim,
  email_verified: claim as never,
}))

/** The provider doesn't say whether the email is verified. */
const silent: readonly Person[] = [{ email: victim }, { email: victim, email_verified: null as never }]

const unproven: readonly Person[] = [...unverified, ...silent]

attack("LINK-02", "an email that the provider says it has not verified links no account", async (mode) => {
  for (const provider of [dangerous, verified, {}]) {
    for (const person of unverified) {
      const its = await linkable(mode, { provider, person })
      await its.store.createUser({ id: "owner", email: victim, emailVerified: new Date(0) })
      await refused(its, JSON.stringify([provider, person]))
    }
  }
})

attack(
  "LINK-02",
  "an email that the provider says nothing about links no account unless the application accepts that",
  async (mode) => {
    for (const provider of [verified, {}]) {
      for (const person of silent) {
        const its = await linkable(mode, { provider, person })
        await its.store.createUser({ id: "owner", email: victim, emailVerified: new Date(0) })
        await refused(its, JSON.stringify([provider, person]))
      }
    }
  },
)

strictAttack("LINK-02", "linking", "an OpenID provider without the claim links no account at all", async () => {
  for (const person of silent) {
    const its = await linkable("strict", { provider: dangerous, person })
    await its.store.createUser({ id: "owner", email: victim, emailVerified: new Date(0) })
    await refused(its, JSON.stringify(person))
  }
})

attack(
  "LINK-02",
  "`email_verified` applies to the `email` claim, not to another email from `profile()`",
  async (mode) => {
    const profile = (raw: { readonly [claim: string]: unknown }) => ({
      id: String(raw["sub"]),
      email: String(raw["upn"]),
    })
    for (const provider of [
      { ...dangerous, profile },
      { ...verified, profile },
    ]) {
      const its = await linkable(mode, {
        provider,
        person: { email: "eve@evil.test", email_verified: true, upn: victim },
      })
      await its.store.createUser({ id: "owner", email: victim, emailVerified: new Date(0) })
      await refused(its, JSON.stringify(provider))
    }
  },
)

attack("ADV-BA-22", "the `signIn` callback gets a boolean that is true only for a verified email", async (mode) => {
  const proven = { email: victim, email_verified: true }
  const unmailed = { email_verified: true }
  const cases = [
    ...unproven.map((person) => [person, false] as const),
    [proven, true] as const,
    [unmailed, false] as const,
  ]
  for (const [person, expected] of cases) {
    const heard: unknown[] = []
    // An allowlist of emails must also check that the email is verified.
    const signIn = ({ user, emailVerified }: Question) => {
      heard.push(emailVerified)
      return emailVerified === true && user.email === victim
    }
    const its = await linkable(mode, { person, rest: { callbacks: { signIn } } })
    await its.browser.signInWith(its.op, { as: "eve" })
    expect(heard, JSON.stringify(person)).toEqual([expected])
    expect(hasSession(its.browser)).toBe(expected)
  }
})

attack("LINK-03", "an email is stored in one form and found in every spelling", async (mode) => {
  const spellings = ["VICTIM@example.test", "Victim@Example.Test"]
  // Auth.js v5 doesn't change the width of letters.
  const wide = mode === "strict" ? ["victim@ｅxample.test"] : []
  for (const email of [...spellings, ...wide]) {
    const its = await linkable(mode, { provider: dangerous, person: { email, email_verified: true } })
    await its.browser.signInWith(its.op, { as: "eve" })
    expect(its.store.rows().users.map((user) => user.email)).toEqual([victim])
    const other = its.browser.fresh()
    await signInByMail(other, its.mail, email)
    expect(its.store.rows().users).toHaveLength(1)
    expect(await emailOf(other)).toBe(victim)
  }
})

attack("LINK-03", "an email stored in another spelling still belongs to its user", async (mode) => {
  const adapter = (good: Site["store"]): Adapter => ({
    ...good,
    getUserByEmail: async (email) =>
      good.rows().users.find((user) => user.email.toLowerCase() === email.toLowerCase()) ?? null,
  })
  const its = await linkable(mode, { provider: dangerous, adapter, person: { email: victim, email_verified: true } })
  await its.store.createUser({ id: "owner", email: "Victim@Example.test", emailVerified: new Date(0) })
  await its.browser.signInWith(its.op, { as: "eve" })
  expect(its.store.rows().accounts.map(({ userId }) => userId)).toEqual(["owner"])
  await signInByMail(its.browser.fresh(), its.mail, victim)
  expect(its.store.rows().users).toHaveLength(1)
})

attack("LINK-03", "emails that differ by a plus, dots or look-alike characters are different", async (mode) => {
  const adapter = (good: Site["store"]): Adapter => ({
    ...good,
    // A database that treats all of these as equal.
    getUserByEmail: async () => good.getUser("owner"),
  })
  const others = [
    "victim+x@example.test",
    "v.ictim@example.test",
    "victim@example.test.evil.test",
    "vıctim@example.test",
    "ｖictim@example.test",
    "víctim@example.test",
    "victim@exаmple.test",
  ]
  for (const email of others) {
    const its = await linkable(mode, { provider: dangerous, adapter, person: { email, email_verified: true } })
    await its.store.createUser({ id: "owner", email: victim, emailVerified: new Date(0) })
    await its.browser.signInWith(its.op, { as: "eve" })
    expect(
      its.store.rows().accounts.map(({ userId }) => userId),
      email,
    ).not.toContain("owner")
    expect(await emailOf(its.browser)).not.toBe(victim)
  }
})
