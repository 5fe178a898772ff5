import { SessionProvider, useSession } from "@latchkey/react"
import { createElement } from "react"
import { renderToString } from "react-dom/server"
import { describe, expect, test } from "vitest"
import { inChromium } from "../../../tests/browser/chromium.js"
import { SessionText } from "./pages/session-text.js"
import { openFrozen, openSite, run, shows, signIn } from "./site.js"

const grace = { user: { name: "grace" }, expires: "2999-01-01T00:00:00Z" }
const hopper = { user: { name: "hopper" }, expires: "2999-01-01T00:00:00Z" }

inChromium("SessionProvider", (visit) => {
  describe.each([18, 19] as const)("in React %i", (react) => {
    test.each([false, true])("without a session prop, it sends one request (StrictMode: %s)", async (strict) => {
      const site = await openSite({ react })
      site.setup = { strict }
      const { page, complaints } = await visit()
      await page.goto(site.origin)
      await shows(page, "unauthenticated visitor")
      await run(page, "getCsrfToken()")
      expect(site.asked()).toEqual({ "GET /auth/session": 1, "GET /auth/csrf": 1 })
      expect(await page.evaluate("states")).toEqual(["loading undefined", "unauthenticated object"])
      expect(complaints).toEqual([])
    })

    test.each([
      ["a user", grace, "authenticated grace"],
      ["null", null, "unauthenticated visitor"],
    ])("with %s as the session prop, it sends no request", async (_, session, text) => {
      const site = await openSite({ react })
      site.setup = { strict: true, props: { session } }
      const { page } = await visit()
      await page.goto(site.origin)
      await shows(page, text)
      await run(page, "getCsrfToken()")
      expect(site.asked()).toEqual({ "GET /auth/csrf": 1 })
      expect(await page.evaluate("states.length")).toBe(1)
    })

    test("signing in and out without leaving the page updates it at once", async () => {
      const site = await openSite({ react })
      const { page, complaints } = await visit()
      await page.goto(site.origin)
      await shows(page, "unauthenticated")
      await signIn(page, "ada")
      await shows(page, "authenticated ada")
      site.asked()
      expect(await run(page, `signOut({ redirect: false })`)).toEqual({ url: `${site.origin}/`, ok: true })
      await shows(page, "unauthenticated visitor")
      expect(site.asked()).toEqual({ "GET /auth/csrf": 1, "POST /auth/signout": 1 })
      expect(complaints).toEqual([])
    })

    test("server markup hydrates without a mismatch, with and without a session", async () => {
      const site = await openSite({ react })
      const { page, complaints } = await visit()
      for (const [props, before, after] of [
        [{ session: grace }, "authenticated grace", "authenticated grace"],
        [{ session: null }, "unauthenticated visitor", "unauthenticated visitor"],
        [{}, "loading visitor", "unauthenticated visitor"],
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

    test("takes a new session prop, for example after a server action signs in or out", async () => {
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
      await shows(page, "unauthenticated visitor")
      expect(site.asked()).toEqual({ "GET /auth/session": 1 })
    })

    test("an equal prop in a new object doesn't replace a newer session", async () => {
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

  test("parallel calls share one request", async () => {
    const site = await openSite()
    site.setup = { props: { session: null } }
    const { page } = await visit()
    await page.goto(site.origin)
    const all = "Promise.all(Array.from({ length: 5 }, () => app.getSession()))"
    expect(await page.evaluate(all)).toEqual([null, null, null, null, null])
    expect(site.asked()).toEqual({ "GET /auth/session": 1 })
  })

  test("a failed read keeps the session and is logged without a secret", async () => {
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
    const logged = complaints.filter((line) => line.startsWith("[auth]"))
    expect(logged).toEqual([
      expect.stringMatching(
        /^\[auth\]\[error\] ClientFetchError: \/auth\/session failed: unexpected response with status 500/,
      ),
      expect.stringMatching(/^\[auth\]\[error\] ClientFetchError: \/auth\/session failed: the server didn't respond/),
    ])
  })

  test("a failed first read ends the loading status, and the next one shows the session", async () => {
    const site = await openSite()
    site.between = ({ url }) => (url.endsWith("/auth/session") ? new Response("<html>", { status: 502 }) : undefined)
    const { page } = await visit()
    await page.goto(site.origin)
    await shows(page, "unauthenticated visitor")
    site.between = () => undefined
    await signIn(page)
    await shows(page, "authenticated ada")
  })

  test("an unmounted provider drops its session, and the next one asks the server", async () => {
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

  test("`__NEXTAUTH._getSession` reads the session again", async () => {
    const site = await openSite()
    site.setup = { props: { session: null } }
    const { page } = await visit()
    await page.goto(site.origin)
    await page.evaluate(`app.config._getSession({ event: "storage" })`)
    expect(site.asked()).toEqual({ "GET /auth/session": 1 })
  })

  test("useSession without a provider throws a helpful error", async () => {
    const site = await openSite()
    site.setup = { bare: true }
    const { page } = await visit()
    await page.goto(site.origin)
    await shows(
      page,
      "useSession needs a <SessionProvider>. Wrap the components that use it, for example in your root layout.",
    )
  })

  test("revalidate sends a request at once, then at most one a second, including the last call", async () => {
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
  return SessionText(useSession())
}
