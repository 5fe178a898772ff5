import { createIntegration, type StepUp } from "@latchkey/core/integration"
import type { Browser } from "@latchkey/testing"
import { describe, expect, test } from "vitest"
import { enrolled, held, newUser, passkeyOf, signedIn, type Site, siteOf, submit } from "./site.js"

/** A request that the browser sends to a page or an endpoint of the application. */
function requestOf(browser: Browser, path: string, headers: Readonly<Record<string, string>> = {}): Request {
  const cookie = browser.cookies.map(({ name, value }) => `${name}=${value}`).join("; ")
  return new Request(`https://app.test${path}`, { headers: { host: "app.test", cookie, ...headers } })
}

const page = { "sec-fetch-mode": "navigate" }

async function ask(site: Site, browser: Browser, maxAge?: number) {
  return site.server.require(requestOf(browser, "/money?to=bob", page), maxAge === undefined ? {} : { maxAge })
}

describe("the application asks for a recent factor", () => {
  test("which a sign-in with it proves, until it's too old", async () => {
    const site = await siteOf()
    const browser = await signedIn(site, await enrolled(site))
    expect(await ask(site, browser, 300)).toBeNull()
    site.clock.advance({ minutes: 5, seconds: 1 })
    expect((await ask(site, browser, 300))?.status).toBe(303)
    expect(await ask(site, browser)).toBeNull()
    site.clock.advance({ minutes: 10 })
    expect((await ask(site, browser))?.status).toBe(303)
  })

  test("on a page that leads back", async () => {
    const site = await siteOf()
    const person = await enrolled(site)
    const { browser } = person
    const response = await ask(site, browser)
    await browser.get(response?.headers.get("location") ?? "")
    expect(browser.text).toContain("Confirm that it&#39;s you")
    await browser.submitForm("mfa/verify", { code: "000000" })
    expect(browser.response.status).toBe(401)
    expect((await ask(site, browser))?.status).toBe(303)
    await browser.submitForm("mfa/verify", { code: person.app.code(site.clock.now()) })
    expect(browser.location).toBe("https://app.test/money?to=bob")
    expect(await ask(site, browser)).toBeNull()
  })

  test("and a script gets 401 with what is missing (RFC 9470)", async () => {
    const site = await siteOf()
    const { browser } = await enrolled(site)
    const response = await site.server.require(requestOf(browser, "/api/money"), { maxAge: 300 })
    expect(response?.status).toBe(401)
    const challenge = response?.headers.get("www-authenticate") ?? ""
    expect(challenge).toMatch(/^Bearer error="insufficient_user_authentication", .*acr_values="mfa", max_age=300$/)
    expect(await response?.json()).toMatchObject({
      error: "insufficient_user_authentication",
      url: "https://app.test/auth/step-up?to=%2Fapi%2Fmoney&max_age=300&level=2",
    })
  })

  test("which a trusted device isn't enough for", async () => {
    const site = await siteOf()
    const device = await signedIn(site, await enrolled(site), { trust: "yes" })
    await device.signOut()
    await held(site, "ada", device)
    expect(await device.session()).not.toBeNull()
    expect((await ask(site, device))?.status).toBe(303)
  })

  test("which a user without a factor sets up first", async () => {
    const site = await siteOf()
    const browser = await newUser(site)
    const response = await ask(site, browser)
    await browser.get(response?.headers.get("location") ?? "")
    expect(browser.text).toContain("You haven&#39;t set up a second step yet")
  })

  test("and a visitor without a session isn't let in", async () => {
    const site = await siteOf()
    await enrolled(site)
    expect((await ask(site, await site.browse()))?.status).toBe(303)
  })

  test("of this user: the proof of another one in the same browser counts for nothing", async () => {
    const site = await siteOf()
    const browser = await signedIn(site, await enrolled(site))
    const proof = browser.cookies.find(({ name }) => name.endsWith("mfa.proof"))
    const grace = await enrolled(site, "grace")
    const headers = {
      cookie: [...grace.browser.cookies, proof].map((each) => `${each?.name}=${each?.value}`).join("; "),
    }
    expect((await site.server.require(requestOf(browser, "/", { ...page, ...headers })))?.status).toBe(303)
  })

  test("for at most a day", async () => {
    const site = await siteOf({}, { session: { strategy: "jwt", maxAge: 30 * 86_400 } })
    const { browser, app } = await enrolled(site)
    await browser.get("/auth/mfa/verify")
    site.clock.advance({ minutes: 1 })
    await browser.submitForm("mfa/verify", { code: app.code(site.clock.now()) })
    expect(await ask(site, browser, 10 * 86_400)).toBeNull()
    site.clock.advance({ hours: 24, seconds: 1 })
    expect((await ask(site, browser, 10 * 86_400))?.status).toBe(303)
  })
})

