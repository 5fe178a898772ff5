import { InvalidConfig } from "../../../errors.js"
import type { AuthContext } from "../../../model/auth.js"
import { recordsHint } from "../../../model/records.js"
import { recordsOf } from "../../../module/records.js"
import { flag, integer, list, owner, record, sealed, text } from "../../../module-kit/fields.js"

const id = "tokens"

/** What is kept of an account at a provider. Times are in milliseconds since 1970. */
export interface Kept {
  readonly userId: string
  readonly provider: string
  readonly accountId: string
  /** Databases without column types tell a number from a text. */
  readonly isNumber: boolean
  /** Without both tokens, the user has to consent again. */
  readonly accessToken?: string | undefined
  readonly refreshToken?: string | undefined
  readonly issuedAt: number
  readonly expiresAt?: number | undefined
  readonly scopes: readonly string[]
  readonly connectedAt: number
  /** Issuer, subject and time of the last ID token, as JSON. Accounts of OAuth without OpenID have none. */
  readonly identity?: string | undefined
  /** Which process renews the token now, and until when the others don't. */
  readonly leasedBy?: string | undefined
  readonly leasedUntil?: number | undefined
  /** Renewals that failed since the last one that didn't, and when the next one may start. */
  readonly failures: number
  readonly retryAt?: number | undefined
}

/** A token that the provider has yet to revoke. It outlives its user, so it has no owner. */
export interface Revocation {
  readonly id: string
  readonly userId: string
  readonly provider: string
  readonly accountId: string
  readonly token: string
  readonly isRefreshToken: boolean
  readonly attempts: number
  readonly dueAt: number
}

/** The sealed fields are bound to the key, so to the user, the provider and the account. */
const account = record(
  {
    userId: owner(),
    provider: text(),
    accountId: text(),
    isNumber: flag(),
    accessToken: sealed().optional(),
    refreshToken: sealed().optional(),
    issuedAt: integer(),
    expiresAt: integer().optional(),
    scopes: list(),
    connectedAt: integer(),
    identity: text().optional(),
    leasedBy: text().optional(),
    leasedUntil: integer().optional(),
    failures: integer(),
    retryAt: integer().optional(),
  },
  { key: ["userId", "provider", "accountId"] },
)

const revocation = record(
  {
    id: text(),
    userId: text(),
    provider: text(),
    accountId: text(),
    token: sealed(),
    isRefreshToken: flag(),
    attempts: integer(),
    dueAt: integer(),
  },
  { key: ["id"], index: ["userId"] },
)

/** Everything that is kept, with sealed fields. */
export const kinds: Pick<AuthContext["modules"][number], "id" | "records"> = { id, records: { account, revocation } }

interface Page<V> {
  readonly items: readonly V[]
  readonly next: string | undefined
}

/** `Records` of values with the type `V`. */
interface Table<V, K extends keyof V> {
  get(key: Pick<V, K>): Promise<V | null>
  find(by: Partial<V>, page?: { readonly after?: string }): Promise<Page<V>>
  list(page?: { readonly limit?: number; readonly after?: string }): Promise<Page<V>>
  insert(value: V, options?: { readonly expiresIn?: number }): Promise<boolean>
  swap(before: V, changes: Partial<V>): Promise<boolean>
  take(key: Pick<V, K>): Promise<V | null>
  remove(key: Pick<V, K>): Promise<void>
}

type AccountKey = Pick<Kept, "userId" | "provider" | "accountId">

export interface Store {
  readonly accounts: Table<Kept, keyof AccountKey>
  readonly revocations: Table<Revocation, "id">
}

/** Why nothing can be kept. `undefined`: it can. */
export function obstacle({ records }: Pick<AuthContext, "records">): string | undefined {
  return records === undefined ? recordsHint : undefined
}

/** @throws InvalidConfig */
export function storeOf(auth: AuthContext): Store {
  const { records: store, runtime, https } = auth
  const problem = obstacle(auth)
  if (store === undefined || problem !== undefined)
    throw new InvalidConfig(`tokens: ${problem ?? "There are no records"}`)
  const source = { module: id, store, sealer: https.sealer, now: runtime.now }
  // `recordsOf` reads and writes the fields of the type that it gets, and these have the values above.
  return {
    accounts: recordsOf(source, "account", account) as object as Store["accounts"],
    revocations: recordsOf(source, "revocation", revocation) as object as Store["revocations"],
  }
}

export function keyOf({ userId, provider, accountId }: AccountKey): AccountKey {
  return { userId, provider, accountId }
}

/** Writes what `change` makes of the stored value, and tries again if another process was faster. `false`: nothing was written. */
export async function update(
  { accounts }: Store,
  key: AccountKey,
  change: (kept: Kept) => Partial<Kept> | undefined,
): Promise<boolean> {
  for (let attempt = 0; attempt < maxAttempts; attempt++) {
    const kept = await accounts.get(key)
    const changes = kept === null ? undefined : change(kept)
    if (kept === null || changes === undefined) return false
    if (await accounts.swap(kept, changes)) return true
  }
  return false
}

const maxAttempts = 10
