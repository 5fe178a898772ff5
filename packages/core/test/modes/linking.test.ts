import { describe, expect, test } from "vitest"
import { appOf, compatible, hardened, whoIs, world } from "./setup.js"

const providersOf = (its: ReturnType<typeof world>) => its.adapter.rows().accounts.map(({ provider }) => provider)

describe.each(compatible("linking", "same-session"))("linking under %s", (_, security) => {
  test("a sign-in started while signed in links the account", async () => {
    const its = world()
    const browser = await appOf(its, { security })
    await browser.signInWith(its.op, { as: "ada" })
    await browser.signInWith(its.other, { as: "grace" })
    expect(its.adapter.rows().users).toHaveLength(1)
    expect(providersOf(its)).toEqual(["op", "other"])
    expect(await whoIs(browser)).toBe("ada@example.test")
  })

  test("the session may be of any age", async () => {
    const its = world()
    const browser = await appOf(its, { security })
    await browser.signInWith(its.op, { as: "ada" })
    its.clock.advance({ hours: 2 })
    await browser.signInWith(its.other, { as: "grace" })
    expect(its.adapter.rows().users).toHaveLength(1)
  })
})

const strategies = ["jwt", "database"] as const
const explicit = hardened("linking", "explicit").flatMap(([name, security]) =>
  strategies.map((strategy) => [name, strategy, security] as const),
)

describe.each(explicit)("linking under %s, strategy %s", (_, strategy, security) => {
  const config = { security, session: { strategy } }

  test("without `link` another account signs in as another user and ends the current session", async () => {
    const its = world()
    const browser = await appOf(its, config)
    await browser.signInWith(its.op, { as: "ada" })
    await browser.signInWith(its.other, { as: "grace" })
    expect(its.adapter.rows().users).toHaveLength(2)
    expect(await whoIs(browser)).toBe("grace@example.test")
  })

  test("with `link` the account is linked to the signed-in user", async () => {
    const its = world()
    const browser = await appOf(its, config)
    await browser.signInWith(its.op, { as: "ada" })
    await browser.signInWith(its.other, { as: "grace", fields: { link: "true" } })
    expect(its.adapter.rows().users).toHaveLength(1)
    expect(providersOf(its)).toEqual(["op", "other"])
    expect(await whoIs(browser)).toBe("ada@example.test")
  })

  test("with `link` the sign-in may be at most 15 minutes old", async () => {
    const its = world()
    const browser = await appOf(its, config)
    await browser.signInWith(its.op, { as: "ada" })
    its.clock.advance({ minutes: 15, seconds: 1 })
    await browser.signInWith(its.other, { as: "grace", fields: { link: "true" } })
    expect(browser.location).toBe("https://app.test/auth/error?error=AccessDenied")
    expect(providersOf(its)).toEqual(["op"])
    expect(await whoIs(browser)).toBe("ada@example.test")

    await browser.signInWith(its.op, { as: "ada" })
    its.clock.advance({ minutes: 15 })
    await browser.signInWith(its.other, { as: "grace", fields: { link: "true" } })
    expect(providersOf(its)).toEqual(["op", "other"])
  })

  test("`link` without a session is an ordinary sign-in", async () => {
    const its = world()
    const browser = await appOf(its, config)
    await browser.signInWith(its.op, { as: "ada", fields: { link: "true" } })
    expect(await whoIs(browser)).toBe("ada@example.test")
  })

  test("an account of another user is not linked", async () => {
    const its = world()
    const browser = await appOf(its, config)
    await browser.fresh().signInWith(its.other, { as: "grace" })
    await browser.signInWith(its.op, { as: "ada" })
    await browser.signInWith(its.other, { as: "grace", fields: { link: "true" } })
    expect(browser.location).toContain("error=OAuthAccountNotLinked")
    expect(await whoIs(browser)).toBe("ada@example.test")
  })
})

test("a sign-in started by one user does not link to the user who signs in meanwhile", async () => {
  const its = world()
  const browser = await appOf(its, { security: "strict" })
  await browser.signInWith(its.op, { as: "ada" })
  const tab = browser.clone()
  await tab.post("/auth/signin/other", { csrfToken: (await tab.csrf()) ?? "", link: "true" })
  await browser.signInWith(its.op, { as: "linus" })
  await tab.consentAt(its.other, { as: "grace" })
  expect(tab.location).toContain("code=InvalidCheck")
  expect(providersOf(its)).toEqual(["op", "op"])
})
