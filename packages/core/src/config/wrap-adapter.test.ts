import { describe, expect, test } from "vitest"
import { AccessDenied } from "../errors.js"
import type { Logger } from "../model/logger.js"
import { loggerOf } from "../observability/logger.js"
import type { Adapter } from "../model/adapter.js"
import { wrapAdapter } from "./wrap-adapter.js"

function listening(): { readonly seen: string[]; readonly logger: Logger } {
  const seen: string[] = []
  return { seen, logger: loggerOf({ debug: true, logger: { debug: (message) => void seen.push(message) } }) }
}

class Base {
  readonly #users = new Map([["u", { id: "u", email: "a@b.c", emailVerified: null }]])
  async getUser(id: string) {
    return this.#users.get(id) ?? null
  }
}

class Database extends Base implements Adapter {
  calls = 0
  deleteUser(id: string) {
    this.calls += 1
    if (id !== "u") throw new Error(`no user ${id}`)
  }
  updateUser(user: { id: string }): never {
    throw new Error(`no user ${user.id}`)
  }
  async transaction<T>(work: (inside: Adapter) => Promise<T>): Promise<T> {
    this.calls += 10
    return work(this)
  }
}

test("class methods, inherited ones too, keep their `this` and private fields", async () => {
  const database = new Database()
  const store = wrapAdapter(database, listening().logger)
  expect(await store.getUser?.("u")).toMatchObject({ email: "a@b.c" })
  await store.deleteUser?.("u")
  expect(await store.transaction?.(async (inside) => inside.getUser?.("u"))).toMatchObject({ id: "u" })
  expect(database.calls).toBe(11)
})

test("a method that the adapter lacks isn't added", () => {
  const store = wrapAdapter(new Database(), listening().logger)
  expect([store.createSession, store.listSessions]).toEqual([undefined, undefined])
})

test.each([
  ["an error", new Error("down")],
  ["a string", "down"],
])("%s that is thrown synchronously becomes an AdapterError with its cause and method", async (_, thrown) => {
  const getUser = () => {
    throw thrown
  }
  const store = wrapAdapter({ getUser }, listening().logger)
  await expect(store.getUser?.("u")).rejects.toMatchObject({
    type: "AdapterError",
    cause: { err: { message: "down" }, method: "getUser" },
  })
})

test("a rejection in a transaction becomes an AdapterError", async () => {
  const store = wrapAdapter(new Database(), listening().logger)
  const work = store.transaction?.(async (inside) => inside.updateUser?.({ id: "x" }))
  await expect(work).rejects.toMatchObject({ type: "AdapterError", cause: { method: "updateUser" } })
})

test("an AuthError from the adapter isn't wrapped", async () => {
  const refusal = new AccessDenied("closed")
  const store = wrapAdapter({ getUser: () => Promise.reject(refusal) }, listening().logger)
  await expect(store.getUser?.("u")).rejects.toBe(refusal)
})

test("every call is logged at debug level", async () => {
  const { seen, logger } = listening()
  await wrapAdapter(new Database(), logger).getUser?.("u")
  expect(seen).toEqual(["adapter_getUser"])
})

const lookups = [
  "getUser",
  "getUserByEmail",
  "getUserByAccount",
  "getSessionAndUser",
  "getAccount",
  "getAuthenticator",
  "useVerificationToken",
] as const

/** Calls a method of an adapter whose methods all return or throw the same. */
async function result(
  method: Exclude<keyof Adapter, "rateLimits" | "records">,
  returned: () => unknown,
): Promise<unknown> {
  const all = Object.fromEntries([...lookups, "createUser", "deleteUser"].map((name) => [name, returned]))
  return Reflect.apply(wrapAdapter(all, listening().logger)[method] ?? (() => "no such method"), undefined, [
    "key",
    "key",
  ])
}

