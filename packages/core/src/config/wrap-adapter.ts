import { AdapterError, AuthError } from "../errors.js"
import type { Adapter } from "../model/adapter.js"
import type { Logger } from "../model/logger.js"
import type { RecordStore } from "../model/records.js"
import { namedSecrets } from "../observability/collect-secrets.js"
import { mayQuote } from "../observability/in-flight.js"

const methods = [
  "createUser",
  "getUser",
  "getUserByEmail",
  "getUserByAccount",
  "updateUser",
  "deleteUser",
  "linkAccount",
  "unlinkAccount",
  "createSession",
  "getSessionAndUser",
  "updateSession",
  "deleteSession",
  "createVerificationToken",
  "useVerificationToken",
  "getAccount",
  "getAuthenticator",
  "createAuthenticator",
  "listAuthenticatorsByUserId",
  "updateAuthenticatorCounter",
  "listAccounts",
  "updateAccount",
  "updateAuthenticator",
  "deleteAuthenticator",
  "describeAuthenticator",
  "describeSession",
  "listSessions",
  "deleteSessions",
  "getVerificationToken",
  "deleteVerificationTokens",
] as const satisfies readonly Exclude<keyof Adapter, "rateLimits" | "records">[]

/** The argument is a session token. The logger redacts it by this name. */
const bySessionToken: ReadonlySet<string> = new Set(["getSessionAndUser", "deleteSession", "describeSession"])

/**
 * Calls methods with their `this`, logs each call at debug level, and turns errors into `AdapterError`s. A missing row is `null`,
 * and deleting it again isn't an error, whatever the adapter does then. A row of another key counts as missing.
 */
export function wrapAdapter(adapter: Adapter, logger: Logger): Adapter {
  const wrapped: Record<string, unknown> = {}
  for (const name of methods) if (typeof adapter[name] === "function") wrapped[name] = guarded(adapter, name, logger)
  const { transaction } = adapter
  if (transaction !== undefined) {
    wrapped["transaction"] = async (work: (inside: Adapter) => Promise<unknown>) => {
      try {
        return await transaction.call(adapter, (inside) => work(wrapAdapter(inside, logger)))
      } catch (cause) {
        throw toAdapterError(cause, "transaction")
      }
    }
  }
  return Object.freeze(wrapped)
}

function guarded(
  adapter: Adapter,
  name: (typeof methods)[number],
  logger: Logger,
): (...args: unknown[]) => Promise<unknown> {
  return async (...args) => {
    logger.debug(`adapter_${name}`, () => (bySessionToken.has(name) ? { sessionToken: args[0] } : { args }))
    try {
      const result = await (adapter[name] as (...args: unknown[]) => unknown).apply(adapter, args)
      return await exactRows(adapter, name, args, missingAsNull(name, result))
    } catch (cause) {
      if (await isGone(adapter, name, args)) return null
      const secrets = () => (bySessionToken.has(name) ? namedSecrets({ sessionToken: args[0] }) : namedSecrets(args))
      throw mayQuote(toAdapterError(cause, name), secrets)
    }
  }
}

export function toAdapterError(cause: unknown, method: string): AuthError {
  if (cause instanceof AuthError) return cause
  const error = cause instanceof Error ? cause : new Error(String(cause))
  return new AdapterError(`The adapter's ${method} method failed. See the cause for the error of the database`, {
    cause: error,
    method,
  })
}

/** A key that was asked for, and the same key in the row that was found. */
type Key = readonly [asked: unknown, found: unknown]

interface Found {
  readonly id?: unknown
  readonly userId?: unknown
  readonly provider?: unknown
  readonly providerAccountId?: unknown
  readonly identifier?: unknown
  readonly token?: unknown
  readonly session?: { readonly sessionToken?: unknown }
}

/**
 * `getUserByEmail` is left out, because an email may be stored in another spelling, and `getAuthenticator`, because a passkey is
 * also refused if its id only looks like a known one.
 */
const keysOf: Readonly<Record<string, (args: readonly unknown[], row: Found) => readonly Key[]>> = {
  getUser: ([id], row) => [[id, row.id]],
  getSessionAndUser: ([token], { session }) => [[token, session?.sessionToken]],
  getAccount: ([id, provider], row) => [
    [id, row.providerAccountId],
    [provider, row.provider],
  ],
  useVerificationToken: keysOfToken,
  getVerificationToken: keysOfToken,
}

function keysOfToken([asked]: readonly unknown[], row: Found): readonly Key[] {
  const { identifier, token }: Found = Object(asked)
  return [
    [identifier, row.identifier],
    [token, row.token],
  ]
}

const ofUser: ReadonlySet<string> = new Set(["listAccounts", "listSessions", "listAuthenticatorsByUserId"])

/**
 * What an adapter found, without rows of other keys: collations of MySQL, SQL Server and SQLite ignore case, accents or trailing
 * spaces, so a database may take `SHA256:…` for a stored hash.
 */
async function exactRows(
  adapter: Adapter,
  method: string,
  args: readonly unknown[],
  result: unknown,
): Promise<unknown> {
  if (result === null || result === undefined) return result
  if (ofUser.has(method) && Array.isArray(result)) {
    return result.filter((row: Found) => isSame([args[0], row.userId]))
  }
  if (method === "getUserByAccount") return (await isLinked(adapter, args)) ? result : null
  if (isExact(method, args, result)) return result
  if (method === "useVerificationToken") await putBack(adapter, result)
  return null
}

/** The look-up has deleted the row of another key. */
async function putBack(adapter: Adapter, row: unknown): Promise<void> {
  try {
    await adapter.createVerificationToken?.(Object(row))
  } catch {
    // The adapter may not have deleted it. Otherwise, its user requests another link.
  }
}

function isExact(method: string, args: readonly unknown[], row: unknown): boolean {
  return keysOf[method]?.(args, Object(row)).every(isSame) !== false
}

/** The user has no id of the account, so the account is read too, if the adapter can. */
async function isLinked(adapter: Adapter, [asked]: readonly unknown[]): Promise<boolean> {
  const { provider, providerAccountId }: Found = Object(asked)
  const row: unknown = await adapter.getAccount?.(String(providerAccountId), String(provider))
  return isExact("getAccount", [providerAccountId, provider], row)
}

/** Not every adapter returns each field. Ids may be numbers, or objects of a driver that are written as text. */
function isSame([asked, found]: Key): boolean {
  if (found === undefined || found === null || ArrayBuffer.isView(found)) return true
  const [text = "", wanted] = [found, asked].map(String)
  return text === wanted || text.startsWith("[object ")
}

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
function missingAsNull(method: string, result: unknown): unknown {
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
async function isGone(adapter: Adapter, method: string, [key]: readonly unknown[]): Promise<boolean> {
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

/** Turns errors of a store into `AdapterError`s. */
export function wrapRecords(store: RecordStore): RecordStore {
  const guarded = <A extends unknown[], T>(name: string, call: (...args: A) => T | PromiseLike<T>) => {
    return async (...args: A): Promise<T> => {
      try {
        return await call.apply(store, args)
      } catch (cause) {
        throw toAdapterError(cause, `records.${name}`)
      }
    }
  }
  return {
    atomic: store.atomic,
    get: guarded("get", store.get),
    find: guarded("find", store.find),
    list: guarded("list", store.list),
    insert: guarded("insert", store.insert),
    swap: guarded("swap", store.swap),
    take: guarded("take", store.take),
    bump: guarded("bump", store.bump),
    remove: guarded("remove", store.remove),
    batch: guarded("batch", store.batch),
    removeOwned: guarded("removeOwned", store.removeOwned),
  }
}
