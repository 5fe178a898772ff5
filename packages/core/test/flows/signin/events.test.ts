import { memoryAdapter } from "@latchkey/adapter-kit"
import type { Adapter } from "@latchkey/core/adapters"
import type { AuthConfig } from "@latchkey/core/types"
import { captureLog, createProvider, visit } from "@latchkey/testing"
import { describe, expect, test } from "vitest"
import {
  emailOf,
  type Events,
  hasSession,
  intercept,
  mailbox,
  type Message,
  recorder,
  signInByMail,
  type Strategy,
  withoutTransactions,
} from "./setup.js"

async function site(events: Events, more: Partial<AuthConfig> = {}) {
  const op = createProvider()
  const mail = mailbox()
  const store = memoryAdapter()
  const log = captureLog()
  const providers = [op.provider(), mail.provider]
  const browser = await visit({ providers, adapter: store, events, logger: log.logger, ...more })
  return { op, mail, store, log, browser }
}

describe("the message of", () => {
  test("signIn has user, account, profile and isNewUser for a provider account", async () => {
    const told = recorder<Message<"signIn">>()
    const { op, browser, store } = await site({ signIn: told.record })
    await browser.signInWith(op, { as: "ada" })
    expect(Object.keys(told.one).sort()).toEqual(["account", "isNewUser", "profile", "user"])
    expect(told.one).toMatchObject({
      user: { id: store.rows().users[0]?.id },
      account: { provider: "op", providerAccountId: "ada" },
      profile: { sub: "ada" },
      isNewUser: true,
    })
  })

  test("signIn has user, account and isNewUser for an email", async () => {
    const told = recorder<Message<"signIn">>()
    const { mail, browser } = await site({ signIn: told.record })
    await signInByMail(browser, mail, "ada@example.test")
    expect(Object.keys(told.one).sort()).toEqual(["account", "isNewUser", "user"])
  })

  test("createUser has the stored user", async () => {
    const told = recorder<Message<"createUser">>()
    const { op, browser, store } = await site({ createUser: told.record })
    await browser.signInWith(op, { as: "ada" })
    expect(told.messages).toEqual([{ user: store.rows().users[0] }])
  })

  test("linkAccount has the stored user and account, and the user of the profile", async () => {
    const told = recorder<Message<"linkAccount">>()
    const { op, browser, store } = await site({ linkAccount: told.record })
    await browser.signInWith(op, { as: "ada" })
    const [user] = store.rows().users
    expect(Object.keys(told.one).sort()).toEqual(["account", "profile", "user"])
    expect(told.one.user).toEqual(user)
    expect(told.one.account).toMatchObject({ userId: user?.id, provider: "op", providerAccountId: "ada" })
    expect(told.one.profile).toMatchObject({ name: "Ada Lovelace", email: "ada@example.test" })
    expect(told.one.profile).not.toHaveProperty("sub")
  })

  test("updateUser has the user whose email was verified", async () => {
    const told = recorder<Message<"updateUser">>()
    const { mail, browser, store } = await site({ updateUser: told.record })
    await store.createUser({ id: "u1", email: "ada@example.test", emailVerified: null })
    await signInByMail(browser, mail, "ada@example.test")
    expect(told.one.user).toMatchObject({ id: "u1", emailVerified: expect.any(Date) })
  })

  test("signInFailure has the error and the provider", async () => {
    const told = recorder<Message<"signInFailure">>()
    const { op, browser } = await site({ signInFailure: told.record }, { callbacks: { signIn: () => false } })
    await browser.signInWith(op, { as: "ada" })
    expect(told.one).toMatchObject({ error: { type: "AccessDenied" }, provider: "op" })
  })

  test("without an adapter, only signIn fires, and without isNewUser", async () => {
    const told: string[] = []
    const signIns = recorder<Message<"signIn">>()
    const op = createProvider()
    const events: Events = {
      createUser: () => void told.push("createUser"),
      linkAccount: () => void told.push("linkAccount"),
      signIn: signIns.record,
    }
    const browser = await visit({ providers: [op.provider()], events })
    await browser.signInWith(op, { as: "ada" })
    expect(told).toEqual([])
    expect(signIns.one.isNewUser).toBeUndefined()
  })

  test("fires once if the adapter runs the transaction again after a conflict", async () => {
    const created = recorder<Message<"createUser">>()
    const linked = recorder<Message<"linkAccount">>()
    const store = memoryAdapter()
    const conflict = new Error("conflict")
    const transaction: Adapter["transaction"] = async (work) => {
      const lost = store.transaction(async (inside) => {
        await work(inside)
        throw conflict
      })
      await expect(lost).rejects.toBe(conflict)
      return store.transaction(work)
    }
    const events = { createUser: created.record, linkAccount: linked.record }
    const { op, browser } = await site(events, { adapter: { ...store, transaction } })
    await browser.signInWith(op, { as: "ada" })
    expect(created.one.user).toMatchObject({ id: store.rows().users[0]?.id })
    expect(linked.one.account).toMatchObject({ providerAccountId: "ada" })
  })

  test("a sign-up that fails fires no event", async () => {
    const told: string[] = []
    const store = memoryAdapter()
    const op = createProvider()
    const adapter = intercept(store, async (method, run) => {
      if (method === "linkAccount") throw new Error("disk full")
      return run()
    })
    const events: Events = {
      createUser: () => void told.push("createUser"),
      linkAccount: () => void told.push("linkAccount"),
      signIn: () => void told.push("signIn"),
    }
    const browser = await visit({ providers: [op.provider()], adapter, events })
    await browser.signInWith(op, { as: "ada" })
    expect(told).toEqual([])
  })
})

