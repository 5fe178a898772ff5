import { AuthError, MissingAdapter, MissingAdapterMethods, WebAuthnVerificationError } from "../../errors.js"
import type { Adapter, AdapterAccount, AdapterAuthenticator, AdapterUser } from "../../model/adapter.js"
import type { AuthContext } from "../../model/auth.js"
import { idText } from "../../session/live-session.js"
import { toUnpadded } from "./encoding.js"
import type { Descriptor } from "./library-types.js"
import { passkeyMethods } from "./passkey-methods.js"
import type { NewPasskey, UsedPasskey } from "./proof.js"

export type PasskeyAdapter = Adapter & Required<Pick<Adapter, (typeof passkeyMethods)[number]>>

/**
 * @throws MissingAdapter
 * @throws MissingAdapterMethods
 */
export function adapterOf({ adapter }: Pick<AuthContext, "adapter">): PasskeyAdapter {
  if (adapter === undefined) throw new MissingAdapter("Passkeys need an adapter. Set `adapter`")
  const missing = passkeyMethods.filter((name) => adapter[name] === undefined)
  if (missing.length === 0) return adapter as PasskeyAdapter
  throw new MissingAdapterMethods(`Passkeys need an adapter with ${missing.join(", ")}`)
}

export interface StoredPasskey {
  readonly authenticator: AdapterAuthenticator
  readonly account: AdapterAccount
}

/** Checks the ids after the lookup: some databases ignore case, and base64 doesn't. */
export async function storedPasskey(
  adapter: PasskeyAdapter,
  provider: string,
  credentialID: string,
): Promise<StoredPasskey | null> {
  const found = await adapter.getAuthenticator(credentialID)
  const authenticator = found?.credentialID === credentialID ? found : undefined
  // An unknown id costs as many queries. Otherwise the time would tell which of the listed ids are made up.
  const providerAccountId = authenticator?.providerAccountId ?? credentialID
  const account = await accountOf(adapter, { provider, providerAccountId })
  if (authenticator === undefined || account === null) return null
  return idText(account.userId) === idText(authenticator.userId) ? { authenticator, account } : null
}

export async function accountOf(
  adapter: PasskeyAdapter,
  { provider, providerAccountId }: { readonly provider: string; readonly providerAccountId: string },
): Promise<AdapterAccount | null> {
  return (await adapter.getAccount(providerAccountId, provider)) ?? null
}

/** Some drivers return a big integer as text. */
export function counterOf({ counter }: { readonly counter: unknown }): number {
  return Number(counter)
}

/**
 * Whether a passkey has this id already, at any provider of the site. A database that ignores case also finds an id that
 * differs only in case, which an attacker would register to hide the passkey of another user.
 */
export async function isRegistered(
  adapter: PasskeyAdapter,
  account: { readonly provider: string; readonly providerAccountId: string },
): Promise<boolean> {
  if (await adapter.getAuthenticator(account.providerAccountId)) return true
  return (await accountOf(adapter, account)) !== null
}

/** The user whom an account of this site belongs to. */
export async function ownerOf(
  adapter: PasskeyAdapter,
  account: { readonly provider: string; readonly providerAccountId: string },
): Promise<AdapterUser | null> {
  const row = await accountOf(adapter, account)
  return row === null ? null : ((await adapter.getUser(row.userId)) ?? null)
}

/** A clone of the authenticator may have signed in meanwhile (WebAuthn Level 3 §6.1.1). */
export async function writeUse(
  adapter: PasskeyAdapter,
  { authenticator, counter, credentialBackedUp }: Pick<UsedPasskey, "authenticator" | "counter" | "credentialBackedUp">,
): Promise<void> {
  const { credentialID } = authenticator
  const stored = counter === 0 ? authenticator : ((await adapter.getAuthenticator(credentialID)) ?? authenticator)
  if (counter > 0 && counter <= counterOf(stored)) {
    throw new WebAuthnVerificationError("The signature counter of the passkey went back, so it may have been cloned")
  }
  if (adapter.updateAuthenticator === undefined) await adapter.updateAuthenticatorCounter(credentialID, counter)
  else await adapter.updateAuthenticator(credentialID, { counter, credentialBackedUp })
}

/** The user sees the times on the account page. A passkey works without. */
export async function describe(
  { adapter, logger, runtime }: AuthContext,
  { kind, authenticator }: Pick<NewPasskey | UsedPasskey, "kind" | "authenticator">,
): Promise<void> {
  const now = new Date(runtime.now())
  const details = kind === "new" ? { createdAt: now, lastUsedAt: now } : { lastUsedAt: now }
  try {
    await adapter?.describeAuthenticator?.(authenticator.credentialID, details)
  } catch (cause) {
    logger.error(new AuthError("Could not store when a passkey was used; the sign-in went on", { cause }))
  }
}

/** The passkey in options for a browser. */
export function descriptorOf({ credentialID, transports }: AdapterAuthenticator): Descriptor {
  return { id: toUnpadded(credentialID), ...(transports ? { transports: transports.split(",") } : {}) }
}
