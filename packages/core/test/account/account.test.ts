import { setImmediate } from "node:timers/promises"
import { memoryAdapter } from "@latchkey/adapter-kit/memory"
import type { Adapter } from "@latchkey/core/adapters"
import { describe, expect, test } from "vitest"
import { testAccountFunctions } from "./behaviors.js"
import { site } from "./setup.js"

describe("with the memory adapter", () => {
  testAccountFunctions(memoryAdapter)
})

test("without a session, no function does anything", async () => {
  const { account } = await site(memoryAdapter())
  await expect(account().overview()).rejects.toMatchObject({ type: "SessionRequired" })
  await expect(account().deleteAccount()).rejects.toMatchObject({ type: "SessionRequired" })
})

test("an adapter whose deleteUser does nothing doesn't pretend that the account is deleted", async () => {
  const { transaction: _, ...store } = memoryAdapter()
  const { account, browser, first, events } = await site({ ...store, deleteUser: () => {} })
  await browser.signInWith(first, { as: "ada" })
  await expect(account().deleteAccount()).rejects.toMatchObject({ type: "AdapterError" })
  expect(events).not.toContain("deleteUser")
  expect(await browser.session()).toMatchObject({ user: { email: "ada@example.test" } })
})

test("an account is deleted although the database fails right after that", async () => {
  const { transaction: _, ...store } = memoryAdapter()
  let isDown = false
  const adapter = {
    ...store,
    deleteUser: async (id: string) => {
      await store.deleteUser(id)
      isDown = true
    },
    getUser: async (id: string) => {
      if (isDown) throw new Error("down")
      return store.getUser(id)
    },
  }
  const { account, browser, first, events } = await site(adapter)
  await browser.signInWith(first, { as: "ada" })
  await account().deleteAccount()
  expect(events).toContain("deleteUser")
})

test.each(["database", "jwt"] as const)(
  "with the session strategy %s, a user can delete their account without the tables that the application doesn't use",
  async (strategy) => {
    const { transaction: _, ...store } = memoryAdapter()
    const missing = async () => {
      throw new Error("no such table")
    }
    const adapter = {
      ...store,
      listAuthenticatorsByUserId: missing,
      ...(strategy === "jwt" && { deleteSessions: missing }),
    }
    const { account, browser, first, events, log } = await site(adapter, {
      withoutPasskeys: true,
      // So that a token has the time of the sign-in.
      session: { strategy, absoluteMaxAge: 86_400 },
    })
    await browser.signInWith(first, { as: "ada" })
    await account().deleteAccount()
    expect(events).toContain("deleteUser")
    expect(log.entries.filter(({ level }) => level === "error")).toEqual([])
  },
)

test("the other sessions end ten at a time, and a failure keeps only one", async () => {
  const store = memoryAdapter()
  let [running, most, fails] = [0, 0, false]
  const deleteSession: Adapter["deleteSession"] = async (token) => {
    most = Math.max(most, ++running)
    await setImmediate()
    running--
    if (!fails) return store.deleteSession(token)
    fails = false
    throw new Error("connection lost")
  }
  const { account, browser, first } = await site<Adapter>({ ...store, deleteSession })
  await browser.signInWith(first, { as: "ada" })
  const userId = store.rows().users[0]?.id ?? ""
  const expires = store.rows().sessions[0]?.expires ?? new Date()
  for (let row = 0; row < 25; row++) await store.createSession({ sessionToken: `other ${row}`, userId, expires })
  fails = true
  await expect(account().revokeOtherSessions()).rejects.toMatchObject({ type: "AdapterError" })
  expect([most, store.rows().sessions.length]).toEqual([10, 2])
  expect(await account().revokeOtherSessions()).toBe(1)
  expect(store.rows().sessions).toHaveLength(1)
  expect(await browser.session()).not.toBeNull()
})

test.each([
  ["a verified email is", {}, new Date(0), true],
  ["an email that isn't verified isn't", {}, null, false],
  ["a verified email without an email provider isn't", { withoutEmail: true }, new Date(0), false],
] as const)(
  "%s a way to sign in, so that the last account can be disconnected",
  async (_, options, emailVerified, can) => {
    const store = memoryAdapter()
    const { account, browser, first } = await site(store, options)
    await browser.signInWith(first, { as: "ada" })
    const [user] = store.rows().users
    await store.updateUser({ id: user?.id ?? "", emailVerified })
    expect(await account().accounts()).toMatchObject([{ provider: first.provider().id, isRemovable: can }])
  },
)
