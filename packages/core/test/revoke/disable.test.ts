import { memoryAdapter } from "@latchkey/adapter-kit/memory"
import type { Adapter } from "@latchkey/core/adapters"
import { InvalidConfig } from "@latchkey/core/errors"
import { createServer } from "@latchkey/core/server"
import { vault } from "@latchkey/core/tokens"
import type { AuthConfig } from "@latchkey/core/types"
import Credentials from "@latchkey/core/providers/credentials"
import { visit } from "@latchkey/testing"
import { describe, expect, test } from "vitest"
import { attack } from "../../../../tests/attack.js"
import { linkIn, site, type SiteOptions } from "../account/setup.js"
import { hasSession } from "../flows/signin/setup.js"
import { givePin, pin } from "../modules/factor-site.js"

/** Ada has an account, and is signed in. */
async function signedIn(store = memoryAdapter(), options: SiteOptions = {}) {
  const records = { ...store.records, atomic: "global" } as const
  const its = await site<Adapter>(store, { records, trustHost: ["app.test"], rateLimit: false, ...options })
  await its.browser.signInWith(its.first, { as: "ada", fields: { callbackUrl: "https://app.test/auth/account" } })
  const { user } = await its.account().overview()
  return { ...its, store, server: createServer(its.config), id: user.id ?? "" }
}

describe.each(["jwt", "database"] as const)("with sessions of the strategy %s", (strategy) => {
  const options = { session: { strategy }, security: { revocableSessions: true } } as const

  test("`disable` ends the sessions, and no way of signing in works until `enable`", async () => {
    const { account, authenticator, browser, first, id, mail, phone, server } = await signedIn(memoryAdapter(), options)
    await browser.registerPasskey(authenticator)
    await server.disable(id, "fraud")
    expect(await browser.session()).toBeNull()
    const ways = [
      async () => {
        const other = await phone()
        await other.signInWith(first, { as: "ada" })
        return other
      },
      async () => {
        const other = await phone()
        await other.signInWithPasskey(authenticator)
        return other
      },
      async () => {
        const other = await phone()
        await other.signIn("email", { email: "ada@example.test" })
        await other.get(mail.link())
        return other
      },
    ]
    for (const way of ways) expect(await (await way()).session()).toBeNull()
    await expect(account(browser).overview()).rejects.toMatchObject({ type: "SessionRequired" })
    await server.enable(id)
    for (const way of ways) expect(await (await way()).session()).not.toBeNull()
  })

  test("other users aren't disabled", async () => {
    const { first, id, phone, server } = await signedIn(memoryAdapter(), options)
    const grace = await phone()
    await grace.signInWith(first, { as: "grace" })
    await server.disable(id)
    expect(await grace.session()).not.toBeNull()
    await grace.signInWith(first, { as: "grace" })
    expect(await grace.session()).not.toBeNull()
  })

  test("nothing is written for a user who is disabled, also if an account would be linked by its email", async () => {
    const { clock, config, first, id, second, server, store } = await signedIn(memoryAdapter(), options)
    await server.disable(id)
    const rows = () => {
      const { users, accounts, sessions } = store.rows()
      return JSON.stringify({ users, accounts, sessions })
    }
    const before = rows()
    second.people["ada"] = { sub: "ada-2", email: "ada@example.test", email_verified: true }
    const providers = [first.provider(), second.provider({ allowEmailAccountLinking: "verified" })]
    for (const provider of [first, second]) {
      const other = await visit({ ...config, providers }, { clock })
      await other.signInWith(provider, { as: "ada" })
      expect([await other.session(), other.location]).toEqual([null, expect.stringContaining("error=AccessDenied")])
    }
    expect(rows()).toBe(before)
    await server.enable(id)
    const other = await visit({ ...config, providers }, { clock })
    await other.signInWith(second, { as: "ada" })
    expect(await other.session()).not.toBeNull()
  })

  attack(
    "SWITCH-01",
    "a sign-in that finishes while the switch is thrown doesn't survive, at any step",
    async (mode) => {
      for (let step = 0, isDone = false; !isDone; step++) {
        const store = memoryAdapter()
        let [left, isThrown] = [Number.POSITIVE_INFINITY, false]
        const { clock, config, first, id, server } = await signedIn(store, {
          ...options,
          ...(mode === "strict" && { security: mode }),
        })
        const throwing = <T extends object>(methods: T): T => {
          const wrapped = Object.entries(methods).map(([name, method]: [string, unknown]) => [
            name,
            typeof method !== "function"
              ? method
              : async (...args: unknown[]): Promise<unknown> => {
                  const result: unknown = await Reflect.apply(method, methods, args)
                  if (left-- === 0) {
                    isThrown = true
                    await server.disable(id)
                  }
                  return result
                },
          ])
          return Object.fromEntries(wrapped) as T
        }
        const { records, transaction: _, ...adapter }: Adapter = store
        const slow = { ...config, adapter: throwing(adapter), records: throwing(records ?? {}) } as AuthConfig
        const browser = await visit(slow, { clock })
        left = step
        await browser.signInWith(first, { as: "ada" })
        left = Number.POSITIVE_INFINITY
        expect([step, await browser.session()]).toEqual([step, isThrown ? null : expect.anything()])
        if (isThrown) expect(store.rows().sessions).toEqual([])
        isDone = !isThrown
      }
    },
  )
})