describe("FAULT-07: a handler that throws", () => {
  test.each(["signIn", "createUser", "linkAccount", "session"] as const)(
    "%s is logged once and changes nothing",
    async (name) => {
      const broken = () => Promise.reject(new Error("webhook down"))
      const { op, browser, log } = await site({ [name]: broken })
      await browser.signInWith(op, { as: "ada" })
      expect(await emailOf(browser)).toBe("ada@example.test")
      const errors = log.entries.filter(({ level }) => level === "error")
      expect(errors.map(({ text }) => text.includes("EventError") && text.includes("webhook down"))).toEqual([true])
    },
  )

  test("may also throw synchronously", async () => {
    const signIn = () => {
      throw new Error("typo")
    }
    const { op, browser } = await site({ signIn })
    await browser.signInWith(op, { as: "ada" })
    expect(hasSession(browser)).toBe(true)
  })

  test("may also be updateUser", async () => {
    const { mail, browser, store } = await site({ updateUser: () => Promise.reject(new Error("webhook down")) })
    await store.createUser({ id: "u1", email: "ada@example.test", emailVerified: null })
    await signInByMail(browser, mail, "ada@example.test")
    expect(hasSession(browser)).toBe(true)
  })
})

async function orderOf(strategy: Strategy, wrap: (store: ReturnType<typeof memoryAdapter>) => Adapter) {
  const order: string[] = []
  const note = (entry: string) => void order.push(entry)
  const adapter = intercept(wrap(memoryAdapter()), (method, run) => (note(method), run()))
  const op = createProvider()
  const config: AuthConfig = {
    providers: [op.provider()],
    adapter,
    session: { strategy },
    callbacks: {
      redirect: ({ url }) => (note("redirect()"), url),
      signIn: () => (note("signIn()"), true),
      jwt: ({ token }) => (note("jwt()"), token),
    },
    events: {
      createUser: () => note("createUser!"),
      linkAccount: () => note("linkAccount!"),
      signIn: () => note("signIn!"),
    },
  }
  const browser = await visit(config)
  await browser.post("/auth/signin/op", { csrfToken: (await browser.csrf()) ?? "" })
  expect(order).toEqual(["redirect()"])
  order.length = 0
  await browser.consentAt(op, { as: "ada" })
  return order
}

describe("the order of a first sign-in", () => {
  const head = ["redirect()", "getUserByAccount", "signIn()", "getUserByAccount", "getUserByEmail"]
  test.each([
    ["database", ["createSession", "describeSession"]],
    ["jwt", ["jwt()"]],
  ] as const)("is fixed under strategy %s", async (strategy, start) => {
    expect(await orderOf(strategy, withoutTransactions)).toEqual([
      ...head,
      "createUser",
      "createUser!",
      "linkAccount",
      "linkAccount!",
      ...start,
      "signIn!",
    ])
  })

  test("createUser and linkAccount fire after a transaction is committed", async () => {
    expect(await orderOf("database", (store) => store)).toEqual([
      ...head,
      "transaction",
      "createUser",
      "linkAccount",
      "createUser!",
      "linkAccount!",
      "createSession",
      "describeSession",
      "signIn!",
    ])
  })
})
