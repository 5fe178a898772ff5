import {
  defineModule,
  type CompletedSignIn,
  type ModuleParts,
  type Outcome,
  proven,
  type RequestContext,
  route,
} from "@latchkey/core/module"
import type { Module } from "@latchkey/core/types"
import { describe, expect, test } from "vitest"
import { strict } from "../flows/signin/setup.js"
import { memoryAdapter, siteOf } from "./setup.js"

const modes = [
  ["compatible", {}],
  ["strict", strict],
] as const

type Prove = (context: RequestContext) => Outcome | Promise<Outcome>

/** A module with badges: the visitor shows one, and signs in. */
function badges(prove: Prove = badge, rest: Partial<ModuleParts> = {}): Module {
  return defineModule({
    id: "badges",
    providers: [{ id: "badge", name: "Badge", fields: { badge: {} } }],
    load: async () => ({ prove: async (context) => proven(await prove(context)), ...rest }),
  })
}

const badge: Prove = ({ request }) => ({ account: String(request.fields["badge"]), amr: "swk" })

const key = (id: string) => ({ provider: "badge", providerAccountId: id })

describe.each(modes)("an account of a module's own (%s)", (_, mode) => {
  test("signs a new user up, and the same user in afterwards", async () => {
    const adapter = memoryAdapter()
    const seen: CompletedSignIn[] = []
    const after: ModuleParts["after"] = (_context, signIn) => void seen.push(signIn)
    const { browser } = await siteOf([badges(badge, { after })], { adapter, ...mode })
    await browser.signIn("badge", { badge: "7" })
    expect(await browser.session()).not.toBeNull()
    const other = browser.fresh()
    await other.signIn("badge", { badge: "7" })
    expect(seen.map(({ isNewUser, amr }) => [isNewUser, amr])).toEqual([
      [true, ["swk"]],
      [false, ["swk"]],
    ])
    expect(new Set(seen.map(({ user }) => user.id)).size).toBe(1)
    expect(adapter.rows().users).toMatchObject([{ emailVerified: null }])
  })

  test("leaves nothing behind if a guard or the signUp callback refuses", async () => {
    const adapter = memoryAdapter()
    const guard: ModuleParts["guard"] = () => ({ kind: "deny", reason: "closed" })
    const closed = [
      await siteOf([badges(badge, { guard })], { adapter, ...mode }),
      await siteOf([badges()], { adapter, ...mode, callbacks: { signUp: () => false } }),
    ]
    for (const { browser } of closed) {
      await browser.signIn("badge", { badge: "7" })
      expect(browser.location).toContain("error=AccessDenied")
    }
    expect([adapter.rows().users, await adapter.getUserByAccount?.(key("7"))]).toEqual([[], null])
  })

  test("makes one user of 20 parallel sign-ups", async () => {
    const adapter = memoryAdapter()
    const { browser } = await siteOf([badges()], { adapter, ...mode })
    await Promise.all(Array.from({ length: 20 }, async () => browser.fresh().signIn("badge", { badge: "7" })))
    expect(adapter.rows().users).toHaveLength(1)
  })

  test("is added to the signed-in user alone, and never moved from another one", async () => {
    const adapter = memoryAdapter()
    const linking: Prove = async (context) => {
      const { linkTo } = context.request.fields
      return {
        account: String(context.request.fields["badge"]),
        amr: "swk",
        ...(linkTo ? { linkTo: String(linkTo) } : {}),
      }
    }
    const module = defineModule({
      id: "badges",
      providers: [{ id: "badge", name: "Badge", fields: { badge: {}, linkTo: {} } }],
      load: async () => ({ prove: async (context) => proven(await linking(context)) }),
    })
    const { browser } = await siteOf([module], { adapter, ...mode })
    await browser.fresh().signIn("badge", { badge: "of another" })
    await browser.signIn("badge", { badge: "7" })
    const [other, own] = adapter.rows().users.map(({ id }) => id)
    await browser.signIn("badge", { badge: "8", linkTo: own ?? "" })
    expect((await adapter.getUserByAccount?.(key("8")))?.id).toBe(own)
    await browser.signIn("badge", { badge: "of another", linkTo: own ?? "" })
    expect(browser.location).toContain("error=")
    await browser.fresh().signIn("badge", { badge: "9", linkTo: own ?? "" })
    await browser.signIn("badge", { badge: "9", linkTo: other ?? "" })
    expect(await adapter.getUserByAccount?.(key("9"))).toBeNull()
    expect((await adapter.getUserByAccount?.(key("of another")))?.id).toBe(other)
  })

  test("can wait for a factor, and nothing is stored before", async () => {
    const adapter = memoryAdapter()
    const factor: ModuleParts["factor"] = {
      amr: ["otp"],
      isRequired: () => true,
      form: () => ({ title: "Code", fields: { code: {} }, submit: "Go" }),
      verify: (_context, _attempt, { code }) => code === "1" || "No",
    }
    const { browser } = await siteOf([badges(badge, { factor })], { adapter, ...mode })
    await browser.signIn("badge", { badge: "7" })
    expect([await browser.session(), adapter.rows().users]).toEqual([null, []])
    await browser.submitForm("auth/factor", { code: "1" })
    expect(await browser.session()).not.toBeNull()
    expect(await adapter.getUserByAccount?.(key("7"))).not.toBeNull()
  })

  test("without a name is a new user each time", async () => {
    const adapter = memoryAdapter()
    const seen: CompletedSignIn[] = []
    const after: ModuleParts["after"] = (_context, signIn) => void seen.push(signIn)
    const { browser } = await siteOf([badges(() => ({ account: null, amr: null }), { after })], { adapter, ...mode })
    await browser.signIn("badge", { badge: "x" })
    await browser.signIn("badge", { badge: "x" })
    const [first, second] = adapter.rows().users
    expect(seen).toMatchObject([{ amr: [] }, { amr: [], user: { id: second?.id }, current: { id: first?.id } }])
    expect(await adapter.listAccounts?.(second?.id ?? "")).toEqual([])
  })
})

