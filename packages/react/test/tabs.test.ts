import { setTimeout } from "node:timers/promises"
import type { Page } from "playwright-core"
import { expect, test } from "vitest"
import { inChromium } from "../../../tests/browser/chromium.js"
import { openSite, run, settled, shows, signIn, type Site, turn, withResolvers } from "./site.js"

/** A page that hears what is said, as a tab of the same site. */
async function listen(tab: Page): Promise<void> {
  await tab.evaluate(`window.heard = []; new BroadcastChannel("next-auth").onmessage = ({ data }) => heard.push(data)`)
}

async function later(milliseconds: number): Promise<undefined> {
  await setTimeout(milliseconds)
}

/** Says something to the other tabs, as whatever script might. */
async function say(tab: Page, message: string): Promise<void> {
  await tab.evaluate(`new BroadcastChannel("next-auth").postMessage(${message})`)
}

async function openTabs(site: Site, first: Page, count: number): Promise<Page[]> {
  const tabs = [first]
  while (tabs.length < count) tabs.push(await first.context().newPage())
  for (const tab of tabs) {
    await tab.goto(site.origin)
    await tab.locator("#who").waitFor()
    await settled(tab)
  }
  site.asked()
  return tabs
}

const countReads = `performance.getEntriesByType("resource").filter(({ name }) => name.endsWith("/auth/session")).length`

const outsider = (session: string, asOf: string) =>
  `{ event: "session", data: { trigger: "getSession", base: "/auth", session: ${session}, asOf: ${asOf} } }`

