import { type MemoryAdapter, memoryAdapter } from "@latchkey/adapter-kit/memory"
import type { Adapter } from "@latchkey/core/adapters"
import { expect } from "vitest"
import { attack, type Mode } from "../../../../tests/attack.js"
import { errorAt, intercept } from "../flows/signin/setup.js"
import { ask } from "../methods/webauthn/setup.js"
import { sessionKinds } from "./behaviors.js"
import { type Site, site, type SiteOptions } from "./setup.js"

const modes: Readonly<Record<Mode, SiteOptions>> = {
  compatible: {},
  strict: { trustHost: ["https://app.test"] },
}

interface Crowded extends Site<Adapter> {
  readonly store: MemoryAdapter
  readonly userId: string
  /** The methods of the adapter, in the order of their calls. */
  readonly calls: string[]
  /** How many rows each call returned that lists some. */
  readonly rowCounts: number[]
}

/** Ada is signed in. */
async function crowded(mode: Mode, kind: SiteOptions): Promise<Crowded> {
  const store = memoryAdapter()
  const calls: string[] = []
  const rowCounts: number[] = []
  const adapter = intercept<Adapter>(store, async (method, run) => {
    calls.push(method)
    const result = await run()
    if (Array.isArray(result)) rowCounts.push(result.length)
    return result
  })
  const security = { mode, revocableSessions: true }
  const its = await site(adapter, { ...modes[mode], ...kind, security, rateLimit: false })
  await its.browser.signInWith(its.first, { as: "ada" })
  return { ...its, store, calls, rowCounts, userId: store.rows().users[0]?.id ?? "" }
}

/** Sessions from before, which end before those that start now. */
async function addSessions({ clock, store, userId }: Crowded, count: number): Promise<void> {
  for (let index = 0; index < count; index += 1) {
    const expires = new Date(clock.now() + 60_000 + index)
    await store.createSession({ sessionToken: `former-${index}`, userId, expires })
  }
}

for (const [kind, rest] of sessionKinds) {
  attack("T3-09", `a user who signs in again and again has about a hundred sessions (${kind})`, async (mode) => {
    const its = await crowded(mode, rest)
    const { browser, calls, first, phone, store, userId } = its
    const grace = await phone()
    await grace.signInWith(first, { as: "grace" })
    await addSessions(its, 130)
    const browsers = []
    calls.length = 0
    for (let count = 0; count < 19; count += 1) {
      const other = browser.fresh()
      await other.signInWith(first, { as: "ada" })
      browsers.push(other)
    }
    const rows = () => store.rows().sessions.filter((row) => row.userId === userId)
    // The first sign-in was the site's.
    expect([calls.filter((method) => method === "listSessions").length, rows().length]).toEqual([1, 101])
    expect(rows().map(({ sessionToken }) => sessionToken)).not.toContain("former-0")
    for (const each of [browser, ...browsers, grace]) expect(await each.session()).not.toBeNull()
  })

  attack("T3-09", `no page and no sign-in reads every session of a user who has thousands (${kind})`, async (mode) => {
    const its = await crowded(mode, rest)
    const { account, browser, first, rowCounts } = its
    await addSessions(its, 2000)
    await browser.get("/auth/account")
    const [, last] = await account().sessions()
    await account().revokeSession(last?.id ?? "")
    for (let count = 0; count < 19; count += 1) await browser.fresh().signInWith(first, { as: "ada" })
    expect(rowCounts.filter((count) => count > 1).toSorted((one, other) => one - other)).toEqual([101, 101, 101, 200])
  })

  attack("T3-09", `a new session stays and is listed, even if a hundred others last longer (${kind})`, async (mode) => {
    const its = await crowded(mode, rest)
    const { account, browser, clock, first, store, userId } = its
    const expires = new Date(clock.now() + 90 * 86_400_000)
    for (let index = 0; index < 150; index += 1)
      await store.createSession({ sessionToken: `longer-${index}`, userId, expires })
    for (let count = 0; count < 19; count += 1) {
      const other = browser.fresh()
      await other.signInWith(first, { as: "ada" })
      expect(await account(other).sessions()).toContainEqual(expect.objectContaining({ isCurrent: true }))
    }
  })

  attack("T3-09", `the account page lists a hundred sessions, and ends all (${kind})`, async (mode) => {
    const its = await crowded(mode, rest)
    const { account, browser, store, userId } = its
    await addSessions(its, 2000)
    expect(await account().sessions()).toHaveLength(100)
    const { sessions } = await account().overview()
    expect(sessions).toMatchObject({ hasMore: true, items: expect.objectContaining({ length: 100 }) })
    await browser.get("/auth/account")
    expect(browser.text.match(/value="revoke-session"/g)).toHaveLength(99)
    expect(browser.text).toContain("<li>…</li>")
    expect(await account().revokeOtherSessions()).toBe(2000)
    expect(store.rows().sessions.filter((row) => row.userId === userId)).toHaveLength(1)
    expect((await account().overview()).sessions).toMatchObject({ hasMore: false })
  })
}

attack("T3-09", "the database failing while the oldest sessions end doesn't fail a sign-in", async (mode) => {
  const its = await crowded(mode, {})
  const { browser, first, log, store } = its
  await addSessions(its, 130)
  store.listSessions = async () => Promise.reject(new Error("the database is away"))
  for (let count = 0; count < 19; count += 1) await browser.fresh().signInWith(first, { as: "ada" })
  expect(log.entries.filter(({ text }) => text.includes("Could not end the oldest sessions"))).toHaveLength(1)
})

attack("T3-09", "a user has a hundred passkeys at most", async (mode) => {
  const { browser, store, userId } = await crowded(mode, {})
  expect(await ask(browser, { action: "register" })).toMatchObject({ status: 200 })
  for (let index = 0; index < 100; index += 1) {
    const id = Buffer.from(`passkey ${index}`).toString("base64")
    await store.createAuthenticator({
      credentialID: id,
      userId,
      providerAccountId: id,
      credentialPublicKey: "",
      counter: 0,
      credentialDeviceType: "singleDevice",
      credentialBackedUp: false,
    })
  }
  expect(await ask(browser, { action: "register" })).toMatchObject({ status: 400 })
  expect(await ask(browser, { action: "authenticate" })).toMatchObject({ status: 200 })
})

attack("T3-09", "a user has a hundred connected accounts at most", async (mode) => {
  const { account, browser, second, store, userId } = await crowded(mode, {})
  for (let index = 1; index < 100; index += 1)
    await store.linkAccount({ userId, type: "oauth", provider: "op", providerAccountId: `${index}` })
  await browser.signInWith(second, { as: "grace", fields: { link: "true" } })
  expect(errorAt(browser)).toBe("/auth/signin OAuthAccountNotLinked")
  expect(await account().accounts()).toHaveLength(100)
  expect(store.rows().users).toHaveLength(1)
})
