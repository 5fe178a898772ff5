import { captureLog, createProvider, frozenClock, visit } from "@latchkey/testing"
import { memoryAdapter } from "@latchkey/adapter-kit/memory"
import { mfa } from "@latchkey/mfa"
import { defineModule } from "@latchkey/core/module"
import { describe, expect, test } from "vitest"
import { codesOn, phone } from "./phone.js"
import {
  answer,
  enrolled,
  held,
  isHeld,
  newUser,
  passkeyOf,
  setsSession,
  signInByLink,
  siteOf,
  submit,
} from "./site.js"

const required = { require: () => true }

describe("a user who has to have a factor, and has none", () => {
  test("sets an app up inside the sign-in, and gets recovery codes before the session", async () => {
    const site = await siteOf(required)
    await newUser(site)
    const browser = await held(site)
    expect(isHeld(browser)).toBe(true)
    const app = phone()
    app.scan(browser)
    expect(browser.text).toContain("data:image/svg+xml")
    await browser.submitForm("auth/factor", { code: "000000" })
    expect(browser.response.status).toBe(401)
    expect(codesOn(browser)[0]).toBe(app.key)
    await browser.submitForm("auth/factor", { code: app.code(site.clock.now()) })
    const recovery = codesOn(browser)
    expect(recovery).toHaveLength(10)
    expect(setsSession(browser)).toBe(false)
    expect(await browser.session()).toBeNull()
    await browser.submitForm("auth/factor")
    expect(await browser.session()).toMatchObject({ user: { email: "ada@users.test" } })
    const next = await held(site)
    await next.submitForm("auth/factor", { code: recovery[0] ?? "" })
    expect(await next.session()).not.toBeNull()
  })

  test("proved it in that sign-in: the code isn't asked again for a change", async () => {
    const site = await siteOf(required)
    await newUser(site)
    const browser = await held(site)
    const app = phone()
    app.scan(browser)
    await browser.submitForm("auth/factor", { code: app.code(site.clock.now()) })
    await browser.submitForm("auth/factor")
    await submit(browser, "regenerate")
    expect(codesOn(browser)).toHaveLength(10)
  })

  test("who reloads the page with the recovery codes goes on without seeing them again", async () => {
    const site = await siteOf(required)
    await newUser(site)
    const browser = await held(site)
    const app = phone()
    app.scan(browser)
    await browser.submitForm("auth/factor", { code: app.code(site.clock.now()) })
    await browser.get("/auth/factor")
    expect(codesOn(browser)).toEqual([])
    await browser.submitForm("auth/factor")
    expect(await browser.session()).not.toBeNull()
  })

  test("starts over with another key in another sign-in", async () => {
    const site = await siteOf(required)
    await newUser(site)
    const [one, other] = [await held(site), await held(site)]
    const [app, second] = [phone(), phone()]
    app.scan(one)
    second.scan(other)
    expect(second.key).not.toBe(app.key)
    await other.submitForm("auth/factor", { code: app.code(site.clock.now()) })
    expect(other.response.status).toBe(401)
    await one.submitForm("auth/factor", { code: app.code(site.clock.now()) })
    await other.submitForm("auth/factor", { code: second.code(site.clock.now()) })
    expect(codesOn(other)).toEqual([])
    await other.submitForm("auth/factor")
    expect(await other.session()).toBeNull()
  })

  test("comes in during the grace period, which the account page names, and not after it", async () => {
    const site = await siteOf({ ...required, gracePeriod: 7 * 86_400 })
    await newUser(site)
    const browser = await held(site)
    expect(isHeld(browser)).toBe(false)
    await browser.get("/auth/account")
    expect(browser.text).toMatch(/Set it up by \w+ \d+, \d{4}/)
    site.clock.advance({ hours: 24 * 7, seconds: -1 })
    expect(isHeld(await held(site))).toBe(false)
    site.clock.advance({ seconds: 1 })
    expect(isHeld(await held(site))).toBe(true)
  })

  test("is asked only if the option says so, by user and provider", async () => {
    const asked: unknown[] = []
    const site = await siteOf({
      require: ({ user, provider }) => {
        asked.push([user.email, provider])
        return user.email === "grace@users.test"
      },
    })
    await newUser(site, "ada")
    await newUser(site, "grace")
    expect(isHeld(await held(site, "ada"))).toBe(false)
    expect(isHeld(await held(site, "grace"))).toBe(true)
    expect(asked).toContainEqual(["grace@users.test", "credentials"])
  })

  test("is asked at the sign-in after the sign-up", async () => {
    const site = await siteOf(required)
    const browser = await newUser(site)
    await browser.signOut()
    await signInByLink(site, browser, "ada")
    expect(isHeld(browser)).toBe(true)
  })

  test("is asked if a guard demands the factor", async () => {
    const guard = defineModule({
      id: "strict-guard",
      load: async () => ({
        guard: (_, { isNewUser }) => (isNewUser ? { kind: "allow" } : { kind: "require", factor: "mfa" }),
      }),
    })
    const site = await siteOf({}, { modules: [guard] })
    await newUser(site)
    const browser = await held(site)
    phone().scan(browser)
    expect(await browser.session()).toBeNull()
  })
})

