import { LastSignInMethod } from "../../errors.js"
import { maxListed } from "../../limits/of-growth.js"
import type { Adapter, AdapterAccount, AdapterAuthenticator, AdapterUser } from "../../model/adapter.js"
import type { AuthContext } from "../../model/auth.js"
import type { ResolvedProvider } from "../../model/signin.js"
import { mutexOf } from "../../primitives/state.js"
import { idText } from "../../session/live-session.js"
import type { StoredUser } from "./signed-in.js"

/** A passkey with the provider that it belongs to. */
export interface OwnPasskey {
  readonly provider: ResolvedProvider
  readonly account: AdapterAccount
  readonly authenticator: AdapterAuthenticator
}

/** What the user can sign in with. */
export interface Ways {
  readonly passkeys: readonly OwnPasskey[]
  readonly accounts: readonly AdapterAccount[]
  /** By email or with credentials, which can't be removed here. */
  readonly hasOther: boolean
}

interface Owner {
  readonly auth: AuthContext
  readonly adapter: Adapter
  readonly user: AdapterUser
}

/**
 * Everything that works with the providers of the configuration. An email counts if it's verified: a typing error in another one
 * would lock the user out. Credentials count if their provider says so.
 */
export async function waysOf(owner: Owner): Promise<Ways> {
  const [passkeys, accounts, hasOther] = await Promise.all([passkeysOf(owner), accountsOf(owner), hasOtherWay(owner)])
  return { passkeys, accounts: accounts.filter((account) => canSignIn(owner.auth, account)), hasOther }
}

export function countWays({ passkeys, accounts, hasOther }: Ways): number {
  return passkeys.length + accounts.length + (hasOther ? 1 : 0)
}

async function hasOtherWay({ auth, user }: Owner): Promise<boolean> {
  for (const provider of auth.providers.values()) {
    if (provider.type === "email" && user.email && user.emailVerified) return true
    if (provider.type === "credentials" && (await provider.canSignIn?.(user)) === true) return true
  }
  return false
}

function canSignIn({ providers }: AuthContext, { provider }: AdapterAccount): boolean {
  const type = providers.get(provider)?.type
  return type === "oauth" || type === "oidc"
}

/** The linked accounts of providers, as far as the adapter can list them. */
export async function accountsOf({ adapter, user }: Omit<Owner, "auth">): Promise<readonly AdapterAccount[]> {
  const rows: readonly AdapterAccount[] | null | undefined = await adapter.listAccounts?.(user.id)
  return (rows ?? []).filter(({ type }) => type === "oauth" || type === "oidc")
}

/** The passkeys that work: each has an account at one of the configured providers. */
export async function passkeysOf({ auth, adapter, user }: Owner): Promise<readonly OwnPasskey[]> {
  const providers = [...auth.providers.values()].filter(({ type }) => type === "webauthn")
  if (providers.length === 0) return []
  // Some adapters return `null` for none.
  const rows: readonly AdapterAuthenticator[] | null | undefined = await adapter.listAuthenticatorsByUserId?.(user.id)
  const found = await Promise.all(
    (rows ?? []).slice(0, maxListed + 1).flatMap((authenticator) =>
      providers.map(async (provider) => ({
        provider,
        authenticator,
        account: (await adapter.getAccount?.(authenticator.providerAccountId, provider.id)) ?? undefined,
      })),
    ),
  )
  return found.flatMap(({ account, ...passkey }) =>
    account !== undefined && idText(account.userId) === idText(user.id) ? [{ ...passkey, account }] : [],
  )
}

/** A way to sign in that a user wants to remove. */
export interface Removal<T> {
  /** Finds it among those of the user. `undefined`: it isn't there. */
  find(adapter: Adapter, ways: Ways): T | undefined | Promise<T | undefined>
  remove(adapter: Adapter, found: T): Promise<void>
  /** Undoes the removal. */
  restore(adapter: Adapter, found: T): Promise<void>
}

/**
 * Removes a way to sign in, unless it's the last one. Of two parallel removals that would leave none, at least one fails: in a
 * transaction, the row of the user is locked first. Without transactions, each removal looks again afterwards, and restores what
 * it has removed if nothing is left.
 *
 * @returns `undefined` if the user has no such way
 * @throws LastSignInMethod
 */
export async function removeWay<T>(stored: StoredUser, removal: Removal<T>): Promise<T | undefined> {
  const { auth, adapter, userId } = stored
  return mutexOf(auth).runExclusive(`account ${userId}`, async () => {
    if (adapter.transaction === undefined) return removeAndLook(stored, removal)
    return adapter.transaction(async (inside) => {
      const locked = await inside.updateUser?.({ id: stored.user.id })
      return removeChecked({ ...stored, adapter: inside, user: locked ?? stored.user }, removal)
    })
  })
}

async function removeAndLook<T>(stored: StoredUser, removal: Removal<T>): Promise<T | undefined> {
  const { adapter } = stored
  const user = (await adapter.getUser?.(stored.user.id)) ?? stored.user
  const found = await removeChecked({ ...stored, user }, removal)
  if (found === undefined || countWays(await waysOf({ ...stored, user })) > 0) return found
  await removal.restore(adapter, found)
  throw last()
}

async function removeChecked<T>(stored: StoredUser, { find, remove }: Removal<T>): Promise<T | undefined> {
  const ways = await waysOf(stored)
  const found = await find(stored.adapter, ways)
  if (found === undefined) return undefined
  if (isLast(ways, found)) throw last()
  await remove(stored.adapter, found)
  return found
}

/** Something that can't be used to sign in can always be removed. */
function isLast(ways: Ways, found: unknown): boolean {
  const isWay = [...ways.passkeys, ...ways.accounts].some((way) => way === found)
  return countWays(ways) - (isWay ? 1 : 0) < 1
}

function last(): LastSignInMethod {
  return new LastSignInMethod("This is the user's last way to sign in. Add another one first")
}
