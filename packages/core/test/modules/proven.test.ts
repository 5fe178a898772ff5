import {
  defineModule,
  type CompletedSignIn,
  type ModuleParts,
  type Outcome,
  proven,
  type RequestContext,
  route,
} from "@latchkey/core/module"
import type { AuthConfig, Module } from "@latchkey/core/types"
import { createServer } from "@latchkey/core/server"
import { visit } from "@latchkey/testing"
import { describe, expect, test } from "vitest"
import { mailbox, strict } from "../flows/signin/setup.js"
import { code, memoryAdapter, siteOf } from "./setup.js"

const email = "ada@users.test"

type Prove = (context: RequestContext) => Outcome | Promise<Outcome>

/** A module that proves whatever the test says. */
function proving(prove: Prove, rest: Partial<ModuleParts> = {}): Module {
  return defineModule({
    id: "links",
    providers: [{ id: "link", name: "Link", fields: { word: {} } }],
    load: async () => ({ prove: async (context) => proven(await prove(context)), ...rest }),
  })
}

describe("a mailbox that a module has proven", () => {
  test("signs a new user in, whose email is verified, after the guards have agreed", async () => {
    const adapter = memoryAdapter()
    const asked: unknown[] = []
    const guard: ModuleParts["guard"] = async (_, { user, isNewUser, emailVerified }) => {
      asked.push([user.email, isNewUser, emailVerified, await adapter.getUserByEmail?.(email)])
      return { kind: "allow" }
    }
    const { browser } = await siteOf([proving(() => ({ mailbox: email }), { guard })], { adapter })
    await browser.signIn("link", { word: "x" })
    expect(asked).toEqual([[email, true, true, null]])
    expect(await browser.session()).toMatchObject({ user: { email } })
    expect(await adapter.getUserByEmail?.(email)).toMatchObject({ email, emailVerified: expect.any(Date) })
  })

  test("stores nothing if a guard refuses", async () => {
    const adapter = memoryAdapter()
    const guard: ModuleParts["guard"] = () => ({ kind: "deny", reason: "closed" })
    const { browser } = await siteOf([proving(() => ({ mailbox: email }), { guard })], { adapter })
    await browser.signIn("link", { word: "x" })
    expect(browser.location).toContain("error=AccessDenied")
    expect(await adapter.getUserByEmail?.(email)).toBeNull()
  })

  test.each([
    ["compatible", {}],
    ["strict", strict],
  ])("signs its user in, and removes what others put into an unverified account (%s)", async (_, mode) => {
    const adapter = memoryAdapter()
    const user = await adapter.createUser?.({ id: "u1", name: null, email, emailVerified: null })
    await adapter.linkAccount?.({ userId: "u1", provider: "github", providerAccountId: "9", type: "oauth" })
    const { browser } = await siteOf([proving(() => ({ mailbox: "Ada@USERS.test" }))], { adapter, ...mode })
    await browser.signIn("link", { word: "x" })
    expect(await browser.session()).toMatchObject({ user: { email } })
    expect(await adapter.getUser?.(user?.id ?? "")).toMatchObject({ emailVerified: expect.any(Date) })
    expect(await adapter.getUserByAccount?.({ provider: "github", providerAccountId: "9" })).toBeNull()
  })

  test("can wait for a factor", async () => {
    const adapter = memoryAdapter()
    const seen: CompletedSignIn[] = []
    const factor: ModuleParts["factor"] = {
      amr: ["otp"],
      isRequired: () => true,
      form: () => ({ title: "Code", fields: { code: {} }, submit: "Go" }),
      verify: (_context, _attempt, { code }) => code === "1" || "No",
    }
    const prove = () => ({ mailbox: email, carried: { of: "ada" } })
    const module = proving(prove, { factor, after: (_, signIn) => void seen.push(signIn) })
    const { browser } = await siteOf([module], { adapter })
    await browser.signIn("link", { word: "x" })
    expect([await browser.session(), await adapter.getUserByEmail?.(email)]).toEqual([null, null])
    await browser.submitForm("auth/factor", { code: "1" })
    expect(await browser.session()).toMatchObject({ user: { email } })
    expect(seen).toMatchObject([{ carried: { of: "ada" }, amr: ["email", "otp"], isNewUser: true }])
  })
})

