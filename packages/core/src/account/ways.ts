import { LastSignInMethod } from "../errors.js"
import type { Adapter } from "../model/adapter.js"
import type { AccountOwner } from "../model/features.js"
import { mutexOf } from "../primitives/state.js"
import type { AuthContext } from "../model/auth.js"
import { accountParts } from "./functions.js"
import type { StoredUser } from "./signed-in.js"

type Owner = AccountOwner<AuthContext>

/** What a user can sign in with. */
export interface Ways {
  /** Passkeys and accounts, as features find them. */
  readonly removable: readonly object[]
  /** By email or with credentials, which can't be removed here. */
  readonly hasOther: boolean
}

/**
 * Everything that works with the providers of the configuration. An email counts if it's verified: a typing error in another one
 * would lock the user out. Credentials count if their provider says so.
 */
export async function waysOf(owner: Owner): Promise<Ways> {
  const find = async () => Promise.all((await accountParts(owner.auth)).map((part) => part.ways(owner)))
  const [removable, hasOther] = await Promise.all([find(), hasOtherWay(owner)])
  return { removable: removable.flat(), hasOther }
}

export function countWays({ removable, hasOther }: Ways): number {
  return removable.length + (hasOther ? 1 : 0)
}

async function hasOtherWay({ auth, user }: Owner): Promise<boolean> {
  for (const provider of auth.providers.values()) if ((await provider.canSignIn?.(user)) === true) return true
  return false
}

/** A way to sign in that a user wants to remove. */
export interface Removal<T> {
  /** Finds it among those of the user. `undefined`: it isn't there. */
  find(owner: StoredUser, ways: Ways): T | undefined | Promise<T | undefined>
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
  const found = await find(stored, ways)
  if (found === undefined) return undefined
  if (isLast(ways, found)) throw last()
  await remove(stored.adapter, found)
  return found
}

/** Something that can't be used to sign in can always be removed. */
function isLast(ways: Ways, found: unknown): boolean {
  const isWay = ways.removable.some((way) => way === found)
  return countWays(ways) - (isWay ? 1 : 0) < 1
}

function last(): LastSignInMethod {
  return new LastSignInMethod("This is the user's last way to sign in. Add another one first")
}
