import { memoryAdapter } from "@latchkey/adapter-kit"
import { createProvider, frozenClock, visit } from "@latchkey/testing"
import { describe, expect, test } from "vitest"
import { emailOf, errorAt, hasSession, mailbox, signInByMail, strategies, type Strategy, strict } from "./setup.js"

async function signedIn(strategy: Strategy) {
  const clock = frozenClock()
  const store = memoryAdapter()
  const op = createProvider({ clock })
  const mail = mailbox()
  const providers = [op.provider(), mail.provider]
  const browser = await visit({ providers, adapter: store, ...strict, session: { strategy } }, { clock })
  await signInByMail(browser, mail, "ada@example.test")
  const ada = store.rows().users[0]?.id
  const owners = () => store.rows().accounts.map(({ userId }) => userId)
  return { clock, store, op, mail, browser, ada, owners }
}

describe.each(strategies)("under strict, strategy %s", (strategy) => {
  test("link: true links the account to the user who is signed in", async () => {
    const { op, browser, ada, owners } = await signedIn(strategy)
    await browser.signInWith(op, { as: "grace", fields: { link: "true" } })
    expect(owners()).toEqual([ada])
    expect(await emailOf(browser)).toBe("ada@example.test")
  })

  test("without it the account gets a user of its own", async () => {
    const { op, browser, ada, owners, store } = await signedIn(strategy)
    await browser.signInWith(op, { as: "grace" })
    expect(owners()).not.toContain(ada)
    expect(await emailOf(browser)).toBe("grace@example.test")
    expect(store.rows().users).toHaveLength(2)
  })

  test("link: true in the query is ignored", async () => {
    const { op, browser, ada, owners } = await signedIn(strategy)
    await browser.signInWith(op, { as: "grace", query: { link: "true" } })
    expect(owners()).not.toContain(ada)
  })

  test("linking needs a sign-in of the last 15 minutes", async () => {
    const { op, browser, owners, clock } = await signedIn(strategy)
    clock.advance({ minutes: 15, seconds: 1 })
    await browser.signInWith(op, { as: "grace", fields: { link: "true" } })
    expect(errorAt(browser)).toBe("/auth/error AccessDenied")
    expect(owners()).toEqual([])
    expect(await emailOf(browser)).toBe("ada@example.test")
  })

  test("a sign-in exactly 15 minutes ago is recent", async () => {
    const { op, browser, ada, owners, clock } = await signedIn(strategy)
    clock.advance({ minutes: 15 })
    await browser.signInWith(op, { as: "grace", fields: { link: "true" } })
    expect(owners()).toEqual([ada])
  })

  test("an account of another user isn't linked, with or without link: true", async () => {
    const { op, browser } = await signedIn(strategy)
    await browser.fresh().signInWith(op, { as: "grace" })
    await browser.signInWith(op, { as: "grace", fields: { link: "true" } })
    expect(errorAt(browser)).toBe("/auth/signin OAuthAccountNotLinked")
    expect(await emailOf(browser)).toBe("ada@example.test")
  })

  test("link: true without a session is an ordinary sign-in", async () => {
    const { op, browser } = await signedIn(strategy)
    const other = browser.fresh()
    await other.signInWith(op, { as: "grace", fields: { link: "true" } })
    expect(await emailOf(other)).toBe("grace@example.test")
  })

  test("LINK-04: a sign-in by another user in between invalidates the attempt", async () => {
    const { op, mail, browser, store, owners } = await signedIn(strategy)
    const csrfToken = (await browser.csrf()) ?? ""
    await browser.post("/auth/signin/op", { csrfToken, link: "true" })
    await signInByMail(browser.clone(), mail, "linus@example.test")
    await browser.consentAt(op, { as: "grace" })
    expect(errorAt(browser)).toBe("/auth/error Configuration")
    expect(new URL(browser.location).searchParams.get("code")).toBe("InvalidCheck")
    expect(owners()).toEqual([])
    expect(store.rows().users).toHaveLength(2)
  })

  test("LINK-04: a sign-out in between invalidates the attempt", async () => {
    const { op, browser, owners } = await signedIn(strategy)
    const csrfToken = (await browser.csrf()) ?? ""
    await browser.post("/auth/signin/op", { csrfToken, link: "true" })
    await browser.clone().signOut()
    await browser.consentAt(op, { as: "grace" })
    expect(hasSession(browser)).toBe(false)
    expect(owners()).toEqual([])
  })
})

test.each(strategies)(
  "compatible, strategy %s: a flow that was started before a sign-in doesn't link to that user",
  async (strategy) => {
    const store = memoryAdapter()
    const op = createProvider()
    const mail = mailbox()
    const browser = await visit({ providers: [op.provider(), mail.provider], adapter: store, session: { strategy } })
    await browser.post("/auth/signin/op", { csrfToken: (await browser.csrf()) ?? "" })
    await signInByMail(browser.clone(), mail, "ada@example.test")
    await browser.consentAt(op, { as: "grace" })
    const ada = store.rows().users.find(({ email }) => email === "ada@example.test")
    expect(store.rows().accounts.map(({ userId }) => userId)).not.toContain(ada?.id)
    expect(await emailOf(browser)).toBe("grace@example.test")
  },
)

test("compatible, strategy database: an expired session isn't linked to", async () => {
  const clock = frozenClock()
  const store = memoryAdapter()
  const op = createProvider({ clock })
  const mail = mailbox()
  const browser = await visit({ providers: [op.provider(), mail.provider], adapter: store }, { clock })
  await signInByMail(browser, mail, "ada@example.test")
  const [row] = store.rows().sessions
  await store.updateSession({ sessionToken: row?.sessionToken ?? "", expires: new Date(clock.now()) })
  await browser.signInWith(op, { as: "grace" })
  expect(await emailOf(browser)).toBe("grace@example.test")
  expect(store.rows().users).toHaveLength(2)
})
