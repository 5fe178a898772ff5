import { check } from "@latchkey/core"
import type { AuthConfig } from "@latchkey/core/types"
import { createProvider, visit } from "@latchkey/testing"
import { expect } from "vitest"
import { attack, type Mode, strictAttack } from "../../../../tests/attack.js"
import { emailOf, errorAt, hasSession, signInByMail } from "../flows/signin/setup.js"
import { type Site, site, victim } from "./email-setup.js"

const strategies = ["jwt", "database"] as const

async function begin({ browser, op }: Site, link = true): Promise<void> {
  const csrfToken = (await browser.csrf()) ?? ""
  await browser.post(`/auth/signin/${op.id}`, { csrfToken, ...(link && { link: "true" }) })
}

attack("LINK-04", "linking fails if another user is signed in by the time it ends", async (mode) => {
  for (const strategy of strategies) {
    for (const link of [true, false]) {
      const its = await site(mode, { rest: { session: { strategy } } })
      await signInByMail(its.browser, its.mail, "ada@example.test")
      await begin(its, link)
      await signInByMail(its.browser.clone(), its.mail, "bob@example.test")
      await its.browser.consentAt(its.op, { as: "grace" })
      expect(errorAt(its.browser)).toBe("/auth/error Configuration")
      expect(new URL(its.browser.location).searchParams.get("code")).toBe("InvalidCheck")
      expect(its.store.rows().accounts).toEqual([])
      expect(its.store.rows().users).toHaveLength(2)
      expect(await emailOf(its.browser), "who is signed in stays").toBe("bob@example.test")
    }
  }
})

attack(
  "LINK-04",
  "linking started without a session does not link to a user who signs in before its end",
  async (mode) => {
    for (const strategy of strategies) {
      const its = await site(mode, { rest: { session: { strategy } } })
      await begin(its)
      await signInByMail(its.browser.clone(), its.mail, victim)
      await its.browser.consentAt(its.op, { as: "grace" })
      const owner = its.store.rows().users.find(({ email }) => email === victim)
      expect(its.store.rows().accounts.map(({ userId }) => userId)).not.toContain(owner?.id)
    }
  },
)

attack("LINK-04", "a sign-in started in one browser cannot be finished in another", async (mode) => {
  const its = await site(mode)
  await signInByMail(its.browser, its.mail, "mallory@example.test")
  await begin(its)
  const answer = await its.op.authorize(its.browser.location, { as: "grace" })
  const other = its.browser.fresh()
  await signInByMail(other, its.mail, victim)
  await other.follow(answer, its.op.issuer)
  expect(new URL(other.location).searchParams.get("code")).toBe("InvalidCheck")
  // Even with a planted copy of the flow cookie.
  for (const cookie of its.browser.cookies) if (cookie.name.includes("authjs.state")) other.jar.put(cookie)
  await other.follow(answer, its.op.issuer)
  expect(new URL(other.location).searchParams.get("code")).toBe("InvalidCheck")
  expect(its.store.rows().accounts).toEqual([])
  expect(await emailOf(other)).toBe(victim)
})

/** Mallory has an account with the victim's email, which the provider has not verified. */
async function trap(mode: Mode, strategy: (typeof strategies)[number]): Promise<Site & { mallory: Site["browser"] }> {
  const its = await site(mode, { rest: { session: { strategy } } })
  its.op.people["mallory"] = { sub: "mallory", email: victim, email_verified: false }
  const mallory = its.browser.fresh()
  await mallory.signInWith(its.op, { as: "mallory" })
  expect(await emailOf(mallory)).toBe(victim)
  return { ...its, mallory }
}

