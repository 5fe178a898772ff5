import { withRequest } from "../../http/auth-request.js"
import type { PasskeySummary } from "../../model/account.js"
import { adapterFor } from "./requirements.js"
import { assertRecent, type StoredUser } from "./signed-in.js"
import { type OwnPasskey, passkeysOf, removeWay } from "./ways.js"

export async function listPasskeys(stored: StoredUser): Promise<readonly PasskeySummary[]> {
  adapterFor(stored.auth, "passkeys")
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

export async function renamePasskey(stored: StoredUser, id: string, given: string): Promise<boolean> {
  const { auth, request, user } = stored
  const adapter = adapterFor(auth, "renamePasskey")
  const found = (await passkeysOf(stored)).find(({ authenticator }) => authenticator.credentialID === id)
  if (found === undefined) return false
  const name = cleanName(given)
  await adapter.describeAuthenticator(id, { name })
  auth.logger.debug("account.rename-passkey", () => ({ userId: stored.userId }))
  await auth.events.renamePasskey(withRequest({ user, passkey: found.authenticator, name }, request))
  return true
}

/** Without what databases can't store and what changes the direction of the text around it. */
function cleanName(given: string): string | null {
  const plain = given.slice(0, maxName * 4).replace(/[\s\p{Cc}\p{Cs}\u2028-\u202E\u2066-\u2069]+/gu, " ")
  const name = Array.from(plain.trim()).slice(0, maxName).join("").trim()
  return name === "" ? null : name
}

export async function removePasskey(stored: StoredUser, id: string): Promise<boolean> {
  const { auth, request, user } = stored
  adapterFor(auth, "removePasskey")
  await assertRecent(stored)
  const removed = await removeWay<OwnPasskey>(stored, {
    find: (_, { passkeys }) => passkeys.find(({ authenticator }) => authenticator.credentialID === id),
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
