import { SessionProvider, useSession } from "@latchkey/react"
import { createElement } from "react"
import { renderToString } from "react-dom/server"
import { describe, expect, test } from "vitest"
import { inChromium } from "../../../tests/browser/chromium.js"
import { Who } from "./pages/who.js"
import { openFrozen, openSite, run, shows, signIn } from "./site.js"

const grace = { user: { name: "grace" }, expires: "2999-01-01T00:00:00Z" }
const hopper = { user: { name: "hopper" }, expires: "2999-01-01T00:00:00Z" }

inChromium("SessionProvider", (visit) => {
  describe.each([18, 19] as const)("in React %i", (react) => {
    test.each([false, true])("without a session prop it asks once (StrictMode: %s)", async (strict) => {
      const site = await openSite({ react })
      site.setup = { strict }
      const { page, complaints } = await visit()
      await page.goto(site.origin)
      await shows(page, "unauthenticated nobody")
      await run(page, "getCsrfToken()")
      expect(site.asked()).toEqual({ "GET /auth/session": 1, "GET /auth/csrf": 1 })
      expect(await page.evaluate("states")).toEqual(["loading undefined", "unauthenticated object"])
      expect(complaints).toEqual([])
    })

    test.each([
      ["somebody", grace, "authenticated grace"],
      ["nobody", null, "unauthenticated nobody"],
    ])("a session prop that says %s is used as it is, and nothing is asked", async (_, session, text) => {
      const site = await openSite({ react })
      site.setup = { strict: true, props: { session } }
      const { page } = await visit()
      await page.goto(site.origin)
      await shows(page, text)
      await run(page, "getCsrfToken()")
      expect(site.asked()).toEqual({ "GET /auth/csrf": 1 })
      expect(await page.evaluate("states.length")).toBe(1)
    })

    test("signing in and out without leaving the page shows at once", async () => {
      const site = await openSite({ react })
      const { page, complaints } = await visit()
      await page.goto(site.origin)
      await shows(page, "unauthenticated")
      await signIn(page, "ada")
      await shows(page, "authenticated ada")
      site.asked()
      expect(await run(page, `signOut({ redirect: false })`)).toEqual({ url: `${site.origin}/`, ok: true })
      await shows(page, "unauthenticated nobody")
      expect(site.asked()).toEqual({ "GET /auth/csrf": 1, "POST /auth/signout": 1 })
      expect(complaints).toEqual([])
    })

    test("markup of a server is hydrated without a mismatch, with a session and without", async () => {
      const site = await openSite({ react })
      const { page, complaints } = await visit()
      for (const [props, before, after] of [
        [{ session: grace }, "authenticated grace", "authenticated grace"],
        [{ session: null }, "unauthenticated nobody", "unauthenticated nobody"],
        [{}, "loading nobody", "unauthenticated nobody"],
      ] as const) {
        site.setup = { hydrate: true, strict: true, props }
        site.markup = renderToString(createElement(SessionProvider, props, createElement(ServerProbe)))
        expect(site.markup).toContain(before)
        await page.goto(site.origin)
        await page.waitForFunction("window.app !== undefined")
        await shows(page, after)
      }
      expect(complaints).toEqual([])
    })

    test("a session prop that changes is taken over: after a sign-in and a sign-out by the server", async () => {
      const site = await openSite({ react })
      site.setup = { strict: true, props: { session: null } }
      const { page } = await visit()
      await page.goto(site.origin)
      await shows(page, "unauthenticated")
      await run(page, `setProps({ session: ${JSON.stringify(grace)} })`)
      await shows(page, "authenticated grace")
      await run(page, `setProps({ session: ${JSON.stringify(hopper)} })`)
      await shows(page, "authenticated hopper")
      await run(page, `setProps({ session: undefined })`)
      await shows(page, "authenticated hopper")
      await run(page, `setProps({ session: null })`)
      await shows(page, "unauthenticated nobody")
      await run(page, "getCsrfToken()")
      expect(site.asked()).toEqual({ "GET /auth/csrf": 1 })
    })

    test("the same prop in a new object does not undo what was learned since", async () => {
      const site = await openSite({ react })
      site.rendersSession = true
      const { page } = await visit()
      await page.goto(site.origin)
      await shows(page, "unauthenticated")
      await signIn(page, "ada")
      await shows(page, "authenticated ada")
      await run(page, `setProps({ session: null, refetchInterval: 900 })`)
      expect(await page.locator("#who").innerText()).toBe("authenticated ada")
    })
  })

  test("those who ask at once share one request", async () => {
    const site = await openSite()
    site.setup = { props: { session: null } }
    const { page } = await visit()
    await page.goto(site.origin)
    const all = "Promise.all(Array.from({ length: 5 }, () => app.getSession()))"
    expect(await page.evaluate(all)).toEqual([null, null, null, null, null])
    expect(site.asked()).toEqual({ "GET /auth/session": 1 })
  })

  test("a read that fails keeps the session, and is logged without a secret", async () => {
    const site = await openSite()
    const { page, complaints } = await visit()
    await page.goto(site.origin)
    await shows(page, "unauthenticated")
    await signIn(page)
    await shows(page, "authenticated ada")
    site.between = () => Response.json({ message: "broken" }, { status: 500 })
    expect(await run(page, "getSession()")).toBeNull()
    await page.context().setOffline(true)
    expect(await run(page, "getSession()")).toBeNull()
    expect(await page.locator("#who").innerText()).toBe("authenticated ada")
    const told = complaints.filter((line) => line.startsWith("[auth]"))
    expect(told).toEqual([
      expect.stringMatching(
        /^\[auth\]\[error\] ClientFetchError: \/auth\/session gave no usable answer \(status 500\)/,
      ),
      expect.stringMatching(/^\[auth\]\[error\] ClientFetchError: \/auth\/session gave no answer/),
    ])
  })

  test("a first read that fails ends loading, and the next that works shows who is there", async () => {
    const site = await openSite()
    site.between = ({ url }) => (url.endsWith("/auth/session") ? new Response("<html>", { status: 502 }) : undefined)
    const { page } = await visit()
    await page.goto(site.origin)
    await shows(page, "unauthenticated nobody")
    site.between = () => undefined
    await signIn(page)
    await shows(page, "authenticated ada")
  })

  test("a provider that is taken away forgets what it knew, and the next asks anew", async () => {
    const site = await openSite()
    const { page } = await visit()
    await page.goto(site.origin)
    await shows(page, "unauthenticated")
    await signIn(page)
    await shows(page, "authenticated ada")
    expect(await page.evaluate("[app.config._session.user.name, app.config._lastSync > 1.7e9]")).toEqual(["ada", true])
    await run(page, "unmount()")
    expect(await page.evaluate("[app.config._session, app.config._lastSync, app.config._getSession()]")).toEqual([
      undefined,
      0,
      undefined,
    ])
    site.asked()
    await run(page, "render()")
    await shows(page, "authenticated ada")
    expect(site.asked()).toEqual({ "GET /auth/session": 1 })
  })

  test("what applications call `_getSession` for still works: the session is asked for again", async () => {
    const site = await openSite()
    site.setup = { props: { session: null } }
    const { page } = await visit()
    await page.goto(site.origin)
    await page.evaluate(`app.config._getSession({ event: "storage" })`)
    expect(site.asked()).toEqual({ "GET /auth/session": 1 })
  })

  test("useSession without a provider says what is missing", async () => {
    const site = await openSite()
    site.setup = { bare: true }
    const { page } = await visit()
    await page.goto(site.origin)
    await shows(page, "useSession found no session: put a <SessionProvider> around what uses it")
  })

  test("revalidate asks at once, and then at most once a second, the last time included", async () => {
    const site = await openSite()
    site.setup = { props: { session: null } }
    const { page } = await visit()
    await openFrozen(page, site)
    await page.evaluate("void (window.first = app.revalidate())")
    await page.clock.runFor(1)
    await page.evaluate("first")
    expect(site.asked()).toEqual({ "GET /auth/session": 1 })
    await page.evaluate("void (window.later = Promise.all([app.revalidate(), app.revalidate(), app.revalidate()]))")
    await page.clock.runFor(900)
    await run(page, "getCsrfToken()")
    expect(site.asked()).toEqual({ "GET /auth/csrf": 1 })
    await page.clock.runFor(200)
    await page.evaluate("later")
    expect(site.asked()).toEqual({ "GET /auth/session": 1 })
  })
})

function ServerProbe() {
  return Who(useSession())
}
