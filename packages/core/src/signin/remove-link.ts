import { AdapterError } from "../errors.js"
import type { Adapter, AdapterAccount } from "../model/adapter.js"
import type { NewPasskey } from "../model/signin.js"
import { idText } from "../session/live-session.js"
import { isStored } from "./link-passkey.js"

/** Removes an account or passkey that was just linked, if it belongs to this user. */
export async function removeLink(
  adapter: Adapter,
  passkey: NewPasskey | undefined,
  { provider, providerAccountId, userId }: AdapterAccount,
): Promise<void> {
  if (passkey !== undefined) {
    const { credentialID } = passkey.authenticator
    if (await isStored(adapter, credentialID, userId)) await adapter.deleteAuthenticator?.(credentialID)
  }
  const owner = await adapter.getUserByAccount?.({ provider, providerAccountId })
  if (owner === null || (owner !== undefined && idText(owner.id) !== idText(userId))) return
  if (adapter.unlinkAccount === undefined) {
    throw new AdapterError(
      "An account that may not be linked can't be removed: the adapter has no unlinkAccount. Add it",
    )
  }
  await adapter.unlinkAccount({ provider, providerAccountId })
}