describe("no factor is asked", () => {
  test("after a passkey that verified its user", async () => {
    const site = await siteOf(required)
    const browser = await newUser(site)
    const authenticator = await passkeyOf(browser)
    await browser.signOut()
    await browser.signInWithPasskey(authenticator)
    expect(await browser.session()).not.toBeNull()
  })

  const clock = frozenClock()
  const levels = { accept: { op: { amr: ["mfa"], acr: ["gold"] } } }

  test.each([
    [{ amr: ["pwd", "mfa"] }, false],
    [{ amr: ["pwd"] }, true],
    [{ acr: "gold" }, false],
    [{ acr: "silver" }, true],
    [{ amr: "mfa" }, true],
    [{}, true],
  ])("if the ID token of an accepted provider says it: %j is held: %s", async (claims, expected) => {
    const op = createProvider({
      id: "op",
      clock,
      people: { ada: { sub: "ada", email: "ada@users.test", email_verified: true, ...claims } },
    })
    const browser = await visit(
      {
        adapter: memoryAdapter(),
        providers: [op.provider()],
        logger: captureLog().logger,
        session: { strategy: "jwt" },
        modules: [mfa({ ...required, ...levels })],
      },
      { clock },
    )
    await browser.signInWith(op, { as: "ada" })
    await browser.signOut()
    await browser.signInWith(op, { as: "ada" })
    expect(isHeld(browser)).toBe(expected)
  })

  test("but not if the profile of a provider without ID tokens says it", async () => {
    const op = createProvider({
      id: "op",
      clock,
      people: { ada: { sub: "ada", email: "ada@users.test", amr: ["mfa"] } },
    })
    const config = { adapter: memoryAdapter(), providers: [op.oauthProvider()], logger: captureLog().logger }
    const browser = await visit(
      { ...config, session: { strategy: "jwt" }, modules: [mfa({ ...required, ...levels })] },
      { clock },
    )
    await browser.signInWith(op, { as: "ada" })
    await browser.signOut()
    await browser.signInWith(op, { as: "ada" })
    expect(isHeld(browser)).toBe(true)
  })

  test("but the word of a provider that isn't named counts for nothing", async () => {
    const site = await siteOf({ ...required, accept: { other: { amr: ["pwd"] } } })
    await newUser(site)
    expect(isHeld(await held(site))).toBe(true)
  })
})

test.each([
  [{ gracePeriod: -1 }, "`gracePeriod` is a number of seconds"],
  [{ resetDelay: Number.NaN }, "`resetDelay` is a number of seconds"],
  [{ accept: { okta: {} } }, "`accept.okta` needs values"],
])("the options %j are refused", async (options, problem) => {
  const site = await siteOf()
  await enrolled(site)
  const wrong = await site.another(options)
  const browser = await held(wrong)
  expect(await browser.session()).toBeNull()
  expect(JSON.stringify(wrong.log.entries.map(({ text }) => text))).toContain(problem)
})

test("with a factor, `require` isn't asked, and the factor is", async () => {
  const site = await siteOf({ require: () => Promise.reject(new Error("asked")) })
  const person = await enrolled(await site.another({}))
  const browser = await held(site)
  await answer(site, person, browser)
  expect(await browser.session()).not.toBeNull()
})
