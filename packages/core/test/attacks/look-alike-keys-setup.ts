import { type MemoryAdapter, memoryAdapter } from "@latchkey/adapter-kit/memory"
import type { Adapter } from "@latchkey/core/adapters"

/** What collations of MySQL and SQL Server ignore when they compare: case, accents and trailing spaces. */
function folded(text: string): string {
  return text.normalize("NFKD").replace(/\p{M}/gu, "").toLowerCase().trimEnd()
}

const byKey =
  /^(?:get|delete|unlink|use|list|updateSession$|updateAccount$|updateAuthenticator|describe)(?!UserByEmail$)/u

/** A memory adapter that finds and deletes a row whose key only looks like the one it was asked for. */
export function foldingAdapter(store: MemoryAdapter = memoryAdapter()): { adapter: Adapter; store: MemoryAdapter } {
  return { adapter: folding(store, store), store }
}

function folding(adapter: Adapter, store: MemoryAdapter): Adapter {
  return new Proxy(adapter, {
    get(target, name) {
      const member: unknown = Reflect.get(target, name)
      if (typeof member !== "function" || typeof name !== "string") return member
      if (name === "transaction") {
        return async (work: (inside: Adapter) => Promise<unknown>) =>
          target.transaction?.((inside) => work(folding(inside, store)))
      }
      if (!byKey.test(name)) return member.bind(target)
      return (...args: unknown[]) => Reflect.apply(member, target, looksLike(store, args))
    },
  })
}

/** The arguments, with each key as the first row has it that looks like it. */
function looksLike(store: MemoryAdapter, args: readonly unknown[]): unknown[] {
  const { users, accounts, sessions, verificationTokens, authenticators } = store.rows()
  const keys = [
    ...users.map(({ id }) => id),
    ...accounts.flatMap(({ provider, providerAccountId }) => [provider, providerAccountId]),
    ...sessions.map(({ sessionToken }) => sessionToken),
    ...verificationTokens.flatMap(({ identifier, token }) => [identifier, token]),
    ...authenticators.map(({ credentialID }) => credentialID),
  ]
  const replaced = (value: unknown): unknown => {
    if (typeof value === "string") return keys.find((key) => folded(key) === folded(value)) ?? value
    if (typeof value !== "object" || value === null || value instanceof Date) return value
    return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, replaced(each)]))
  }
  return args.map(replaced)
}
