import { expect, test } from "vitest"
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
  const work = store.transaction?.(async (inside) => inside.deleteUser?.("x"))
  await expect(work).rejects.toMatchObject({ type: "AdapterError", cause: { method: "deleteUser" } })
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
