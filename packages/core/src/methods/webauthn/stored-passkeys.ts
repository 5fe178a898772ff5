import { MissingAdapter, MissingAdapterMethods } from "../../errors.js"
import type { Adapter, AdapterAccount, AdapterAuthenticator, AdapterUser } from "../../model/adapter.js"
import type { AuthContext } from "../../model/auth.js"
import { idText } from "../../session/live-session.js"

const needed: readonly Needed[] = [
  "createUser",
  "getUser",
  "linkAccount",
  "getAccount",
  "getAuthenticator",
  "createAuthenticator",
  "listAuthenticatorsByUserId",
  "updateAuthenticatorCounter",
]

type Needed =
  | "createUser"
  | "getUser"
  | "linkAccount"
  | "getAccount"
  | "getAuthenticator"
  | "createAuthenticator"
  | "listAuthenticatorsByUserId"
  | "updateAuthenticatorCounter"

export type PasskeyAdapter = Adapter & Required<Pick<Adapter, Needed>>

/**
 * @throws MissingAdapter
 * @throws MissingAdapterMethods
 */
export function adapterOf({ adapter }: Pick<AuthContext, "adapter">): PasskeyAdapter {
  if (adapter === undefined) throw new MissingAdapter("Passkeys need an adapter. Set `adapter`")
  const missing = needed.filter((name) => adapter[name] === undefined)
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
  const authenticator = await adapter.getAuthenticator(credentialID)
  if (authenticator?.credentialID !== credentialID) return null
  const account = await accountOf(adapter, { provider, providerAccountId: authenticator.providerAccountId })
  return account === null || idText(account.userId) !== idText(authenticator.userId) ? null : { authenticator, account }
}

export async function accountOf(
  adapter: PasskeyAdapter,
  { provider, providerAccountId }: { readonly provider: string; readonly providerAccountId: string },
): Promise<AdapterAccount | null> {
  const account = await adapter.getAccount(providerAccountId, provider)
  return account?.providerAccountId === providerAccountId ? account : null
}

/** Some drivers return a big integer as text. */
export function counterOf({ counter }: { readonly counter: unknown }): number {
  return Number(counter)
}

/** Whether a passkey has this id already, at any provider of the site. */
export async function isRegistered(
  adapter: PasskeyAdapter,
  account: { readonly provider: string; readonly providerAccountId: string },
): Promise<boolean> {
  const authenticator = await adapter.getAuthenticator(account.providerAccountId)
  return authenticator?.credentialID === account.providerAccountId || (await accountOf(adapter, account)) !== null
}

/** The user whom an account of this site belongs to. */
export async function ownerOf(
  adapter: PasskeyAdapter,
  account: { readonly provider: string; readonly providerAccountId: string },
): Promise<AdapterUser | null> {
  const row = await accountOf(adapter, account)
  return row === null ? null : ((await adapter.getUser(row.userId)) ?? null)
}