inChromium("several tabs", (visit) => {
  test("a sign-in, an update and a sign-out in one tab show in the others, which ask nothing", async () => {
    const site = await openSite()
    const { page } = await visit()
    const [first = page, ...others] = await openTabs(site, page, 4)
    await signIn(first)
    for (const tab of others) await shows(tab, "authenticated ada")
    expect(site.asked()).toMatchObject({ "GET /auth/session": 1 })
    await run(first, `update({ name: "lovelace" })`)
    for (const tab of others) await shows(tab, "authenticated lovelace")
    expect(site.asked()).toEqual({ "GET /auth/csrf": 1, "POST /auth/session": 1 })
    await run(first, "signOut({ redirect: false })")
    for (const tab of others) await shows(tab, "unauthenticated nobody")
    expect(site.asked()).toEqual({ "GET /auth/csrf": 1, "POST /auth/signout": 1 })
  })

  test("a sign-out that leaves the page shows in the other tabs", async () => {
    const site = await openSite()
    const { page } = await visit()
    const [first = page, second = page] = await openTabs(site, page, 2)
    await signIn(first)
    await shows(second, "authenticated ada")
    // The next page asks nothing, so that it has nothing to tell.
    site.setup = { props: { session: null } }
    await first.evaluate(`void app.signOut({ redirectTo: "/?left" })`)
    await shows(second, "unauthenticated nobody")
    await first.waitForURL(`${site.origin}/?left`)
    await shows(first, "unauthenticated nobody")
  })

  test("opening a tab costs one request, however many are open", async () => {
    const site = await openSite()
    const { page } = await visit()
    const tabs = await openTabs(site, page, 4)
    const fifth = await page.context().newPage()
    await fifth.goto(site.origin)
    await shows(fifth, "unauthenticated")
    for (const tab of tabs) await settled(tab)
    expect(site.asked()).toEqual({ "GET /auth/session": 1, "GET /auth/csrf": 4 })
  })

  test("tabs that poll make about one request an interval between them", async () => {
    const site = await openSite()
    site.setup = { props: { refetchInterval: 1 } }
    const { page } = await visit()
    const tabs = await openTabs(site, page, 5)
    await signIn(page)
    for (const tab of tabs) await shows(tab, "authenticated ada")
    // So slow that all of them would have asked before the first answer.
    site.between = async ({ url }) => (url.endsWith("/auth/session") ? later(300) : undefined)
    const [since, reads] = [Date.now(), () => site.seen.filter((line) => line === "GET /auth/session").length]
    site.asked()
    await expect.poll(reads, { timeout: 15_000, interval: 20 }).toBeGreaterThanOrEqual(5)
    expect(Date.now() - since).toBeGreaterThan(4000)
  })

  test("a tab in the background lets one in view ask", async () => {
    const site = await openSite()
    site.setup = { props: { refetchInterval: 2 } }
    const { page } = await visit()
    const [front = page, back = page] = await openTabs(site, page, 2)
    await turn(back, "hidden")
    await signIn(front)
    await shows(back, "authenticated ada")
    const reads = (tab: Page) => tab.evaluate(countReads)
    const before = await reads(back)
    const target = Number(await reads(front)) + 3
    await expect.poll(() => reads(front), { timeout: 15_000 }).toBeGreaterThanOrEqual(target)
    expect(await reads(back)).toBe(before)
  })

  test("a message from a tab with Auth.js makes the others ask, and none of them posts again", async () => {
    const site = await openSite()
    const { page } = await visit()
    const [first = page, second = page, third = page] = await openTabs(site, page, 3)
    await signIn(first)
    await shows(second, "authenticated ada")
    site.asked()
    await listen(third)
    await say(third, `{ event: "session", data: { trigger: "getSession" } }`)
    for (const tab of [first, second, third]) await settled(tab)
    expect(site.asked()).toEqual({ "GET /auth/session": 3, "GET /auth/csrf": 3 })
    expect(await third.evaluate("heard")).toEqual([{ event: "session", data: { trigger: "getSession" } }])
  })

  test("a tab that Auth.js tells of a sign-out shows it before the server has answered", async () => {
    const site = await openSite()
    const { page } = await visit()
    const [first = page, second = page] = await openTabs(site, page, 2)
    await signIn(first)
    await shows(second, "authenticated ada")
    const answer = withResolvers<Response>()
    site.between = ({ url }) => (url.endsWith("/auth/session") ? answer.promise : undefined)
    await say(first, `{ event: "session", data: { trigger: "signout" } }`)
    await shows(second, "unauthenticated nobody")
    answer.resolve(Response.json(null))
  })

  test("the messages have the form that tabs with Auth.js expect, and say all there is to know", async () => {
    const site = await openSite()
    const { page } = await visit()
    const [first = page, second = page] = await openTabs(site, page, 2)
    await listen(second)
    await signIn(first)
    await run(first, "signOut({ redirect: false })")
    await expect.poll(() => second.evaluate("heard.length")).toBe(2)
    const ada = expect.objectContaining({ user: expect.objectContaining({ name: "ada" }) })
    expect(await second.evaluate("heard")).toEqual([
      { event: "session", data: { trigger: "getSession", session: ada, asOf: expect.any(Number), base: "/auth" } },
      { event: "session", data: { trigger: "signout", session: null, asOf: expect.any(Number), base: "/auth" } },
    ])
  })

  test("getSession with `broadcast: false` tells nobody", async () => {
    const site = await openSite()
    const { page } = await visit()
    const [first = page, second = page] = await openTabs(site, page, 2)
    await listen(second)
    await run(first, "getSession({ broadcast: false })")
    await run(first, "getSession()")
    await expect.poll(() => second.evaluate("heard.length")).toBe(1)
  })

  test("what was true before a sign-out does not undo it when it is heard afterwards", async () => {
    const site = await openSite()
    const { page } = await visit()
    const [first = page, second = page] = await openTabs(site, page, 2)
    await signIn(first)
    await shows(second, "authenticated ada")
    await run(first, "signOut({ redirect: false })")
    await shows(second, "unauthenticated")
    const states = await second.evaluate("states.length")
    await say(first, outsider(`{ user: { name: "ghost" } }`, "Date.now() - 60_000"))
    await say(first, outsider(`{ user: { name: "grace" } }`, "Date.now()"))
    await shows(second, "authenticated grace")
    expect(await second.evaluate(`states.slice(${String(states)})`)).toEqual(["authenticated grace"])
  })

  test("nonsense on the channel changes nothing", async () => {
    const site = await openSite()
    const { page, complaints } = await visit()
    const [first = page, second = page] = await openTabs(site, page, 2)
    for (const message of [
      "null",
      "7",
      "[]",
      `"session"`,
      "{}",
      `{ event: "session" }`,
      `{ event: "other", data: {} }`,
    ])
      await say(first, message)
    for (const session of ["7", `"grace"`, "[]", "true"]) await say(first, outsider(session, "Date.now()"))
    await say(first, outsider(`{ user: { name: "grace" } }`, `"soon"`))
    await say(first, outsider(`{ user: { name: "grace" } }`, "Date.now()").replace("/auth", "/other"))
    await say(first, outsider(`{ user: { name: "hopper" } }`, "Date.now()"))
    await shows(second, "authenticated hopper")
    expect(await second.evaluate("states.slice(-2)")).toEqual(["unauthenticated object", "authenticated hopper"])
    expect(site.asked()).toEqual({})
    expect(complaints).toEqual([])
  })

  test("a tab whose provider is gone listens no longer", async () => {
    const site = await openSite()
    const { page } = await visit()
    const [first = page, second = page] = await openTabs(site, page, 2)
    const third = await page.context().newPage()
    await third.goto(`${site.origin}/probe.js`)
    await run(second, "unmount()")
    await say(third, `{ event: "session", data: { trigger: "getSession" } }`)
    for (const tab of [first, second]) await settled(tab)
    expect(site.asked()).toEqual({ "GET /auth/session": 1, "GET /auth/csrf": 2 })
  })

  test("a server action that signs out here makes the other tabs look", async () => {
    const site = await openSite()
    site.rendersSession = true
    const { page } = await visit()
    const [first = page] = await openTabs(site, page, 1)
    await signIn(first)
    const [, second = page] = await openTabs(site, page, 2)
    await shows(second, "authenticated ada")
    await first.context().clearCookies()
    await run(first, "setProps({ session: null })")
    await shows(second, "unauthenticated nobody")
    expect(site.asked()).toEqual({ "GET /auth/session": 1 })
  })
})
