import { PasskeyInUse } from "../../errors.js"
import { acted, change, field, forUser, listed, result } from "../../account/functions.js"
import { type Requirement, adapterFor, listedFor, reasonAgainst } from "../../account/requirements.js"
import { type StoredUser, assertRecent, isOf } from "../../account/signed-in.js"
import { removeWay } from "../../account/ways.js"
import { withRequest } from "../../http/auth-request.js"
import type { PasskeySummary } from "../../model/account.js"
import type { Adapter, AdapterAuthenticator } from "../../model/adapter.js"
import type { AuthContext } from "../../model/auth.js"
import type { AccountFunctions, AccountPart } from "../../model/features.js"
import { hasSeam, seamOf } from "../../module/seam-of.js"
import { plainLine } from "../../primitives/plain-line.js"
import { type OwnPasskey, passkeysOf, providersOf } from "./own-passkeys.js"

const functions = {
  passkeys: forUser(async (stored) => listed(await listPasskeys(stored))),
  renamePasskey: change("passkey.renamed", async (stored, id, name) => result(await renamePasskey(stored, id, name))),
  removePasskey: change("passkey.removed", async (stored, id) => result(await removePasskey(stored, id))),
} satisfies Partial<AccountFunctions<AuthContext>>

/** The passkeys of a user: names, and what's needed to sign in. */
export const passkeysPart: AccountPart<AuthContext> = {
  functions,
  actions: {
    "rename-passkey": async (auth, request) =>
      acted("renamed", await functions.renamePasskey(auth, request, field(request, "id"), field(request, "name"))),
    "remove-passkey": async (auth, request) =>
      acted("passkey-removed", await functions.removePasskey(auth, request, field(request, "id"))),
  },
  async overview(session, user) {
    const { auth } = session
    const providers = user === null ? [] : providersOf(auth)
    return {
      passkeys: await listedFor(session, user, requirements.passkeys, listPasskeys),
      passkeyProviders: providers.map(({ id, name }) => ({ id, name })),
      unavailable: {
        renamePasskey: reasonAgainst(auth, user, requirements.renamePasskey),
        removePasskey: reasonAgainst(auth, user, requirements.removePasskey),
      },
    }
  },
  ways: passkeysOf,
  async deletion({ auth, adapter, user: { id } }) {
    if (providersOf(auth).length === 0) return []
    const rows: readonly AdapterAuthenticator[] | null | undefined = await adapter.listAuthenticatorsByUserId?.(id)
    return (rows ?? []).map(
      ({ credentialID }) =>
        () =>
          deletePasskey(adapter, id, credentialID),
    )
  },
}

const listing = ["listAuthenticatorsByUserId", "getAccount"] as const

const requirements = {
  passkeys: { methods: listing, purpose: "see their passkeys" },
  renamePasskey: { methods: [...listing, "describeAuthenticator"], purpose: "name their passkeys" },
  removePasskey: { methods: [...listing, "unlinkAccount", "linkAccount"], purpose: "remove passkeys" },
} as const satisfies Record<string, Requirement>

function isPasskey(way: object, id: string): way is OwnPasskey {
  return "authenticator" in way && (way as OwnPasskey).authenticator.credentialID === id
}

async function deletePasskey(adapter: Adapter, userId: string, credentialID: string): Promise<void> {
  if (isOf(userId, await adapter.getAuthenticator?.(credentialID))) await adapter.deleteAuthenticator?.(credentialID)
}

async function listPasskeys(stored: StoredUser): Promise<readonly PasskeySummary[]> {
  adapterFor(stored.auth, requirements.passkeys)
  return (await passkeysOf(stored)).map(summaryOf)
}

function summaryOf({ provider, authenticator }: OwnPasskey): PasskeySummary {
  const { credentialID, credentialBackedUp, details } = authenticator
  const time = (date: Date | undefined) => (date === undefined ? undefined : new Date(date))
  return {
    id: credentialID,
    provider: provider.id,
    name: details?.name ?? undefined,
    createdAt: time(details?.createdAt),
    lastUsedAt: time(details?.lastUsedAt),
    isBackedUp: credentialBackedUp,
  }
}

/** Characters. */
const maxName = 64

async function renamePasskey(stored: StoredUser, id: string, given: string): Promise<boolean> {
  const { auth, request, user } = stored
  const adapter = adapterFor(auth, requirements.renamePasskey)
  const found = (await passkeysOf(stored)).find(({ authenticator }) => authenticator.credentialID === id)
  if (found === undefined) return false
  const name = plainLine(given, maxName)
  await adapter.describeAuthenticator(id, { name })
  auth.logger.debug("account.rename-passkey", () => ({ userId: stored.userId }))
  await auth.events.renamePasskey(withRequest({ user, passkey: found.authenticator, name }, request))
  return true
}

/** @throws PasskeyInUse */
async function assertUnused({ auth, request, userId }: StoredUser, id: string): Promise<void> {
  if (!hasSeam(auth) || !(await (await seamOf(auth)).keepsPasskey(auth, request, { userId, id }))) return
  throw new PasskeyInUse("The passkey is a second factor of the user. Let them stop using it for that first")
}

async function removePasskey(stored: StoredUser, id: string): Promise<boolean> {
  const { auth, request, user } = stored
  adapterFor(auth, requirements.removePasskey)
  await assertRecent(stored)
  await assertUnused(stored, id)
  const removed = await removeWay<OwnPasskey>(stored, {
    find: (_, { removable }) => removable.find((way): way is OwnPasskey => isPasskey(way, id)),
    // Without its account, a passkey can't sign in anymore, even if its row stays.
    async remove(adapter, { account: { provider, providerAccountId } }) {
      await adapter.unlinkAccount?.({ provider, providerAccountId })
      await adapter.deleteAuthenticator?.(id)
    },
    async restore(adapter, { account, authenticator }) {
      const { details, ...row } = authenticator
      if (adapter.deleteAuthenticator !== undefined) await adapter.createAuthenticator?.(row)
      await adapter.linkAccount?.(account)
      if (details) await adapter.describeAuthenticator?.(id, details)
    },
  })
  if (removed === undefined) return false
  auth.logger.debug("account.remove-passkey", () => ({ userId: stored.userId }))
  await auth.events.removePasskey(withRequest({ user, passkey: removed.authenticator }, request))
  return true
}
