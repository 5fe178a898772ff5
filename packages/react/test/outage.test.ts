import { memoryAdapter } from "@latchkey/adapter-kit/memory"
import credentials from "@latchkey/core/providers/credentials"
import { expect, test } from "vitest"
import { inChromium } from "../../../tests/browser/chromium.js"
import { openSite, run, shows, signIn } from "./site.js"

/** A site with sessions in a database that can fail, and where the user is signed in. */
async function openStored() {
  const store = memoryAdapter()
  let isDown = false
  const adapter = new Proxy(store, {
    get: (target, name) =>
      isDown ? () => Promise.reject(new Error("The database is down.")) : Reflect.get(target, name),
  })
  const ada = await store.createUser({ id: "1", name: "ada", email: "ada@users.test", emailVerified: null })
  const password = credentials({ credentials: { name: {}, password: {} }, authorize: () => ada })
  const site = await openSite({ config: { adapter, providers: [password], session: { strategy: "database" } } })
  const setDown = (value: boolean) => {
    isDown = value
  }
  return { site, setDown }
}

inChromium("a database that is down", (visit) => {
  test.each([
    ["a read", "getSession()"],
    ["an update", `update({ name: "lovelace" })`],
    ["an update without data", "update()"],
    ["a page from the back/forward cache", undefined],
    ["a page that the server rendered without a session", "setProps({ session: null })"],
  ])("doesn't show the user as signed out, after %s", async (_, call) => {
    const { site, setDown } = await openStored()
    const { page, complaints } = await visit()
    await page.goto(site.origin)
    await shows(page, "unauthenticated")
    await signIn(page)
    await shows(page, "authenticated ada")
    const before = await page.evaluate("states.length")
    setDown(true)
    if (call !== undefined) await run(page, call)
    else await page.evaluate(`dispatchEvent(new PageTransitionEvent("pageshow", { persisted: true }))`)
    await expect
      .poll(() => complaints.join("\n"))
      .toContain("/auth/session failed: unexpected response with status 503")
    expect(await page.locator("#who").innerText()).toBe("authenticated ada")
    expect(
      await page.evaluate(`states.slice(${String(before)}).filter((state) => state !== "authenticated ada")`),
    ).toEqual([])
    setDown(false)
    expect(await run(page, "getSession()")).toMatchObject({ user: { name: "ada" } })
  })
})
