import type { Adapter } from "../model/adapter.js"

const lookups: ReadonlySet<string> = new Set([
  "getUser",
  "getUserByEmail",
  "getUserByAccount",
  "getSessionAndUser",
  "getAccount",
  "getAuthenticator",
  "useVerificationToken",
  "getVerificationToken",
])

/** For a row that doesn't exist, some adapters return `undefined` or `{}`, also as the user of a session. */
export function missingAsNull(method: string, result: unknown): unknown {
  if (!lookups.has(method)) return result
  if (isMissing(result)) return null
  if (method !== "getSessionAndUser") return result
  const { session, user }: { session?: unknown; user?: unknown } = Object(result)
  return isEmpty(session) || isEmpty(user) ? null : result
}

function isMissing(row: unknown): boolean {
  return row === undefined || row === null || isEmpty(row)
}

function isEmpty(row: unknown): boolean {
  return typeof row === "object" && row !== null && Object.keys(row).length === 0
}

type Lookup = (adapter: Adapter, key: unknown) => unknown

/** Finds what a method deletes, by its first argument. */
const lookupOf: Readonly<Record<string, Lookup>> = {
  deleteSession: (adapter, token) => lookup(adapter, "getSessionAndUser", token),
  deleteUser: (adapter, id) => lookup(adapter, "getUser", id),
  unlinkAccount: (adapter, account) => lookup(adapter, "getUserByAccount", account),
}

/**
 * Whether a deletion failed because the row is gone, as it does in some adapters. Two requests delete one row when a user signs out
 * in two tabs, or when two requests find the same expired session.
 */
export async function isGone(adapter: Adapter, method: string, [key]: readonly unknown[]): Promise<boolean> {
  try {
    const found = await lookupOf[method]?.(adapter, key)
    return found === null
  } catch {
    // The database fails, so report the first error.
    return false
  }
}

/** `undefined` if the adapter has no such method. */
async function lookup(
  adapter: Adapter,
  method: "getSessionAndUser" | "getUser" | "getUserByAccount",
  key: unknown,
): Promise<unknown> {
  const find = adapter[method]
  if (find === undefined) return undefined
  return missingAsNull(method, await Reflect.apply(find, adapter, [key]))
}
