import type { Page } from "playwright-core"
import { expect, test } from "vitest"
import { inChromium } from "../../../tests/browser/chromium.js"
import { openSite, run, shows, signIn, type Site, withResolvers } from "./site.js"

interface Gate {
  readonly reached: Promise<void>
  open(): void
}

/** Delays the response to the next matching request. The server has handled it already. */
function delayResponse(site: Site, method: string, path: string): Gate {
  const [reached, opened] = [withResolvers<void>(), withResolvers<void>()]
  site.between = async (request) => {
    if (request.method !== method || new URL(request.url).pathname !== path) return undefined
    site.between = () => undefined
    const response = await site.auth.handle(request)
    reached.resolve()
    await opened.promise
    return response
  }
  return { reached: reached.promise, open: () => opened.resolve() }
}

/** Waits long enough for any other request to be sent and answered. */
async function otherRequests(page: Page): Promise<void> {
  for (let times = 0; times < 4; times++)
    await page.evaluate(`fetch("/auth/providers").then((response) => response.text())`)
}

async function signedIn(site: Site, page: Page): Promise<void> {
  await page.goto(site.origin)
  await shows(page, "unauthenticated")
  await signIn(page)
  await shows(page, "authenticated ada")
  await page.evaluate("states.length = 0")
  site.asked()
}

inChromium("update", (visit) => {
  test("the old session stays until the updated one arrives", async () => {
    const site = await openSite()
    const { page } = await visit()
    await signedIn(site, page)
    const gate = delayResponse(site, "POST", "/auth/session")
    const updated = run(page, `update({ name: "lovelace" })`)
    await gate.reached
    expect(await page.locator("#who").innerText()).toBe("authenticated ada")
    gate.open()
    expect(await updated).toMatchObject({ user: { name: "lovelace" } })
    await shows(page, "authenticated lovelace")
    expect(await page.evaluate("states")).toEqual(["authenticated lovelace"])
    expect(site.asked()).toEqual({ "GET /auth/csrf": 1, "POST /auth/session": 1 })
  })

  test("without data, it only reads the session", async () => {
    const site = await openSite()
    const { page } = await visit()
    await signedIn(site, page)
    expect(await run(page, "update()")).toMatchObject({ user: { name: "ada" } })
    expect(site.asked()).toEqual({ "GET /auth/session": 1 })
  })

  test.each([
    ["the server fails", () => new Response(null, { status: 500 })],
    ["the database is down", () => Response.json(null, { status: 503 })],
    ["the CSRF token is rejected", () => Response.json(null, { status: 400 })],
    ["the response isn't a session", () => Response.json("yes")],
  ])("resolves to null and keeps the session when %s", async (_, answer) => {
    const site = await openSite()
    const { page } = await visit()
    await signedIn(site, page)
    site.between = ({ method }) => (method === "POST" ? answer() : undefined)
    expect(await run(page, `update({ name: "lovelace" })`)).toBeNull()
    expect(await page.locator("#who").innerText()).toBe("authenticated ada")
  })

  test("shows the visitor as signed out when the server returns no session", async () => {
    const site = await openSite()
    const { page } = await visit()
    await signedIn(site, page)
    await page.context().clearCookies()
    expect(await run(page, `update({ name: "lovelace" })`)).toBeNull()
    await shows(page, "unauthenticated visitor")
  })

  test.each([18, 19] as const)("[React %i] a call while loading waits for the first read", async (react) => {
    const site = await openSite({ react })
    const { page } = await visit()
    await signedIn(site, page)
    site.setup = { eager: true, strict: true }
    await page.goto(site.origin)
    await shows(page, "authenticated eager")
    expect(await page.evaluate("states")).toEqual(["loading undefined", "authenticated ada", "authenticated eager"])
    expect(site.asked()).toMatchObject({ "GET /auth/session": 1 })
  })

  test("parallel calls run one after the other, and the last one wins", async () => {
    const site = await openSite()
    const { page } = await visit()
    await signedIn(site, page)
    const gate = delayResponse(site, "POST", "/auth/session")
    const all = page.evaluate(`Promise.all(["a", "b", "c"].map((name) => app.update({ name })))`)
    await gate.reached
    await otherRequests(page)
    gate.open()
    expect(await all).toMatchObject([{ user: { name: "a" } }, { user: { name: "b" } }, { user: { name: "c" } }])
    await shows(page, "authenticated c")
  })
})

