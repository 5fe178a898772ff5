import { defineModule, type ModuleParts, type SignInAttempt, type Verdict } from "@latchkey/core/module"
import { createProvider } from "@latchkey/testing"
import fc from "fast-check"
import { describe, expect, test } from "vitest"
import { errors, memoryAdapter, siteOf } from "./setup.js"

type Guard = NonNullable<ModuleParts["guard"]>

const guarded = (id: string, guard: Guard) => defineModule({ id, load: async () => ({ guard }) })
const says = (id: string, verdict: Verdict) => guarded(id, () => verdict)

describe("a guard", () => {
  test("that allows changes nothing", async () => {
    const { browser } = await siteOf([says("open", { kind: "allow" }), defineModule({ id: "plain" })])
    await browser.signIn("credentials", { name: "ada" })
    expect(await browser.session()).toMatchObject({ user: { name: "ada" } })
  })

  test("that denies ends the sign-in before anything is written", async () => {
    const adapter = memoryAdapter()
    const op = createProvider()
    const closed = says("closed", { kind: "deny", reason: "we are asleep" })
    const site = await siteOf([says("a", { kind: "allow" }), closed], { adapter, providers: [op.provider()] })
    await site.browser.signInWith(op, { as: "ada" })
    expect(site.browser.location).toBe("https://app.test/auth/error?error=AccessDenied")
    expect(site.browser.response.status).toBe(403)
    expect(site.browser.text).not.toContain("asleep")
    expect(errors(site)).toEqual([expect.objectContaining({ message: "The module closed refused: we are asleep" })])
    expect(adapter.rows()).toMatchObject({ users: [], accounts: [], sessions: [] })
  })

  test("that diverts redirects without a session", async () => {
    const { browser } = await siteOf([says("second", { kind: "divert", url: "/second-step" })])
    await browser.signIn("credentials", { name: "ada" })
    expect(browser.location).toBe("https://app.test/second-step")
    expect(await browser.session()).toBeNull()
  })

  test("cannot divert to another site unless the `redirect` callback allows it", async () => {
    const { browser } = await siteOf([says("away", { kind: "divert", url: "https://evil.test/" })])
    await browser.signIn("credentials", { name: "ada" })
    expect(new URL(browser.location).origin).toBe("https://app.test")
  })

  test("that fails refuses the sign-in", async () => {
    const site = await siteOf([guarded("broken", () => Promise.reject(new Error("the list is away")))])
    await site.browser.signIn("credentials", { name: "ada" })
    expect(site.browser.location).toBe("https://app.test/auth/error?error=AccessDenied")
    expect(await site.browser.session()).toBeNull()
  })

  test("is asked after the `signIn` callback, and not if that refuses", async () => {
    const asked: string[] = []
    const module = guarded("m", () => (asked.push("guard"), { kind: "allow" }))
    const allows = await siteOf([module], { callbacks: { signIn: () => asked.push("callback") > 0 } })
    await allows.browser.signIn("credentials", { name: "ada" })
    expect(asked).toEqual(["callback", "guard"])
    const refuses = await siteOf([module], { callbacks: { signIn: () => false } })
    await refuses.browser.signIn("credentials", { name: "ada" })
    expect(asked).toEqual(["callback", "guard"])
  })

  test("gets the stored user, the method, and whether the user is new", async () => {
    const seen: SignInAttempt[] = []
    const adapter = memoryAdapter()
    const op = createProvider()
    const module = guarded("m", (_, attempt) => (seen.push(attempt), { kind: "allow" }))
    const { browser } = await siteOf([module], { adapter, providers: [op.provider()] })
    await browser.signInWith(op, { as: "ada" })
    await browser.signOut()
    await browser.signInWith(op, { as: "ada" })
    const [id] = adapter.rows().users.map((user) => user.id)
    expect(seen.map(({ isNewUser }) => isNewUser)).toEqual([true, false])
    expect(seen[1]).toMatchObject({ user: { id }, method: "oidc", amr: ["fed"], emailVerified: true })
  })

  test("without an adapter gets the same id at each sign-in", async () => {
    const ids: string[] = []
    const op = createProvider()
    const module = guarded("m", (_, { user }) => (ids.push(user.id), { kind: "allow" }))
    const { browser } = await siteOf([module], { providers: [op.provider()] })
    await browser.signInWith(op, { as: "ada" })
    await browser.signOut()
    await browser.signInWith(op, { as: "ada" })
    expect(ids[0]).toMatch(/:/)
    expect(ids[1]).toBe(ids[0])
  })
})

const verdicts: readonly Verdict[] = [
  { kind: "allow" },
  { kind: "divert", url: "/elsewhere" },
  { kind: "deny", reason: "no" },
]

/** What the browser sees for verdicts in an order of the configuration. */
async function outcome(given: readonly (readonly [string, Verdict])[]): Promise<string> {
  const site = await siteOf(given.map(([id, verdict]) => says(id, verdict)))
  await site.browser.signIn("credentials", { name: "ada" })
  return JSON.stringify([site.browser.location, errors(site).map(String), await site.browser.session()].slice(0, 2))
}

test("the strictest verdict wins, in whatever order the modules are configured", async () => {
  const list = fc.array(fc.constantFrom(...verdicts), { minLength: 2, maxLength: 4 })
  const orders = list.chain((all) => {
    const named = all.map((verdict, index) => [`m${index}`, verdict] as const)
    return fc.tuple(fc.constant(named), fc.shuffledSubarray(named, { minLength: named.length }))
  })
  await fc.assert(
    fc.asyncProperty(orders, async ([given, shuffled]) => {
      expect(await outcome(shuffled)).toBe(await outcome(given))
    }),
    { numRuns: 30 },
  )
})
