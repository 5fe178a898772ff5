import { acted, change, field, forUser, listed, result } from "../../account/functions.js"
import { type Requirement, adapterFor, listedFor, reasonAgainst } from "../../account/requirements.js"
import { type StoredUser, assertRecent } from "../../account/signed-in.js"
import { type Ways, countWays, removeWay, waysOf } from "../../account/ways.js"
import { withRequest } from "../../http/auth-request.js"
import type { LinkedAccount } from "../../model/account.js"
import type { Adapter, AdapterAccount } from "../../model/adapter.js"
import type { AuthContext } from "../../model/auth.js"
import type { AccountFunctions, AccountOwner, AccountPart } from "../../model/features.js"
import type { ResolvedProvider } from "../../model/signin.js"
import { idText } from "../../session/live-session.js"

const functions = {
  accounts: forUser(async (stored) => listed(await listLinkedAccounts(stored))),
  unlinkAccount: change("account.unlinked", async (stored, key) => result(await unlinkAccount(stored, key))),
} satisfies Partial<AccountFunctions<AuthContext>>

/** The accounts at providers that a user has linked. */
export const linkedAccountsPart: AccountPart<AuthContext> = {
  functions,
  actions: {
    async "unlink-account"(auth, request) {
      const key = { provider: field(request, "provider"), providerAccountId: field(request, "providerAccountId") }
      return acted("disconnected", await functions.unlinkAccount(auth, request, key))
    },
  },
  async overview(session, user) {
    const { auth } = session
    const providers = [...auth.providers.values()].filter(({ type }) => user !== null && isOAuth(type))
    return {
      accounts: await listedFor(session, user, requirements.accounts, listLinkedAccounts),
      connectable: providers.map(({ id, name }) => ({ id, name })),
      unavailable: { unlinkAccount: reasonAgainst(auth, user, requirements.unlinkAccount) },
    }
  },
  ways: async (owner) => (await accountsOf(owner)).filter((account) => canSignIn(owner.auth, account)),
}

const requirements = {
  accounts: { methods: ["listAccounts"], purpose: "see their linked accounts" },
  unlinkAccount: {
    methods: ["getUserByAccount", "unlinkAccount", "linkAccount"],
    purpose: "disconnect accounts",
  },
} as const satisfies Record<string, Requirement>

function isOAuth(type: string | undefined): type is "oauth" | "oidc" {
  return type === "oauth" || type === "oidc"
}

function canSignIn({ providers }: AuthContext, { provider: id }: AdapterAccount): boolean {
  const provider = providers.get(id)
  return (provider?.type === "oauth" || provider?.type === "oidc") && !provider.connectOnly
}

/** The linked accounts of providers, as far as the adapter can list them. */
async function accountsOf({
  adapter,
  user,
}: Pick<AccountOwner<AuthContext>, "adapter" | "user">): Promise<readonly AdapterAccount[]> {
  const rows: readonly AdapterAccount[] | null | undefined = await adapter.listAccounts?.(user.id)
  return (rows ?? []).filter(({ type }) => isOAuth(type))
}

async function listLinkedAccounts(stored: StoredUser): Promise<readonly LinkedAccount[]> {
  adapterFor(stored.auth, requirements.accounts)
  const [accounts, ways] = await Promise.all([accountsOf(stored), waysOf(stored)])
  return accounts.map(({ provider, providerAccountId }) => {
    const isWay = ways.removable.some((way) => isAccount(way, { provider, providerAccountId }))
    return {
      provider,
      providerAccountId,
      providerName: stored.auth.providers.get(provider)?.name ?? provider,
      isRemovable: countWays(ways) - (isWay ? 1 : 0) > 0,
    }
  })
}

type AccountKey = Pick<AdapterAccount, "provider" | "providerAccountId">

async function unlinkAccount(stored: StoredUser, key: AccountKey): Promise<boolean> {
  const { auth, request, user } = stored
  adapterFor(auth, requirements.unlinkAccount)
  await assertRecent(stored)
  const { provider, providerAccountId } = key
  const account = { provider, providerAccountId }
  const forgetTokens = await (await auth.vault?.())?.forget(auth, stored.userId, account)
  let removed: AdapterAccount | undefined
  try {
    removed = await removeWay<AdapterAccount>(stored, {
      find: (owner, ways) => findOwn(owner, ways, account),
      async remove(adapter) {
        await adapter.unlinkAccount?.(account)
      },
      async restore(adapter, row) {
        await adapter.linkAccount?.(row)
      },
    })
  } finally {
    await forgetTokens?.(removed === undefined)
  }
  if (removed === undefined) return false
  auth.logger.debug("account.unlink", () => ({ userId: stored.userId, provider }))
  await auth.events.unlinkAccount(withRequest({ user, account: removed }, request))
  return true
}

/** An account of this user at a provider. A passkey isn't one. */
async function findOwn(
  { auth, adapter, user }: StoredUser,
  { removable }: Ways,
  account: AccountKey,
): Promise<AdapterAccount | undefined> {
  const listed = removable.find((way): way is AdapterAccount => isAccount(way, account))
  if (listed !== undefined || adapter.listAccounts !== undefined)
    return listed ?? (await accountsOf({ adapter, user })).find((row) => isAccount(row, account))
  return findWithoutList({ adapter, type: auth.providers.get(account.provider)?.type }, idText(user.id), account)
}

interface WithoutList {
  readonly adapter: Adapter
  readonly type: ResolvedProvider["type"] | undefined
}

async function findWithoutList(
  { adapter, type }: WithoutList,
  userId: string,
  account: AccountKey,
): Promise<AdapterAccount | undefined> {
  if (!isOAuth(type)) return undefined
  const owner = await adapter.getUserByAccount?.(account)
  if (!owner || idText(owner.id) !== userId) return undefined
  const stored = await adapter.getAccount?.(account.providerAccountId, account.provider)
  return stored ?? { ...account, type, userId: owner.id }
}

function isAccount(row: object, { provider, providerAccountId }: AccountKey): row is AdapterAccount {
  if (!("providerAccountId" in row)) return false
  const account = row as AdapterAccount
  return account.provider === provider && idText(account.providerAccountId) === idText(providerAccountId)
}
