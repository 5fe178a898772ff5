import { maxListed } from "../../limits/of-growth.js"
import type { AdapterAccount, AdapterAuthenticator } from "../../model/adapter.js"
import type { AuthContext } from "../../model/auth.js"
import type { AccountOwner } from "../../model/features.js"
import type { WebAuthnProvider } from "../../model/webauthn-provider.js"
import { idText } from "../../session/live-session.js"

/** A passkey with the provider that it belongs to. */
export interface OwnPasskey {
  readonly provider: WebAuthnProvider
  readonly account: AdapterAccount
  readonly authenticator: AdapterAuthenticator
}

/** The passkeys that work: each has an account at one of the configured providers. */
export async function passkeysOf({ auth, adapter, user }: AccountOwner<AuthContext>): Promise<readonly OwnPasskey[]> {
  const providers = providersOf(auth)
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

export function providersOf({ providers }: AuthContext): readonly WebAuthnProvider[] {
  return [...providers.values()].filter((provider) => provider.type === "webauthn")
}
