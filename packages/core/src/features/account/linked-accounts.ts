import { withRequest } from "../../http/auth-request.js"
import type { LinkedAccount } from "../../model/account.js"
import type { Adapter, AdapterAccount } from "../../model/adapter.js"
import { idText } from "../../session/live-session.js"
import { adapterFor } from "./requirements.js"
import { assertRecent, type StoredUser } from "./signed-in.js"
import { accountsOf, countWays, removeWay, type Ways, waysOf } from "./ways.js"

export async function listLinkedAccounts(stored: StoredUser): Promise<readonly LinkedAccount[]> {
  adapterFor(stored.auth, "accounts")
  const [accounts, ways] = await Promise.all([accountsOf(stored), waysOf(stored)])
  return accounts.map(({ provider, providerAccountId }) => {
    const isWay = ways.accounts.some((way) => isAccount(way, { provider, providerAccountId }))
    return {
      provider,
      providerAccountId,
      providerName: stored.auth.providers.get(provider)?.name ?? provider,
      isRemovable: countWays(ways) - (isWay ? 1 : 0) > 0,
    }
  })
}

export type AccountKey = Pick<AdapterAccount, "provider" | "providerAccountId">

export async function unlinkAccount(stored: StoredUser, key: AccountKey): Promise<boolean> {
  const { auth, request, user } = stored
  adapterFor(auth, "unlinkAccount")
  await assertRecent(stored)
  const { provider, providerAccountId } = key
  const account = { provider, providerAccountId }
  const removed = await removeWay<AdapterAccount>(stored, {
    find: (adapter, ways) => findOwn({ ...stored, adapter }, ways, account),
    async remove(adapter) {
      await adapter.unlinkAccount?.(account)
    },
    async restore(adapter, row) {
      await adapter.linkAccount?.(row)
    },
  })
  if (removed === undefined) return false
  auth.logger.debug("account.unlink", () => ({ userId: stored.userId, provider }))
  await auth.events.unlinkAccount(withRequest({ user, account: removed }, request))
  return true
}

/** An account of this user at a provider. A passkey isn't one. */
async function findOwn(
  { auth, adapter, user }: StoredUser,
  { accounts }: Ways,
  account: AccountKey,
): Promise<AdapterAccount | undefined> {
  const listed = accounts.find((way) => isAccount(way, account))
  if (listed !== undefined || adapter.listAccounts !== undefined)
    return listed ?? (await accountsOf({ adapter, user })).find((row) => isAccount(row, account))
  return findWithoutList({ adapter, type: auth.providers.get(account.provider)?.type }, idText(user.id), account)
}

interface WithoutList {
  readonly adapter: Adapter
  readonly type: string | undefined
}

async function findWithoutList(
  { adapter, type }: WithoutList,
  userId: string,
  account: AccountKey,
): Promise<AdapterAccount | undefined> {
  if (type !== "oauth" && type !== "oidc") return undefined
  const owner = await adapter.getUserByAccount?.(account)
  if (!owner || idText(owner.id) !== userId) return undefined
  const stored = await adapter.getAccount?.(account.providerAccountId, account.provider)
  return stored ?? { ...account, type, userId: owner.id }
}

function isAccount(row: AccountKey, { provider, providerAccountId }: AccountKey): boolean {
  return row.provider === provider && idText(row.providerAccountId) === idText(providerAccountId)
}