inChromium("late responses", (visit) => {
  test.each([
    ["an update", `update({ name: "lovelace" })`, "authenticated lovelace"],
    ["a sign-out", `signOut({ redirect: false })`, "unauthenticated visitor"],
    [
      "another sign-in",
      `signIn("credentials", { name: "grace", password: "open sesame", redirect: false })`,
      "authenticated grace",
    ],
  ])("an earlier read doesn't overwrite %s", async (_, change, text) => {
    const site = await openSite()
    const { page, complaints } = await visit()
    await signedIn(site, page)
    const gate = delayResponse(site, "GET", "/auth/session")
    const late = run(page, "getSession()")
    await gate.reached
    await run(page, change)
    await shows(page, text)
    gate.open()
    const [, name] = text.split(" ")
    expect(await late).toEqual(name === "visitor" ? null : expect.objectContaining({ user: { name } }))
    expect(await page.locator("#who").innerText()).toBe(text)
    expect(await page.evaluate("states.filter((state) => state === states.at(-1)).length")).toBe(1)
    expect(complaints).toEqual([])
  })

  test("an earlier read doesn't undo a sign-out in another tab", async () => {
    const site = await openSite()
    const { page } = await visit()
    await signedIn(site, page)
    const other = await page.context().newPage()
    await other.goto(site.origin)
    await shows(other, "authenticated ada")
    const gate = delayResponse(site, "GET", "/auth/session")
    const late = run(page, "getSession()")
    await gate.reached
    await run(other, "signOut({ redirect: false })")
    await shows(page, "unauthenticated visitor")
    gate.open()
    expect(await late).toBeNull()
    expect(await page.locator("#who").innerText()).toBe("unauthenticated visitor")
    expect(await other.locator("#who").innerText()).toBe("unauthenticated visitor")
  })

  test("an update during which another tab signs out asks the server for the result", async () => {
    const site = await openSite()
    const { page } = await visit()
    await signedIn(site, page)
    const other = await page.context().newPage()
    await other.goto(site.origin)
    await shows(other, "authenticated ada")
    const gate = delayResponse(site, "POST", "/auth/session")
    const updated = run(page, `update({ name: "lovelace" })`)
    await gate.reached
    await run(other, "signOut({ redirect: false })")
    await shows(page, "unauthenticated")
    site.asked()
    gate.open()
    await updated
    // The response to the update set the session cookie again, and both tabs show that.
    for (const tab of [page, other]) await shows(tab, "authenticated lovelace")
    expect(site.asked()).toEqual({ "GET /auth/session": 1 })
  })

  test("a sign-out waits for an update in progress, so it ends the updated session", async () => {
    const site = await openSite()
    const { page } = await visit()
    await signedIn(site, page)
    const gate = delayResponse(site, "POST", "/auth/session")
    const both = page.evaluate(`Promise.all([app.update({ name: "lovelace" }), app.signOut({ redirect: false })])`)
    await gate.reached
    await otherRequests(page)
    expect(site.seen.join()).not.toContain("signout")
    gate.open()
    await both
    await shows(page, "unauthenticated visitor")
    await page.reload()
    await shows(page, "unauthenticated visitor")
  })

  test("a failed sign-in during the first read ends the loading status", async () => {
    const site = await openSite()
    const gate = delayResponse(site, "GET", "/auth/session")
    const { page } = await visit()
    await page.goto(site.origin)
    await gate.reached
    await run(page, `signIn("credentials", { name: "ada", password: "wrong", redirect: false })`)
    await shows(page, "unauthenticated visitor")
    gate.open()
  })
})
