import { frozenClock } from "@latchkey/testing"
import { expect, test } from "vitest"
import { inChromium } from "../../../tests/browser/chromium.js"
import { openFrozen, openSite, run, settled, shows, signIn, turn } from "./site.js"

const one = { "GET /auth/session": 1, "GET /auth/csrf": 1 }
const none = { "GET /auth/csrf": 1 }
const sessionUntil = (expires: string) => ({ user: { name: "grace" }, expires })
const grace = sessionUntil("2999-01-01T00:00:00Z")

inChromium("automatic reads", (visit) => {
  test("a page that becomes visible reads the session if the last response is five seconds old", async () => {
    const site = await openSite()
    site.setup = { props: { session: grace } }
    const { page } = await visit()
    await openFrozen(page, site)
    await run(page, "getSession()")
    site.asked()
    await page.clock.runFor(4900)
    await turn(page, "hidden")
    await turn(page, "visible")
    await settled(page)
    expect(site.asked()).toEqual(none)
    await page.clock.runFor(100)
    await turn(page, "hidden")
    await settled(page)
    expect(site.asked()).toEqual(none)
    await turn(page, "visible")
    await turn(page, "visible")
    await settled(page)
    expect(site.asked()).toEqual(one)
  })

  test("refetchOnWindowFocus can be turned off and on again", async () => {
    const site = await openSite()
    site.setup = { props: { session: grace, refetchOnWindowFocus: false } }
    const { page } = await visit()
    await openFrozen(page, site)
    await page.clock.runFor(60_000)
    await turn(page, "visible")
    await settled(page)
    expect(site.asked()).toEqual(none)
    await run(page, "setProps({ refetchOnWindowFocus: true })")
    await page.clock.runFor(100)
    await turn(page, "visible")
    await settled(page)
    expect(site.asked()).toEqual(one)
  })

  test("refetchInterval reads at that interval while the user is signed in, and stops after a sign-out", async () => {
    const site = await openSite()
    const { page } = await visit()
    await page.goto(site.origin)
    await shows(page, "unauthenticated")
    await signIn(page)
    site.setup = { props: { refetchInterval: 60 } }
    await openFrozen(page, site)
    await shows(page, "authenticated ada")
    site.asked()
    for (let minute = 0; minute < 3; minute++) {
      await page.clock.runFor(45_000)
      await settled(page)
      expect(site.asked()).toEqual(none)
      await page.clock.runFor(20_000)
      await settled(page)
      expect(site.asked()).toEqual(one)
    }
    await run(page, "signOut({ redirect: false })")
    site.asked()
    await page.clock.runFor(600_000)
    await settled(page)
    expect(site.asked()).toEqual(none)
  })

  test("with a session prop, the first interval starts with the page", async () => {
    const site = await openSite()
    site.setup = { props: { session: grace, refetchInterval: 60 } }
    const { page } = await visit()
    await openFrozen(page, site)
    await page.clock.runFor(50_000)
    await settled(page)
    expect(site.asked()).toEqual(none)
  })

  test("changing refetchInterval leaves one timer", async () => {
    const site = await openSite()
    const { page } = await visit()
    await page.goto(site.origin)
    await shows(page, "unauthenticated")
    await signIn(page)
    site.setup = { strict: true, props: { refetchInterval: 40 } }
    await openFrozen(page, site)
    await shows(page, "authenticated ada")
    await run(page, "setProps({ refetchInterval: 45 })")
    await run(page, "setProps({ refetchInterval: 60 })")
    await page.clock.runFor(100)
    site.asked()
    await page.clock.runFor(50_000)
    await settled(page)
    expect(site.asked()).toEqual(none)
    await page.clock.runFor(15_000)
    await settled(page)
    expect(site.asked()).toEqual(one)
    await run(page, "unmount()")
    await page.clock.runFor(600_000)
    await settled(page)
    expect(site.asked()).toEqual(none)
  })

  test.each([
    [undefined, 0],
    [false, 0],
    [true, 1],
  ])(
    "offline with refetchWhenOffline: %s, an interval makes %i attempts, and one when back online",
    async (when, attempts) => {
      const site = await openSite()
      site.setup = { props: { session: grace, refetchInterval: 60, refetchWhenOffline: when } }
      const { page, complaints } = await visit()
      await openFrozen(page, site)
      await page.context().setOffline(true)
      await page.clock.runFor(70_000)
      await settled(page)
      const failures = () =>
        complaints.filter((line) => line.includes("/auth/session failed: the server didn't respond")).length
      await expect.poll(failures).toBe(attempts)
      await page.context().setOffline(false)
      await page.clock.runFor(1000)
      await expect.poll(() => site.asked()).toEqual({ "GET /auth/session": 1 })
      await shows(page, "unauthenticated visitor")
    },
  )

  test("an expired session is read once and shows as signed out", async () => {
    const clock = frozenClock(Date.now())
    const site = await openSite({ config: { runtime: clock.runtime, session: { maxAge: 60 } } })
    const { page } = await visit()
    await openFrozen(page, site)
    await shows(page, "unauthenticated")
    await signIn(page)
    await shows(page, "authenticated ada")
    site.asked()
    clock.advance({ seconds: 120 })
    await page.clock.runFor(120_000)
    await shows(page, "unauthenticated visitor")
    await settled(page)
    expect(site.asked()).toEqual(one)
  })

  test.each([
    ["says it's still valid", 200, "authenticated grace"],
    ["can't be reached", 503, "authenticated grace"],
  ])("a session past its expiry is read once, even if the server %s", async (_, status, text) => {
    const site = await openSite()
    const past = new Date(Date.now() - 60_000).toISOString()
    site.between = ({ url }) =>
      url.endsWith("/auth/session") ? Response.json(sessionUntil(past), { status }) : undefined
    site.setup = { props: { session: sessionUntil(past) } }
    const { page } = await visit()
    await openFrozen(page, site)
    await page.clock.runFor(1000)
    await settled(page)
    expect(site.asked()).toEqual(one)
    await page.clock.runFor(600_000)
    await settled(page)
    expect(site.asked()).toEqual(none)
    expect(await page.locator("#who").innerText()).toBe(text)
  })

  test("a page from the back/forward cache reads the session at once", async () => {
    const site = await openSite()
    site.setup = { props: { session: null } }
    const { page } = await visit()
    await openFrozen(page, site)
    for (const persisted of [false, true]) {
      await page.evaluate(`dispatchEvent(new PageTransitionEvent("pageshow", { persisted: ${String(persisted)} }))`)
      await settled(page)
      expect(site.asked()).toEqual(persisted ? one : none)
    }
  })

  test("a restarted client reads the session if it was stopped for five seconds", async () => {
    const site = await openSite()
    site.setup = { props: { session: null } }
    const { page } = await visit()
    await openFrozen(page, site)
    await page.evaluate(`window.client = app.createAuthClient({ basePath: "/auth", session: null })`)
    for (const [pause, expected] of [
      [4900, none],
      [5000, one],
    ] as const) {
      await page.evaluate("client.start()()")
      await page.clock.runFor(pause)
      await page.evaluate("client.start()")
      await settled(page)
      expect(site.asked()).toEqual(expected)
    }
  })

  test("a session that expires in more than 25 days doesn't expire at once", async () => {
    const site = await openSite()
    site.setup = { props: { session: sessionUntil(new Date(Date.now() + 40 * 86_400_000).toISOString()) } }
    const { page } = await visit()
    await page.addInitScript(`const wait = setTimeout
      window.waits = []
      window.setTimeout = (task, time, ...rest) => (waits.push(time), wait(task, time, ...rest))`)
    await page.goto(site.origin)
    await shows(page, "authenticated grace")
    await settled(page)
    // `setTimeout` fires immediately for longer delays.
    expect(await page.evaluate("Math.max(...waits)")).toBe(2 ** 31 - 1)
    site.asked()
    await openFrozen(page, site)
    await page.clock.fastForward(26 * 86_400_000)
    await settled(page)
    expect(site.asked()).toEqual(none)
    await page.clock.fastForward(15 * 86_400_000)
    await settled(page)
    expect(site.asked()).toEqual(one)
    await shows(page, "unauthenticated visitor")
  })
})