test.each(lookups.flatMap((method) => [undefined, null, {}].map((missing) => [method, missing] as const)))(
  "%s is null for a missing row if the adapter returns %j",
  async (method, missing) => {
    expect(await result(method, () => missing)).toBeNull()
  },
)

test.each([
  ["user", { session: { userId: "u" }, user: {} }],
  ["session", { session: {}, user: { id: "u" } }],
])("a session with an empty %s is null", async (_, row) => {
  expect(await result("getSessionAndUser", () => row)).toBeNull()
})

test.each([
  ["getUser", { id: "key" }],
  ["getUser", { id: { toString: (): string => "key" } }],
  ["getUser", { name: "Ada" }],
  ["getSessionAndUser", { session: { userId: "u" }, user: { id: "u" } }],
  ["createUser", {}],
  ["deleteUser", undefined],
] as const)("%s returns %j as it is", async (method, row) => {
  expect(await result(method, () => row)).toBe(row)
})

test.each([
  ["getUser", ["1"], { id: "01" }],
  ["getSessionAndUser", ["key"], { session: { sessionToken: "KEY" }, user: { id: "u" } }],
  ["getAccount", ["1", "op"], { provider: "OP", providerAccountId: "1" }],
  ["getAccount", ["1", "op"], { provider: "op", providerAccountId: "1 " }],
] as const)("%s(%j) is null if the adapter returns %j, a row of another key", async (method, args, row) => {
  const adapter = wrapAdapter({ [method]: () => row }, listening().logger)
  expect(await Reflect.apply(adapter[method] ?? (() => "no such method"), undefined, args)).toBeNull()
})

test("an account that belongs to another key has no user", async () => {
  const getAccount = (id: string, provider: string) =>
    ({ id, provider, providerAccountId: "abc", userId: "u" }) as never
  const adapter = wrapAdapter({ getUserByAccount: () => ({ id: "u" }) as never, getAccount }, listening().logger)
  expect(await adapter.getUserByAccount?.({ provider: "op", providerAccountId: "ABC" })).toBeNull()
  expect(await adapter.getUserByAccount?.({ provider: "op", providerAccountId: "abc" })).toEqual({ id: "u" })
})

test("lists have only rows of the user", async () => {
  const rows = [{ userId: "u" }, { userId: "U" }, { userId: "v" }, {}]
  const adapter = wrapAdapter({ listSessions: () => rows as never }, listening().logger)
  expect(await adapter.listSessions?.("u")).toEqual([{ userId: "u" }, {}])
})

const deletions = [
  ["deleteSession", "getSessionAndUser"],
  ["deleteUser", "getUser"],
  ["unlinkAccount", "getUserByAccount"],
] as const

describe.each(deletions)("%s that fails", (method, find) => {
  const failing = (found: () => unknown) => {
    const fail = () => Promise.reject(new Error("no such row"))
    return wrapAdapter({ [method]: fail, [find]: found }, listening().logger)
  }
  const call = async (adapter: Adapter) =>
    Reflect.apply(adapter[method] ?? (() => "no such method"), undefined, ["key"])

  test.each([null, undefined, {}])("isn't an error if the row is gone, which is %j", async (missing) => {
    expect(await call(failing(() => missing))).toBeNull()
  })

  test("is an error if the row is there", async () => {
    await expect(call(failing(() => ({ session: { id: 1 }, user: { id: 1 } })))).rejects.toMatchObject({
      cause: { err: { message: "no such row" }, method },
    })
  })

  test("is reported as it is if the lookup fails too", async () => {
    const down = () => {
      throw new Error("down")
    }
    await expect(call(failing(down))).rejects.toMatchObject({ cause: { err: { message: "no such row" } } })
  })

  test("is an error if the adapter can't look the row up", async () => {
    const adapter = wrapAdapter({ [method]: () => Promise.reject(new Error("down")) }, listening().logger)
    await expect(call(adapter)).rejects.toMatchObject({ cause: { method } })
  })
})