attack("SWITCH-02", "a disabled user's sign-in ends as a refusal of the application does", async (mode) => {
  const { clock, config, first, id, log, phone, server } = await signedIn(memoryAdapter(), { security: mode })
  const shown = async (more: Partial<AuthConfig>) => {
    const browser = await visit({ ...config, ...more }, { clock })
    await browser.signInWith(first, { as: "ada" })
    const page = (await browser.response.text()).replace(/[0-9a-f]{64}|nonce="[^"]+"/g, "")
    return [browser.location, browser.response.status, page]
  }
  const refused = await shown({ callbacks: { signIn: () => false } })
  await server.disable(id, "stole 3,000 towels")
  expect(await shown({})).toEqual(refused)
  expect(refused.join()).not.toMatch(/is disabled|towel/)
  expect(log.entries.map(({ text }) => text).join()).toContain("The user is disabled")
  const other = await phone()
  const sent = await other.fetch("/auth/signin/email", { method: "POST" })
  expect(sent.status).toBeLessThan(500)
})

attack("SWITCH-03", "a sign-in that a factor holds isn't completed", async (mode) => {
  const { clock, config, first, id, phone, server, store } = await signedIn(memoryAdapter(), {
    security: mode,
    modules: [pin()],
  })
  await givePin(store, id)
  const [early, late] = [await phone(), await phone()]
  await early.signInWith(first, { as: "ada" })
  expect(early.location).toContain("/auth/factor")
  // As if it was held a moment after `disable` had looked for it.
  const held = store.rows().records.filter(({ kind }) => kind === "core.pending-sign-in")
  await server.disable(id)
  for (const record of held) await store.records.insert(record, new Date(clock.now()))
  for (const browser of [early]) await browser.submitForm("auth/factor", { pin: "1234" })
  expect(await early.session()).toBeNull()
  await late.signInWith(first, { as: "ada" })
  expect(late.location).toContain("error=AccessDenied")
  expect(store.rows().sessions).toEqual([])
  expect(config.modules).toHaveLength(1)
})

attack("SWITCH-04", "a session in a cookie that nothing can end changes nothing of the account", async () => {
  const { account, accountMail, authenticator, browser, id, second, server, store } = await signedIn(memoryAdapter(), {
    session: { strategy: "jwt" },
    security: { revocableSessions: false },
  })
  await account(browser).changeEmail("ada@new.test")
  const link = linkIn(accountMail)
  const before = JSON.stringify(store.rows().accounts)
  await server.disable(id)
  const required = { type: "AccessDenied" }
  await expect(account(browser).confirmEmail(link)).rejects.toMatchObject(required)
  await expect(account(browser).changeEmail("ada@new.test")).rejects.toMatchObject(required)
  await expect(account(browser).deleteAccount()).rejects.toMatchObject(required)
  await browser.post("/auth/signin/second", { csrfToken: (await browser.csrf()) ?? "", link: "true" })
  await browser.follow(await second.authorize(browser.location, { as: "ada" }), second.issuer)
  await browser.registerPasskey(authenticator)
  expect(JSON.stringify(store.rows().accounts)).toBe(before)
  expect(store.rows().authenticators).toEqual([])
})

