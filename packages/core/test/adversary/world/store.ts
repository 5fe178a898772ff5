import { memoryAdapter } from "@latchkey/adapter-kit/memory"
import type { Adapter } from "@latchkey/core/adapters"
import { DatabaseSync } from "node:sqlite"
import { sqlite } from "../../../../sql/src/sqlite.js"
import { count } from "./costs.js"
import type { Settings } from "./settings.js"

/** What the database holds that decides who is who. */
export interface Rows {
  readonly users: readonly { readonly id: string; readonly email: string; readonly verified: boolean }[]
  readonly accounts: readonly { readonly userId: string; readonly provider: string; readonly id: string }[]
}

export interface Store {
  /** A new object for each call, as an application makes that creates its adapter for each request. */
  adapter(): Adapter
  /** What the application itself uses. It never fails. */
  readonly base: Adapter
  rows(): Rows
  /** The next call of this method fails, with an error that quotes its arguments. */
  failAt: string | undefined
  /** Whether a call failed since this was last set. */
  hasFailed: boolean
}

export function createStore({ store }: Settings): Store | undefined {
  if (store === "none") return undefined
  const { adapter, rows } = store === "memory" ? inMemory() : inSqlite()
  const made: Store = {
    adapter: () => watched(adapter, made),
    base: adapter,
    rows,
    failAt: undefined,
    hasFailed: false,
  }
  return made
}

interface Base {
  readonly adapter: Adapter
  rows(): Rows
}

function inMemory(): Base {
  const adapter = memoryAdapter()
  const rows = (): Rows => {
    const { users, accounts } = adapter.rows()
    return {
      users: users.map(({ id, email, emailVerified }) => ({ id, email, verified: emailVerified !== null })),
      accounts: accounts.map(({ userId, provider, providerAccountId }) => ({
        userId,
        provider,
        id: providerAccountId,
      })),
    }
  }
  return { adapter, rows }
}

function inSqlite(): Base {
  const database = new DatabaseSync(":memory:")
  const adapter = sqlite(database)
  const all = (query: string) => {
    try {
      return database.prepare(query).all()
    } catch {
      // The tables are made at the first use.
      return []
    }
  }
  const rows = (): Rows => ({
    users: all("select id, email, email_verified from users").map((row) => ({
      id: String(row["id"]),
      email: String(row["email"]),
      verified: row["email_verified"] !== null,
    })),
    accounts: all("select user_id, provider, provider_account_id from accounts").map((row) => ({
      userId: String(row["user_id"]),
      provider: String(row["provider"]),
      id: String(row["provider_account_id"]),
    })),
  })
  return { adapter, rows }
}

/** Counts the calls, and fails when told to. */
function watched(adapter: Adapter, store: Store): Adapter {
  return new Proxy(adapter, {
    get(target, name: keyof Adapter) {
      const method: unknown = target[name]
      if (typeof method !== "function") return method
      if (name === "transaction") return transactionOf(target, store)
      return async (...args: unknown[]): Promise<unknown> => {
        count("adapterCalls")
        if (store.failAt === name) fail(store, name, args)
        return await Reflect.apply(method, target, args)
      }
    },
  })
}

function transactionOf(adapter: Adapter, store: Store): Adapter["transaction"] {
  return async (work) => {
    if (adapter.transaction === undefined) throw new Error("This adapter has no transactions")
    return await adapter.transaction(async (inner) => await work(watched(inner, store)))
  }
}

function fail(store: Store, method: string, args: readonly unknown[]): never {
  store.failAt = undefined
  store.hasFailed = true
  throw new Error(`${method} failed for ${JSON.stringify(args)}`)
}
