import type { Adapter } from "../model/adapter.js"

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
export async function exactRows(
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