test("what `prove` carries reaches `after` of its module, and no other", async () => {
  const seen: unknown[] = []
  const after =
    (id: string): NonNullable<ModuleParts["after"]> =>
    (_, { carried }) =>
      void seen.push([id, carried])
  const other = defineModule({ id: "other", load: async () => ({ after: after("other") }) })
  const module = proving(() => ({ user: { id: "u1", name: "Ada" }, carried: ["x"] }), { after: after("links") })
  const { browser } = await siteOf([module, other])
  await browser.signIn("link", { word: "x" })
  expect(await browser.session()).toMatchObject({ user: { name: "Ada" } })
  expect(seen).toEqual([
    ["links", ["x"]],
    ["other", undefined],
  ])
})

test("`prove` can show a page with a form for another try", async () => {
  const prove: Prove = async ({ page }) => ({
    show: await page({
      title: "Again",
      error: "Busy",
      status: 503,
      headers: { "retry-after": "7" },
      blocks: [{ kind: "form", route: "link", signIn: true, fields: { word: { label: "Word" } }, submit: "Go" }],
    }),
  })
  const { browser } = await siteOf([proving(prove)])
  await browser.signIn("link", { word: "x" })
  expect(browser.response.status).toBe(503)
  expect(browser.response.headers.get("retry-after")).toBe("7")
  expect(browser.text).toContain('action="https://app.test/auth/links/../callback/link"')
  expect(await browser.session()).toBeNull()
})

describe("users", () => {
  const looking = (look: (context: RequestContext) => unknown) =>
    defineModule({
      id: "looks",
      load: async () => ({
        routes: [route("GET", "look", { session: "none" }, async (context) => context.json(await look(context)))],
      }),
    })
  async function seen(look: (context: RequestContext) => unknown, rest: Partial<AuthConfig> = {}): Promise<unknown> {
    const adapter = memoryAdapter()
    await adapter.createUser?.({ id: "u1", name: "Ada", email, emailVerified: null })
    const { browser } = await siteOf([looking(look)], { adapter, ...rest })
    return (await browser.fetch("/auth/looks/look")).json()
  }

  test("are found by id and by any spelling of the email", async () => {
    const found = await seen(async ({ users }) => [
      (await users.byId("u1"))?.name,
      (await users.byEmail(" ADA@users.test"))?.name,
      await users.byId("U1"),
      await users.byEmail("adá@users.test"),
    ])
    expect(found).toEqual(["Ada", "Ada", null, null])
  })

  test.each([
    ["Ada@Users.test ", "ada@users.test"],
    ["ada@users.test,eve@evil.test", null],
    ["latchkey;x@users.test", null],
    ["", null],
    [["ada@users.test"], null],
  ])("%j as an email is %j", async (typed, email) => {
    expect(await seen(({ users }) => users.typedEmail(typed))).toBe(email)
  })
})

describe.each(["jwt", "database"] as const)("sessions of a user (%s)", (strategy) => {
  const ending = (except?: "current") =>
    proving(() => ({ mailbox: email }), {
      after: ({ users }, { user }) => users.endSessions(user.id, except && { except }),
    })

  async function other(module: Module) {
    const adapter = memoryAdapter()
    const config: AuthConfig = { adapter, providers: [], modules: [module], session: { strategy }, ...strict }
    const [one, two] = [await visit(config), await visit(config)]
    await one.signIn("link", { word: "x" })
    const before = await one.session()
    await two.signIn("link", { word: "x" })
    return { before, one: await one.session(), two: await two.session() }
  }

  test("end, except for the one that has just started", async () => {
    expect(await other(ending("current"))).toMatchObject({ before: { user: {} }, one: null, two: { user: { email } } })
  })

  test("end all", async () => {
    expect(await other(ending())).toMatchObject({ before: null, one: null, two: null })
  })
})

