import credentials from "@latchkey/core/providers/credentials"
import { createProvider, visit } from "@latchkey/testing"
import { expect } from "vitest"
import { attack, type Mode } from "../../../../tests/attack.js"
import { emailOf, hasSession, signInByMail } from "../flows/signin/setup.js"
import { type Site, site, victim } from "./email-setup.js"

const typedIn = credentials({
  credentials: { name: {}, password: { type: "password" } },
  authorize: ({ name, password }) =>
    password === "open" ? { id: `id-${String(name)}`, email: `${String(name)}@example.test` } : null,
})

/** Fields that could be mistaken for the identity of a user. */
const claims: Readonly<Record<string, string>> = {
  userId: "victim",
  "user[id]": "victim",
  "user.id": "victim",
  "account.userId": "victim",
  "account[userId]": "victim",
  "account[providerAccountId]": "victim",
  id: "victim",
  sub: "victim",
  uid: "victim",
  sid: "victim",
  sessionToken: "victim",
  "session.user.id": "victim",
  providerAccountId: "victim",
  emailVerified: "2020-01-01",
  isNewUser: "false",
  "data[user][id]": "victim",
}

async function people(mode: Mode): Promise<Site> {
  const its = await site(mode)
  await its.store.createUser({ id: "victim", email: victim, emailVerified: new Date(0) })
  await its.store.linkAccount({ userId: "victim", type: "oidc", provider: "op", providerAccountId: "victim" })
  return its
}

/** The rows of the victim. No request of another user may change them. */
function belongings({ store }: Site): unknown {
  const { users, accounts, sessions } = store.rows()
  return [
    users.find(({ id }) => id === "victim"),
    accounts.filter(({ userId }) => userId === "victim"),
    sessions.filter(({ userId }) => userId === "victim"),
  ]
}

const paths = ["signin", "signin/op", "signin/email", "callback/op", "callback/email", "session", "signout"] as const

attack("ADV-BA-03", "a request without a session gets none, whatever user id it names", async (mode) => {
  const its = await people(mode)
  const before = belongings(its)
  const query = new URLSearchParams(claims).toString()
  for (const path of paths) {
    const { browser } = its
    const csrfToken = (await browser.csrf()) ?? ""
    await browser.post(`/auth/${path}?${query}`, { csrfToken, email: "eve@example.test", ...claims })
    const body = JSON.stringify({ csrfToken, data: { user: { id: "victim", email: victim } }, ...nested })
    const headers = { "content-type": "application/json" }
    const answer = await browser.fetch(`/auth/${path}?${query}`, { method: "POST", body, headers })
    expect(answer.status).toBeLessThan(500)
    if (path === "session") expect(await answer.json()).toBeNull()
    expect(hasSession(browser), path).toBe(false)
    expect(await browser.session(), path).toBeNull()
    expect(belongings(its)).toEqual(before)
  }
})

const nested = { user: { id: "victim" }, account: { userId: "victim" }, session: { user: { id: "victim" } }, ...claims }

attack(
  "ADV-BA-03",
  "a sign-in is for the user that was authenticated, not for the one the request names",
  async (mode) => {
    const its = await people(mode)
    const before = belongings(its)
    const { browser, op } = its
    await browser.signInWith(op, { as: "ada", fields: claims, query: claims })
    expect(await emailOf(browser)).toBe("ada@example.test")
    const mailed = browser.fresh()
    await mailed.signIn("email", { email: "grace@example.test", ...claims })
    const link = new URL(its.mail.link())
    for (const [name, value] of Object.entries(claims)) link.searchParams.set(name, value)
    const other = mailed.fresh()
    await other.get(link)
    await other.submitForm(0, claims)
    expect(await emailOf(other)).toBe("grace@example.test")
    expect(belongings(its)).toEqual(before)
    const owners = its.store.rows().accounts.filter(({ providerAccountId }) => providerAccountId === "ada")
    expect(owners.map(({ userId }) => userId)).not.toContain("victim")
  },
)

attack("ADV-BA-03", "a signed-in user can neither become another nor end another's session", async (mode) => {
  const its = await people(mode)
  const { browser, mail, op } = its
  await its.store.createSession({ sessionToken: "v", userId: "victim", expires: new Date(its.clock.now() + 1e9) })
  const before = belongings(its)
  await signInByMail(browser, mail, "ada@example.test")
  const csrfToken = (await browser.csrf()) ?? ""
  const headers = { "content-type": "application/json" }
  const body = JSON.stringify({ csrfToken, data: { user: { id: "victim", email: victim }, sub: "victim" }, ...nested })
  await browser.fetch("/auth/session?userId=victim", { method: "POST", body, headers })
  expect(await emailOf(browser)).toBe("ada@example.test")
  await browser.signInWith(op, { as: "linus", fields: { ...claims, link: "true" }, query: claims })
  const linus = its.store.rows().accounts.find(({ providerAccountId }) => providerAccountId === "linus")
  const ada = its.store.rows().users.find(({ email }) => email === "ada@example.test")
  expect(linus?.userId).toBe(ada?.id)
  await browser.signOut({ ...claims, sessionToken: "v" })
  expect(hasSession(browser)).toBe(false)
  expect(belongings(its)).toEqual(before)
})

attack("ADV-BA-03", "a JWT session takes no claim from an update or a credentials form", async (mode) => {
  const subjects: unknown[] = []
  const op = createProvider()
  const browser = await visit({
    security: mode,
    secret: "k0Wc5v2uYl1u8mQ7o3nT9xZ4hB6sD1fGp2RjE8tLqVw",
    url: "https://app.test/auth",
    providers: [typedIn, op.provider()],
    callbacks: { jwt: ({ token }) => (subjects.push(token.sub), token) },
  })
  await browser.signIn("credentials", { name: "ada", password: "open", ...claims })
  const csrfToken = (await browser.csrf()) ?? ""
  const body = JSON.stringify({
    csrfToken,
    data: { sub: "victim", email: victim, user: { id: "victim" } },
    ...nested,
  })
  const headers = { "content-type": "application/json" }
  await browser.fetch("/auth/session", { method: "POST", body, headers })
  expect(await emailOf(browser)).toBe("ada@example.test")
  expect(new Set(subjects)).toEqual(new Set(["id-ada"]))
  await browser.signIn("credentials", { name: "ada", password: "wrong", ...claims })
  expect(await emailOf(browser)).toBe("ada@example.test")
})
