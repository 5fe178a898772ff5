import type { Page } from "playwright-core"
import { expect, test } from "vitest"
import { inChromium } from "../../../tests/browser/chromium.js"
import { openSite, run, shows, signIn, type Site, withResolvers } from "./site.js"

interface Gate {
  readonly reached: Promise<void>
  open(): void
}

/** Holds back the answer to the next request of this kind: the server has made it, the browser waits. */
function hold(site: Site, method: string, path: string): Gate {
  const [reached, opened] = [withResolvers<void>(), withResolvers<void>()]
  site.between = async (request) => {
    if (request.method !== method || new URL(request.url).pathname !== path) return undefined
    site.between = () => undefined
    const answer = await site.auth.handle(request)
    reached.resolve()
    await opened.promise
    return answer
  }
  return { reached: reached.promise, open: () => opened.resolve() }
}

/** Time enough for whatever else would be sent to be sent, and answered. */
async function exchange(page: Page): Promise<void> {
  for (let times = 0; times < 4; times++)
    await page.evaluate(`fetch("/auth/providers").then((answer) => answer.text())`)
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
  test("the session stays while it runs, and is replaced by what the server made of the data", async () => {
    const site = await openSite()
    const { page } = await visit()
    await signedIn(site, page)
    const gate = hold(site, "POST", "/auth/session")
    const updated = run(page, `update({ name: "lovelace" })`)
    await gate.reached
    expect(await page.locator("#who").innerText()).toBe("authenticated ada")
    gate.open()
    expect(await updated).toMatchObject({ user: { name: "lovelace" } })
    await shows(page, "authenticated lovelace")
    expect(await page.evaluate("states")).toEqual(["authenticated lovelace"])
    expect(site.asked()).toEqual({ "GET /auth/csrf": 1, "POST /auth/session": 1 })
  })

  test("without data it only reads", async () => {
    const site = await openSite()
    const { page } = await visit()
    await signedIn(site, page)
    expect(await run(page, "update()")).toMatchObject({ user: { name: "ada" } })
    expect(site.asked()).toEqual({ "GET /auth/session": 1 })
  })

  test.each([
    ["the server fails", () => new Response(null, { status: 500 })],
    ["the token is refused", () => Response.json(null, { status: 400 })],
    ["the answer is no session", () => Response.json("yes")],
  ])("it resolves to null and keeps the session when %s", async (_, answer) => {
    const site = await openSite()
    const { page } = await visit()
    await signedIn(site, page)
    site.between = ({ method }) => (method === "POST" ? answer() : undefined)
    expect(await run(page, `update({ name: "lovelace" })`)).toBeNull()
    expect(await page.locator("#who").innerText()).toBe("authenticated ada")
  })

  test("it shows signed out when the server says that nobody is", async () => {
    const site = await openSite()
    const { page } = await visit()
    await signedIn(site, page)
    await page.context().clearCookies()
    expect(await run(page, `update({ name: "lovelace" })`)).toBeNull()
    await shows(page, "unauthenticated nobody")
  })

  test.each([18, 19] as const)("[React %i] what is called while loading waits for the first read", async (react) => {
    const site = await openSite({ react })
    const { page } = await visit()
    await signedIn(site, page)
    site.setup = { eager: true, strict: true }
    await page.goto(site.origin)
    await shows(page, "authenticated eager")
    expect(await page.evaluate("states")).toEqual(["loading undefined", "authenticated ada", "authenticated eager"])
    expect(site.asked()).toMatchObject({ "GET /auth/session": 1 })
  })

  test("several run one after the other, and the last one counts", async () => {
    const site = await openSite()
    const { page } = await visit()
    await signedIn(site, page)
    const gate = hold(site, "POST", "/auth/session")
    const all = page.evaluate(`Promise.all(["a", "b", "c"].map((name) => app.update({ name })))`)
    await gate.reached
    await exchange(page)
    gate.open()
    expect(await all).toMatchObject([{ user: { name: "a" } }, { user: { name: "b" } }, { user: { name: "c" } }])
    await shows(page, "authenticated c")
  })
})

inChromium("answers that come late", (visit) => {
  test.each([
    ["an update", `update({ name: "lovelace" })`, "authenticated lovelace"],
    ["a sign-out", `signOut({ redirect: false })`, "unauthenticated nobody"],
    [
      "another sign-in",
      `signIn("credentials", { name: "grace", password: "open sesame", redirect: false })`,
      "authenticated grace",
    ],
  ])("a read from before does not overwrite %s", async (_, change, text) => {
    const site = await openSite()
    const { page, complaints } = await visit()
    await signedIn(site, page)
    const gate = hold(site, "GET", "/auth/session")
    const late = run(page, "getSession()")
    await gate.reached
    await run(page, change)
    await shows(page, text)
    gate.open()
    const [, name] = text.split(" ")
    expect(await late).toEqual(name === "nobody" ? null : expect.objectContaining({ user: { name } }))
    expect(await page.locator("#who").innerText()).toBe(text)
    expect(await page.evaluate("states.filter((state) => state === states.at(-1)).length")).toBe(1)
    expect(complaints).toEqual([])
  })

  test("a read from before another tab signed out does not sign in again", async () => {
    const site = await openSite()
    const { page } = await visit()
    await signedIn(site, page)
    const other = await page.context().newPage()
    await other.goto(site.origin)
    await shows(other, "authenticated ada")
    const gate = hold(site, "GET", "/auth/session")
    const late = run(page, "getSession()")
    await gate.reached
    await run(other, "signOut({ redirect: false })")
    await shows(page, "unauthenticated nobody")
    gate.open()
    expect(await late).toBeNull()
    expect(await page.locator("#who").innerText()).toBe("unauthenticated nobody")
    expect(await other.locator("#who").innerText()).toBe("unauthenticated nobody")
  })

  test("an update during which another tab signs out asks the server what came of it", async () => {
    const site = await openSite()
    const { page } = await visit()
    await signedIn(site, page)
    const other = await page.context().newPage()
    await other.goto(site.origin)
    await shows(other, "authenticated ada")
    const gate = hold(site, "POST", "/auth/session")
    const updated = run(page, `update({ name: "lovelace" })`)
    await gate.reached
    await run(other, "signOut({ redirect: false })")
    await shows(page, "unauthenticated")
    site.asked()
    gate.open()
    await updated
    // Its answer set the cookie again: that is how it is, and both say so.
    for (const tab of [page, other]) await shows(tab, "authenticated lovelace")
    expect(site.asked()).toEqual({ "GET /auth/session": 1 })
  })

  test("a sign-out waits for an update under way, so that it ends the session that the update made", async () => {
    const site = await openSite()
    const { page } = await visit()
    await signedIn(site, page)
    const gate = hold(site, "POST", "/auth/session")
    const both = page.evaluate(`Promise.all([app.update({ name: "lovelace" }), app.signOut({ redirect: false })])`)
    await gate.reached
    await exchange(page)
    expect(site.seen.join()).not.toContain("signout")
    gate.open()
    await both
    await shows(page, "unauthenticated nobody")
    await page.reload()
    await shows(page, "unauthenticated nobody")
  })

  test("a sign-in that fails while the first read is under way does not leave the page loading", async () => {
    const site = await openSite()
    const gate = hold(site, "GET", "/auth/session")
    const { page } = await visit()
    await page.goto(site.origin)
    await gate.reached
    await run(page, `signIn("credentials", { name: "ada", password: "wrong", redirect: false })`)
    await shows(page, "unauthenticated nobody")
    gate.open()
  })
})