test("a name of an account that no database could store is refused", async () => {
  const adapter = memoryAdapter()
  const { browser, log } = await siteOf([badges(() => ({ account: "", amr: "swk" }))], { adapter })
  await browser.signIn("badge", { badge: "x" })
  expect(adapter.rows().users).toEqual([])
  expect(log.entries.some(({ text }) => text.includes("without a name"))).toBe(true)
})

test("a page that `prove` shows sets the cookies of the module", async () => {
  const shown: Prove = async ({ cookie, setCookie, json }) => {
    const before = cookie("seen") ?? "none"
    setCookie("seen", "yes")
    return { show: json({ before }) }
  }
  const { browser } = await siteOf([badges(shown)], { adapter: memoryAdapter() })
  await browser.signIn("badge", { badge: "7" })
  expect(browser.text).toContain("none")
  await browser.signIn("badge", { badge: "7" })
  expect(browser.text).toContain("yes")
})

test("a module finds, counts and takes away its own accounts, and removes users whom nothing names", async () => {
  const adapter = memoryAdapter()
  const ask = route("POST", "ask", { session: "none" }, async ({ users, request, json }) => {
    const [first = "", second = ""] = [request.fields["first"], request.fields["second"]].map(String)
    return json({
      accounts: await users.accounts(first),
      kept: await users.removeNameless(first),
      strange: await users.unlink(second, "7"),
      unlinked: await users.unlink(first, "7"),
      canEndSessions: users.canEndSessions,
      hasSessions: await users.hasSessions(first),
      removed: await users.removeNameless(first),
      left: await users.hasSessions(first),
      again: await users.removeNameless(first),
    })
  })
  const { browser } = await siteOf([badges(badge, { routes: [ask] })], { adapter, session: { strategy: "database" } })
  await browser.signIn("badge", { badge: "7" })
  await browser.fresh().signIn("badge", { badge: "8" })
  const [first, second] = adapter.rows().users.map(({ id }) => id)
  await adapter.linkAccount?.({ userId: second ?? "", provider: "github", providerAccountId: "7", type: "oauth" })
  const csrfToken = (await browser.csrf()) ?? ""
  await browser.post("/auth/badges/ask", { csrfToken, first: first ?? "", second: second ?? "" })
  expect(JSON.parse(browser.text)).toEqual({
    accounts: ["7"],
    kept: false,
    strange: false,
    unlinked: true,
    canEndSessions: true,
    hasSessions: true,
    removed: true,
    left: false,
    again: false,
  })
  expect(await browser.session()).toBeNull()
  expect(adapter.rows().users.map(({ id }) => id)).toEqual([second])
})
