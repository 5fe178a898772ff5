import { memoryAdapter } from "@latchkey/adapter-kit/memory"
import { InvalidConfig, MissingAdapter, UnknownAction, UnsupportedStrategy } from "@latchkey/core/errors"
import { createServer } from "@latchkey/core/server"
import type { SignOutScope } from "@latchkey/core/types"
import type { Browser } from "@latchkey/testing"
import { describe, expect, test } from "vitest"
import { type SiteOptions, site, visitorOf } from "../account/setup.js"

const strategies: readonly (readonly [string, SiteOptions])[] = [
  ["sessions in the database", { session: { strategy: "database" } }],
  ["revocable sessions in cookies", { session: { strategy: "jwt" }, security: { revocableSessions: true } }],
]

/** Ada is signed in on two devices, and Grace on one. */
async function twoDevices(options: SiteOptions) {
  const its = await site(memoryAdapter(), options)
  const [phone, grace] = [await its.phone(), await its.phone()]
  await its.browser.signInWith(its.first, { as: "ada" })
  await phone.signInWith(its.first, { as: "ada" })
  await grace.signInWith(its.first, { as: "grace" })
  const signedIn = async () =>
    Promise.all([its.browser, phone, grace].map(async (each) => (await each.session()) !== null))
  return { ...its, server: createServer(its.config), phone, signedIn }
}

const post = async (browser: Browser, scope: string) =>
  browser.post("/auth/signout", { csrfToken: (await browser.csrf()) ?? "", scope, callbackUrl: "/bye" })

describe.each(strategies)("with %s", (_, options) => {
  test.each([
    ["this", [false, true, true]],
    ["others", [true, false, true]],
    ["all", [false, false, true]],
  ] as const)("a form with the scope %s ends these sessions, and no other user's", async (scope, left) => {
    const { browser, signedIn } = await twoDevices(options)
    await post(browser, scope)
    expect(browser.location).toBe(`${browser.origin}/bye`)
    expect(await signedIn()).toEqual(left)
  })

  test.each([
    ["this", [false, true, true]],
    ["others", [true, false, true]],
    ["all", [false, false, true]],
  ] as const)("server code with the scope %s ends these sessions", async (scope, left) => {
    const { browser, server, signedIn } = await twoDevices(options)
    const { to, cookies } = await server.signOut(visitorOf(browser), { scope, redirectTo: "/bye" })
    expect(to).toBe(`${browser.origin}/bye`)
    expect(cookies.some(({ options: { maxAge } }) => maxAge === 0)).toBe(scope !== "others")
    expect(await signedIn()).toEqual(left)
  })

  test("the built-in page offers to sign out everywhere", async () => {
    const { browser, events, signedIn } = await twoDevices(options)
    await browser.get("/auth/signout")
    expect(browser.text).toContain('name="scope" value="all"')
    await browser.submitForm("signout", { scope: "all" })
    expect(await signedIn()).toEqual([false, false, true])
    expect(events.filter((name) => name === "signOut")).toHaveLength(1)
  })
})

test("without a session, a sign-out everywhere does nothing, and one of the others asks for a sign-in", async () => {
  const { phone, server } = await twoDevices({ session: { strategy: "database" } })
  await phone.signOut()
  expect((await server.signOut(visitorOf(phone), { scope: "all" })).to).toBe(`${phone.origin}/`)
  await post(phone, "others")
  expect(phone.location).toContain("/auth/signin?error=SessionRequired")
})

test.each([
  ["everywhere", "in cookies", { session: { strategy: "jwt" } }, "all", UnsupportedStrategy],
  ["the others", "in cookies", { session: { strategy: "jwt" } }, "others", UnsupportedStrategy],
  ["at the provider", "in the database", { session: { strategy: "database" } }, "federated", InvalidConfig],
] as const)("a sign-out %s with sessions %s says what to set, and the user stays signed in", async (...row) => {
  const [, , options, scope, Kind] = row
  const { browser, server, signedIn } = await twoDevices(options)
  const error: unknown = await server.signOut(visitorOf(browser), { scope }).catch((cause: unknown) => cause)
  expect(error).toBeInstanceOf(Kind)
  expect(String(error)).toMatch(/revocableSessions|modules: \[logout\(\)\]/)
  expect(await signedIn()).toEqual([true, true, true])
  await browser.get("/auth/signout")
  expect(browser.text.includes('name="scope"')).toBe(scope === "federated")
})

test("without an adapter, it names the option", async () => {
  const options = { withoutEmail: true, withoutPasskeys: true, session: { strategy: "jwt" } } as const
  const { config, browser, first } = await site(memoryAdapter(), options)
  await browser.signInWith(first, { as: "ada" })
  const { adapter: _, ...others } = config
  await expect(createServer(others).signOut(visitorOf(browser), { scope: "all" })).rejects.toThrow(MissingAdapter)
})

test("a scope that isn't one is refused, and nothing ends", async () => {
  const { browser, server, signedIn } = await twoDevices({ session: { strategy: "database" } })
  const asked = server.signOut(visitorOf(browser), { scope: "everywhere" as SignOutScope })
  await expect(asked).rejects.toThrow(UnknownAction)
  const response = await post(browser, "everywhere")
  expect(response.status).toBe(400)
  expect(await signedIn()).toEqual([true, true, true])
})