describe("two factors are", () => {
  const strong = async (site: Site, browser: Browser) =>
    (await site.server.require(requestOf(browser, "/money", page), { maxAge: "1d" })) === null

  test.each([
    [["pwd", "mfa"], true],
    [["pwd"], false],
  ])("a sign-in at an accepted provider whose ID token says %j: %s", async (amr, expected) => {
    const site = await siteOf({ accept: { op: { amr: ["mfa"] } } })
    await newUser(site)
    site.op.inject({
      idToken: (token) => ({ ...token, claims: { ...token.claims, amr, auth_time: token.claims["iat"] } }),
    })
    const browser = await site.browse()
    await browser.signInWith(site.op, { as: "ada" })
    expect(await browser.session()).not.toBeNull()
    expect(await strong(site, browser)).toBe(expected)
  })

  test.each([true, false])("a passkey, if it verified its user (%s)", async (userVerification) => {
    const site = await siteOf()
    const browser = await newUser(site)
    const authenticator = await passkeyOf(browser, { userVerification })
    await browser.signOut()
    await browser.signInWithPasskey(authenticator)
    expect(await browser.session()).not.toBeNull()
    expect(await strong(site, browser)).toBe(userVerification)
  })

  test("not a password, nor a link in an email", async () => {
    const site = await siteOf()
    const browser = await newUser(site)
    expect(await strong(site, browser)).toBe(false)
    expect(await strong(site, await held(site))).toBe(false)
  })

  test("not what was proven in another session before, whose cookie was copied", async () => {
    const site = await siteOf()
    const device = await signedIn(site, await enrolled(site), { trust: "yes" })
    const proof = device.cookies.find(({ name }) => name.endsWith("mfa.proof"))
    await device.signOut()
    site.clock.advance({ minutes: 1 })
    await held(site, "ada", device)
    expect(await device.session()).not.toBeNull()
    const cookie = [...device.cookies, proof].map((each) => `${each?.name}=${each?.value}`).join("; ")
    expect((await site.server.require(requestOf(device, "/money", { ...page, cookie })))?.status).toBe(303)
  })

  test("not a proof of a factor that was removed", async () => {
    const site = await siteOf()
    const { browser, app } = await enrolled(site)
    await browser.get("/auth/mfa/verify")
    site.clock.advance({ minutes: 1 })
    await browser.submitForm("mfa/verify", { code: app.code(site.clock.now()) })
    expect(await strong(site, browser)).toBe(true)
    await submit(browser, "remove", { method: "app" })
    expect(await strong(site, browser)).toBe(false)
  })

  test("the same for `requireSession` of a framework, at both levels", async () => {
    const site = await siteOf()
    const { requireSession } = createIntegration<Request>(site.config, {
      basePath: "/auth",
      env: () => ({}),
      read: (request) => ({ method: "GET", url: new URL(request.url), headers: request.headers }),
      toRequest: (request) => request,
    })
    const { browser, app } = await enrolled(site)
    const allowed = async (asked: StepUp) => {
      const access = await requireSession(requestOf(browser, "/money"), asked)
      return !("response" in access)
    }
    site.clock.advance({ minutes: 6 })
    expect(await allowed({ level: 1 })).toBe(true)
    expect([await allowed({ maxAge: "5m" }), await allowed({ level: 2 })]).toEqual([false, false])
    await browser.get("/auth/step-up?to=%2Fmoney&max_age=300&level=1")
    await browser.submitForm("mfa/verify", { code: app.code(site.clock.now()) })
    expect(browser.location).toBe("https://app.test/money")
    expect([await allowed({ maxAge: "5m" }), await allowed({ maxAge: "5m", level: 2 })]).toEqual([true, true])
  })
})

test.each(["app", "email"])("of 20 uses of one code (%s) at once, one proves the factor", async (method) => {
  const site = await siteOf()
  const person = await enrolled(site)
  const browser = await signedIn(site, person)
  if (method === "email") {
    await submit(browser, "enroll", { method })
    await browser.submitForm("mfa/confirm", { code: site.letters.at(-1)?.code ?? "" })
    await browser.get("/auth/mfa/verify")
    await browser.submitForm(1)
  }
  site.clock.advance({ minutes: 1 })
  const code = method === "email" ? (site.letters.at(-1)?.code ?? "") : person.app.code(site.clock.now())
  const csrfToken = (await browser.csrf()) ?? ""
  const body = () => new URLSearchParams({ code, csrfToken })
  await Promise.all(
    Array.from({ length: 20 }, async () => browser.fetch("/auth/mfa/verify", { method: "POST", body: body() })),
  )
  const proven = site.events.filter(({ name, outcome }) => name === "mfa.verified" && outcome === "success")
  expect(proven).toHaveLength(1)
})

test("the page leads to no other site", async () => {
  const site = await siteOf()
  const person = await enrolled(site)
  const { browser } = person
  await browser.get("/auth/mfa/verify?to=https%3A%2F%2Fevil.test%2F")
  await browser.submitForm("mfa/verify", { code: person.app.code(site.clock.now()) })
  expect(new URL(browser.location).origin).toBe("https://app.test")
})

test("attempts on the page are counted before they're looked at, for the user", async () => {
  const site = await siteOf({}, { rateLimit: {} })
  const person = await enrolled(site)
  const { browser } = person
  await browser.get("/auth/mfa/verify")
  const csrfToken = (await browser.csrf()) ?? ""
  const guess = async (code: string) =>
    browser.fetch("/auth/mfa/verify", { method: "POST", body: new URLSearchParams({ code, csrfToken }) })
  await Promise.all(Array.from({ length: 8 }, async () => guess("000000")))
  await guess(person.app.code(site.clock.now()))
  expect((await ask(site, browser))?.status).toBe(303)
  expect(site.events.filter(({ name }) => name === "mfa.verified").length).toBeLessThanOrEqual(5)
})