for (const strategy of strategies) {
  strictAttack(
    "ADV-BA-13",
    "first proof of a mailbox",
    `verifying an email removes earlier sessions and accounts of its user (${strategy})`,
    async (mode) => {
      const its = await trap(mode, strategy)
      const { mallory, browser, store, op } = its
      // A session and a linking flow that Mallory started before the victim signs in.
      const second = mallory.fresh()
      await second.signInWith(op, { as: "mallory" })
      await begin({ ...its, browser: second })
      await signInByMail(browser, its.mail, victim)
      expect(await emailOf(browser)).toBe(victim)
      expect(await mallory.session()).toBeNull()
      expect(await second.session()).toBeNull()
      expect(store.rows().accounts).toEqual([])
      expect(store.rows().sessions).toHaveLength(1)
      op.people["mallory2"] = { sub: "mallory2", email: "m@evil.test", email_verified: true }
      await second.consentAt(op, { as: "mallory2" })
      expect(await emailOf(second)).not.toBe(victim)
      await mallory.signInWith(op, { as: "mallory" })
      expect(hasSession(mallory)).toBe(false)
      const [owner] = store.rows().users.filter(({ email }) => email === victim)
      expect(store.rows().accounts.map(({ userId }) => userId)).not.toContain(owner?.id)
      expect(await emailOf(browser)).toBe(victim)
    },
  )
}

attack("ADV-BA-13", "an event reports that an email was verified", async (mode) => {
  const told: unknown[] = []
  const events: AuthConfig["events"] = { updateUser: ({ user }) => void told.push(user.email) }
  const its = await site(mode, { rest: { events } })
  await its.store.createUser({ id: "trap", email: victim, emailVerified: null })
  await signInByMail(its.browser, its.mail, victim)
  expect(told).toEqual([victim])
  expect(its.store.rows().users[0]?.emailVerified).toEqual(new Date(its.clock.now()))
})

attack("ADV-BA-13", "a first sign-in does not reuse a session that the browser had", async (mode) => {
  const its = await trap(mode, "database")
  const planted = its.browser
  for (const cookie of its.mallory.cookies) planted.jar.put(cookie)
  const before = planted.cookies.find(({ name }) => name.includes("session-token"))?.value
  await signInByMail(planted, its.mail, victim)
  const after = planted.cookies.find(({ name }) => name.includes("session-token"))?.value
  expect(after).not.toBe(before)
  expect(await its.mallory.session()).toBeNull()
})

attack("ADV-BA-20", "a provider id must be unique and no name of an object property", (mode) => {
  const op = createProvider()
  const config = { security: mode, secret: "k0Wc5v2uYl1u8mQ7o3nT9xZ4hB6sD1fGp2RjE8tLqVw", url: "https://app.test/auth" }
  expect(check({ ...config, providers: [op.provider()] }).errors).toEqual([])
  for (const id of [
    "constructor",
    "toString",
    "__proto__",
    "hasOwnProperty",
    "undefined",
    "",
    ".",
    "..",
    "a/b",
    "a b",
  ]) {
    const { errors } = check({ ...config, providers: [op.provider({ id })] })
    expect(
      errors.map(({ path }) => path),
      id,
    ).toContain("providers[0].id")
  }
  const { errors, warnings } = check({
    ...config,
    providers: [op.provider(), op.provider({ issuer: "https://two.test" })],
  })
  // Under compatible, the first one of an id is used, so a later one can't inherit its accounts.
  if (mode === "strict") expect(errors.map(({ path }) => path)).toContain("providers[1].id")
  else expect(warnings).toMatchObject([{ code: "duplicate-provider" }])
})

attack(
  "ADV-BA-20",
  "a sign-in at one tenant's provider cannot be finished at another tenant's with the same id",
  async (mode) => {
    const its = await site(mode)
    const second = createProvider({ clock: its.clock, id: "op", issuer: "https://two.test" })
    second.people["mallory"] = { sub: "ada", email: "ada@example.test", email_verified: true }
    await begin(its, false)
    const config = { ...its.config, providers: [its.mail.provider, second.provider()] }
    const tenant = await visit(config, { clock: its.clock })
    for (const cookie of its.browser.cookies) tenant.jar.put(cookie)
    const url = new URL(its.browser.location)
    const answer = await second.authorize(`${second.issuer}/authorize${url.search}`, { as: "mallory" })
    await tenant.follow(answer, second.issuer)
    expect(new URL(tenant.location).searchParams.get("code")).toBe("InvalidCheck")
    expect(hasSession(tenant)).toBe(false)
    expect(second.requestsTo("token")).toEqual([])
    expect(its.store.rows().accounts).toEqual([])
  },
)