test("a user of `authorize` is disabled by the id that it returns, without an adapter", async () => {
  const { records } = memoryAdapter()
  const config: AuthConfig = {
    secret: "k0Wc5v2uYl1u8mQ7o3nT9xZ4hB6sD1fGqR8eJ2aV5pLw",
    trustHost: true,
    records,
    providers: [Credentials({ credentials: { name: {} }, authorize: ({ name }) => ({ id: String(name) }) })],
  }
  const server = createServer(config)
  await server.disable("ada")
  const signIn = async (name: string) => {
    const browser = await visit(config)
    await browser.signIn("credentials", { name })
    return hasSession(browser)
  }
  expect([await signIn("ada"), await signIn("grace")]).toEqual([false, true])
  await server.enable("ada")
  expect(await signIn("ada")).toBe(true)
})

test("tokens that a sign-in brought while the switch was thrown aren't kept", async () => {
  const store = memoryAdapter()
  const { browser, clock, config, first, id, server } = await signedIn(store, { tokens: vault })
  await browser.signOut()
  await server.revoke(id)
  const { insert } = store.records
  const records = {
    ...store.records,
    async insert(...[record, now]: Parameters<typeof insert>) {
      if (record.kind === "tokens.account") await server.disable(id)
      return insert(record, now)
    },
  }
  const other = await visit({ ...config, records }, { clock })
  await other.signInWith(first, { as: "ada" })
  expect(await server.token("op", { userId: id })).toMatchObject({ problem: "not-connected" })
  expect(store.rows().records.filter(({ kind }) => kind === "tokens.account")).toEqual([])
})

test("`disable` costs a sign-in two reads, and nothing without records", async () => {
  const store = memoryAdapter()
  let reads = 0
  const records = { ...store.records, get: (...args: [string, string]) => (reads++, store.records.get(...args)) }
  const its = await site<Adapter>(store, { records })
  await its.browser.signInWith(its.first, { as: "ada" })
  expect(reads).toBe(2)
  const without = await site<Adapter>({ ...store, records })
  await without.browser.signInWith(without.first, { as: "ada" })
  expect(reads).toBe(2)
})

test("without a store of records, the error names the line to add, and nothing ends", async () => {
  const { browser, id, server } = await signedIn(memoryAdapter(), { records: undefined })
  for (const call of [server.disable(id), server.enable(id)]) {
    const error: unknown = await call.catch((cause: unknown) => cause)
    expect(error).toBeInstanceOf(InvalidConfig)
    expect(String(error)).toContain("Add `records:")
  }
  expect(await browser.session()).not.toBeNull()
})

test("a store that fails lets no user in", async () => {
  const store = memoryAdapter()
  const { clock, config, first } = await signedIn(store)
  const records = { ...store.records, get: () => Promise.reject(new Error("connection lost")) }
  const browser = await visit({ ...config, records }, { clock })
  await browser.signInWith(first, { as: "ada" })
  expect(hasSession(browser)).toBe(false)
})

test("deleting a user deletes the record, and another user with an id of other letters isn't disabled", async () => {
  const { id, server, store } = await signedIn()
  await expect(server.disable(id.toUpperCase())).rejects.toThrow("No user has the id")
  expect((await server.export(id)).disabled).toBeNull()
  await server.disable(id, "fraud")
  await server.disable(id, "again")
  expect((await server.export(id)).disabled).toMatchObject({ reason: "fraud" })
  await store.deleteUser(id)
  expect((await server.export(id)).disabled).toBeNull()
})

test.each([undefined, null, "", 7])("%j is no id of a user", async (id) => {
  const { server } = await signedIn()
  for (const name of ["disable", "enable", "export"] as const)
    await expect(server[name](id as string)).rejects.toMatchObject({
      message: expect.stringContaining("no user id") as string,
    })
})

test("an id that no user of the database has is no success", async () => {
  const options = { session: { strategy: "database" } } as const
  const { id, server } = await signedIn(memoryAdapter(), options)
  await expect(server.disable(id.toUpperCase())).rejects.toThrow("Pass it as the database has it")
  await expect(server.disable(`${id} `)).rejects.toThrow("Pass it as the database has it")
})
