import { expect, test } from "vitest"
import { at, cookiesOf, password, signedIn, textOf } from "./steps.js"
import type { Served } from "./suite.js"

const env = { STEP_UP: "yes" }
const navigation = { "sec-fetch-mode": "navigate", accept: "text/html" }

/**
 * The page `/transfer` and the route `/api/transfer` need a sign-in of the last hour. Sessions of an application without the option don't say
 * when their user signed in, so they are never recent. The route also asks for the token of a provider.
 */
export function stepUp(served: Served): void {
  test("a page that needs a recent sign-in asks the user again, and opens afterwards", async () => {
    const site = await served(env)
    const cookie = cookiesOf(await signedIn(await served()))
    const account = await site.send("/account", { headers: { ...navigation, cookie } })
    expect(textOf(account.text, "account")).toBe("ada@users.test")
    const { status, headers } = await site.send("/transfer?to=bob", { headers: { ...navigation, cookie } })
    expect([302, 303, 307]).toContain(status)
    const asks = new URL(headers.get("location") ?? "", site.origin)
    expect([asks.origin, asks.pathname]).toEqual([site.origin, `${site.basePath}/step-up`])
    const browser = site.browse()
    await browser.get(asks)
    expect(new URL(browser.location).pathname).toBe(`${site.basePath}/signin`)
    await browser.submitForm("callback/credentials", { email: "ada@users.test", password })
    expect(at(browser)).toBe("/transfer?to=bob")
    expect(textOf(browser.text, "account")).toBe("ada@users.test")
  })

  test("a route that needs a recent sign-in tells a program what is missing", async () => {
    const site = await served(env)
    const cookie = cookiesOf(await signedIn(await served()))
    const headers = { accept: "application/json" }
    const refused = await site.send("/api/transfer", { headers: { ...headers, cookie } })
    expect(refused.status).toBe(401)
    expect(refused.headers.get("cache-control")).toContain("no-store")
    expect(refused.headers.get("www-authenticate")).toMatch(/error="insufficient_user_authentication".*max_age=3600/)
    const recent = cookiesOf(await signedIn(site))
    const answered = await site.send("/api/transfer", { headers: { ...headers, cookie: recent } })
    // The route also asks for the token of a provider, at which this user has no account.
    const answer = { email: "ada@users.test", problem: "not-connected" }
    expect([answered.status, JSON.parse(answered.text)]).toEqual([200, answer])
  })
}