test("links that were sent to the user end with the sessions", async () => {
  const { provider, sent } = mailbox()
  const module = proving(() => ({ mailbox: email }), {
    after: ({ users }, { user }) => users.endSessions(user.id, { except: "current" }),
  })
  const adapter = memoryAdapter()
  const config = { adapter, providers: [provider], modules: [module] }
  const [thief, ada] = [await visit(config), await visit(config)]
  await thief.signIn(provider.id, { email })
  await ada.signIn("link", { word: "x" })
  await thief.get(sent[0]?.url ?? "")
  expect(await thief.session()).toBeNull()
  expect(await ada.session()).not.toBeNull()
})

test("what the other modules issued ends with the sessions, also if one of them fails, and they know why", async () => {
  const revoked: unknown[] = []
  const revoke: ModuleParts["revoke"] = (_, { id }, reason) => void revoked.push([id, reason])
  const broken = defineModule({ id: "broken", load: async () => ({ revoke: () => Promise.reject(new Error("down")) }) })
  const devices = defineModule({ id: "devices", load: async () => ({ revoke }) })
  const own = proving(() => ({ mailbox: email }), {
    revoke: () => void revoked.push("its own"),
    after: ({ users }, { user }) => users.endSessions(user.id, { reason: "password-changed" }),
  })
  const adapter = memoryAdapter()
  const tab = await visit({ adapter, providers: [], modules: [own, broken, devices], logger: { error: () => {} } })
  await tab.signIn("link", { word: "x" })
  expect(revoked).toEqual([[(await adapter.getUserByEmail?.(email))?.id, "password-changed"]])
})

describe("without a visitor", () => {
  const asking = defineModule<"asks", { ask(): Promise<string> }>({
    id: "asks",
    members: ["ask"],
    load: async () => ({ server: ({ atSite }) => ({ ask: async () => (await atSite()).url("page") }) }),
  })
  const ask = (rest: Partial<AuthConfig>) => {
    const { members } = createServer({
      secret: "only-for-tests-0123456789abcdefghij",
      providers: [code],
      modules: [asking],
      ...rest,
    })
    return members["asks"]?.["ask"]?.()
  }

  test("a module makes URLs at the URL of the configuration", async () => {
    expect(await ask({ url: "https://app.test/auth" })).toBe("https://app.test/auth/asks/page")
  })

  test("a module needs the URL of the configuration", async () => {
    await expect(ask({ trustHost: true })).rejects.toThrow("Set AUTH_URL")
  })
})

test("the sign-in page links to the routes of a module, unless the configuration has pages of its own", async () => {
  const module = defineModule({
    id: "links",
    pages: { forgotPassword: "links/forgot", createAccount: "links/join" },
    providers: [{ id: "link", name: "Link", fields: { name: {}, password: {} } }],
    load: async () => ({ prove: () => null }),
  })
  const { browser } = await siteOf([module], { providers: [] })
  await browser.get("/auth/signin")
  expect(browser.text).toContain('href="https://app.test/auth/links/forgot"')
  expect(browser.text).toContain('href="https://app.test/auth/links/join"')
  const step = await (await browser.fetch("/auth/signin", { headers: { accept: "application/json" } })).json()
  expect(step.links.forgotPassword).toBe("https://app.test/auth/links/forgot")
  const own = await siteOf([module], { providers: [], pages: { forgotPassword: "/mine" } })
  await own.browser.get("/auth/signin")
  expect(own.browser.text).toContain('href="/mine')
  expect(own.browser.text).not.toContain("links/forgot")
})

test("an event may be about no user", async () => {
  const events: unknown[] = []
  const module = defineModule({
    id: "asks",
    load: async () => ({
      events: { failed: "Something failed." },
      routes: [
        route("GET", "x", { session: "none" }, async ({ emit, empty }) => {
          await emit("failed", null, { outcome: "failure" })
          return empty(204)
        }),
      ],
    }),
  })
  const { browser } = await siteOf([module], { events: { security: (event) => void events.push(event) } })
  await browser.fetch("/auth/asks/x")
  expect(events).toMatchObject([{ name: "asks.failed", outcome: "failure", actor: { kind: "visitor" } }])
})
