import type { Page } from "playwright-core"
import { expect, test } from "vitest"
import { inChromium } from "../../../tests/browser/chromium.js"
import { freeze, openSite, run, settled, shows, signIn, type Site, turn, withResolvers } from "./site.js"

/** Records messages, as another tab of the site would receive them. */
async function recordMessages(tab: Page): Promise<void> {
  await tab.evaluate(
    `window.received = []; new BroadcastChannel("next-auth").onmessage = ({ data }) => received.push(data)`,
  )
}

/** Posts to the other tabs, as any script on the site can. */
async function post(tab: Page, message: string): Promise<void> {
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

/** Tabs of a signed-in user that read the session every minute, by a clock that only the test advances. */
async function openPolling(site: Site, first: Page, count: number): Promise<Page[]> {
  await first.goto(site.origin)
  await shows(first, "unauthenticated")
  await signIn(first)
  site.setup = { props: { refetchInterval: 60 } }
  await freeze(first)
  const tabs = await openTabs(site, first, count)
  for (const tab of tabs) await shows(tab, "authenticated ada")
  return tabs
}

const sessionMessage = (session: string, asOf: string) =>
  `{ event: "session", data: { trigger: "getSession", base: "/auth", session: ${session}, asOf: ${asOf} } }`

inChromium("several tabs", (visit) => {
  test("a sign-in, update and sign-out in one tab reach the others without a request", async () => {
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
    for (const tab of others) await shows(tab, "unauthenticated visitor")
    expect(site.asked()).toEqual({ "GET /auth/csrf": 1, "POST /auth/signout": 1 })
  })

  test("a sign-out that leaves the page reaches the other tabs", async () => {
    const site = await openSite()
    const { page } = await visit()
    const [first = page, second = page] = await openTabs(site, page, 2)
    await signIn(first)
    await shows(second, "authenticated ada")
    // With a session prop, the next page sends no request and posts no message.
    site.setup = { props: { session: null } }
    await first.evaluate(`void app.signOut({ redirectTo: "/?left" })`)
    await shows(second, "unauthenticated visitor")
    await first.waitForURL(`${site.origin}/?left`)
    await shows(first, "unauthenticated visitor")
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

  test("tabs that poll share one request per interval", async () => {
    const site = await openSite()
    const { page } = await visit()
    const tabs = await openPolling(site, page, 5)
    for (let interval = 0; interval < 3; interval++) {
      // Every tab would send its request before the first response.
      const { promise, resolve } = withResolvers<undefined>()
      site.between = ({ url }) => (url.endsWith("/auth/session") ? promise : undefined)
      await page.clock.runFor(65_000)
      resolve(undefined)
      for (const tab of tabs) await settled(tab)
      expect(site.asked()).toEqual({ "GET /auth/session": 1, "GET /auth/csrf": 5 })
    }
  })

  test("a hidden tab waits for a visible one to send the request", async () => {
    const site = await openSite()
    const { page } = await visit()
    const [front = page, back = page] = await openPolling(site, page, 2)
    const reads: Page[] = []
    for (const tab of [front, back])
      tab.on("request", (request) => void (request.url().endsWith("/auth/session") && reads.push(tab)))
    await turn(back, "hidden")
    for (let interval = 0; interval < 3; interval++) {
      await page.clock.runFor(65_000)
      for (const tab of [front, back]) await settled(tab)
    }
    expect(reads).toEqual([front, front, front])
  })

  test("a message from a tab that runs Auth.js makes the others ask the server, without posting again", async () => {
    const site = await openSite()
    const { page } = await visit()
    const [first = page, second = page, third = page] = await openTabs(site, page, 3)
    await signIn(first)
    await shows(second, "authenticated ada")
    site.asked()
    await recordMessages(third)
    await post(third, `{ event: "session", data: { trigger: "getSession" } }`)
    for (const tab of [first, second, third]) await settled(tab)
    expect(site.asked()).toEqual({ "GET /auth/session": 3, "GET /auth/csrf": 3 })
    expect(await third.evaluate("received")).toEqual([{ event: "session", data: { trigger: "getSession" } }])
  })

  test("a sign-out message from Auth.js shows before the server responds", async () => {
    const site = await openSite()
    const { page } = await visit()
    const [first = page, second = page] = await openTabs(site, page, 2)
    await signIn(first)
    await shows(second, "authenticated ada")
    const answer = withResolvers<Response>()
    site.between = ({ url }) => (url.endsWith("/auth/session") ? answer.promise : undefined)
    await post(first, `{ event: "session", data: { trigger: "signout" } }`)
    await shows(second, "unauthenticated visitor")
    answer.resolve(Response.json(null))
  })

  test("messages have the format of Auth.js, and include the session", async () => {
    const site = await openSite()
    const { page } = await visit()
    const [first = page, second = page] = await openTabs(site, page, 2)
    await recordMessages(second)
    await signIn(first)
    await run(first, "signOut({ redirect: false })")
    await expect.poll(() => second.evaluate("received.length")).toBe(2)
    const ada = expect.objectContaining({ user: expect.objectContaining({ name: "ada" }) })
    expect(await second.evaluate("received")).toEqual([
      { event: "session", data: { trigger: "getSession", session: ada, asOf: expect.any(Number), base: "/auth" } },
      { event: "session", data: { trigger: "signout", session: null, asOf: expect.any(Number), base: "/auth" } },
    ])
  })

  test("getSession with `broadcast: false` posts no message", async () => {
    const site = await openSite()
    const { page } = await visit()
    const [first = page, second = page] = await openTabs(site, page, 2)
    await recordMessages(second)
    await run(first, "getSession({ broadcast: false })")
    await run(first, "getSession()")
    await expect.poll(() => second.evaluate("received.length")).toBe(1)
  })

  test("a session from before a sign-out doesn't undo it when it arrives later", async () => {
    const site = await openSite()
    const { page } = await visit()
    const [first = page, second = page] = await openTabs(site, page, 2)
    await signIn(first)
    await shows(second, "authenticated ada")
    await run(first, "signOut({ redirect: false })")
    await shows(second, "unauthenticated")
    const states = await second.evaluate("states.length")
    await post(first, sessionMessage(`{ user: { name: "ghost" } }`, "Date.now() - 60_000"))
    await post(first, sessionMessage(`{ user: { name: "grace" } }`, "Date.now()"))
    await shows(second, "authenticated grace")
    expect(await second.evaluate(`states.slice(${String(states)})`)).toEqual(["authenticated grace"])
  })

  test("invalid messages are ignored", async () => {
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
      await post(first, message)
    for (const session of ["7", `"grace"`, "[]", "true"]) await post(first, sessionMessage(session, "Date.now()"))
    await post(first, sessionMessage(`{ user: { name: "grace" } }`, `"soon"`))
    await post(first, sessionMessage(`{ user: { name: "grace" } }`, "Date.now()").replace("/auth", "/other"))
    await post(first, sessionMessage(`{ user: { name: "hopper" } }`, "Date.now()"))
    await shows(second, "authenticated hopper")
    expect(await second.evaluate("states.slice(-2)")).toEqual(["unauthenticated object", "authenticated hopper"])
    expect(site.asked()).toEqual({})
    expect(complaints).toEqual([])
  })

  test("a tab without a provider stops listening", async () => {
    const site = await openSite()
    const { page } = await visit()
    const [first = page, second = page] = await openTabs(site, page, 2)
    const third = await page.context().newPage()
    await third.goto(`${site.origin}/probe.js`)
    await run(second, "unmount()")
    await post(third, `{ event: "session", data: { trigger: "getSession" } }`)
    for (const tab of [first, second]) await settled(tab)
    expect(site.asked()).toEqual({ "GET /auth/session": 1, "GET /auth/csrf": 2 })
  })

  test("a server action that signs out makes the other tabs ask the server", async () => {
    const site = await openSite()
    site.rendersSession = true
    const { page } = await visit()
    const [first = page] = await openTabs(site, page, 1)
    await signIn(first)
    const [, second = page] = await openTabs(site, page, 2)
    await shows(second, "authenticated ada")
    await first.context().clearCookies()
    await run(first, "setProps({ session: null })")
    await shows(second, "unauthenticated visitor")
    expect(site.asked()).toEqual({ "GET /auth/session": 1 })
  })
})
