import type { SetCookie } from "./cookie.js"
import type { AdapterAuthenticator, AdapterUser } from "./adapter.js"
import type { CredentialsProvider } from "./credentials-provider.js"
import type { EmailProvider } from "./email-provider.js"
import type { OAuthProvider } from "./oauth-provider.js"
import type { Account, Profile, User } from "./user.js"
import type { WebAuthnProvider } from "./webauthn-provider.js"

/** A provider once the configuration is compiled: URLs parsed, every default decided. */
export type ResolvedProvider = OAuthProvider | EmailProvider | CredentialsProvider | WebAuthnProvider

interface CommonProof {
  readonly provider: ResolvedProvider
  readonly account: Account & { readonly provider: string; readonly providerAccountId: string }
  /** Not checked yet. */
  readonly callbackUrl: string | undefined
  /** The browser becomes a known device for attempts with these names. */
  readonly deviceNames?: readonly string[]
  /** Cookies to clear after the sign-in. */
  readonly consumedCookies?: readonly SetCookie[]
}

/** The provider vouches for one of its accounts. */
export interface AccountProof extends CommonProof {
  readonly kind: "account"
  /** The result of `profile()`, with a random id and the normalized email. */
  readonly user: User & { readonly id: string }
  readonly profile: Profile
  /** What is stored: the result of the provider's `account()`, and the keys of the account. */
  readonly stored: Account
  /** Whether the provider says that the user has verified the email. `undefined`: it doesn't say. */
  readonly emailVerified: boolean | undefined
  readonly intent: LinkIntent
}

/** The user has the token that was sent to an email. */
export interface MailboxProof extends CommonProof {
  readonly kind: "mailbox"
  readonly email: string
  /** Makes the link usable again if the sign-in fails. */
  readonly restore: () => Promise<void>
}

/** The application's `authorize` returned the user. */
export interface CredentialsProof extends CommonProof {
  readonly kind: "credentials"
  readonly user: User & { readonly id: string }
  readonly credentials: Readonly<Record<string, unknown>>
  /** `authorize` returned no id, so the next sign-in is another user's. */
  readonly isNameless?: boolean
}

/** The user has a passkey of this site. */
export interface PasskeyProof extends CommonProof {
  readonly kind: "passkey"
  /** The user of the passkey. For a new user, with a random id and an email that isn't verified. */
  readonly user: User & { readonly id: string }
  readonly passkey: NewPasskey | UsedPasskey
}

interface CommonPasskey {
  /** The user who was signed in when the ceremony started. */
  readonly signedIn: string | undefined
}

export interface NewPasskey extends CommonPasskey {
  readonly kind: "new"
  readonly authenticator: Omit<AdapterAuthenticator, "userId">
  /** The account that is stored: its keys and the user handle. */
  readonly stored: Account
}

export interface UsedPasskey extends CommonPasskey {
  readonly kind: "used"
  readonly authenticator: AdapterAuthenticator
  readonly counter: number
  readonly credentialBackedUp: boolean
}

export type Proof = AccountProof | MailboxProof | CredentialsProof | PasskeyProof

/** Who started the flow. Kept in its sealed cookie. */
export interface LinkIntent {
  /** The user who was signed in when the flow started. */
  readonly userId: string | undefined
  /** The caller passed `link: true`. */
  readonly explicit: boolean
}

/** What the linking policy depends on. */
export interface Facts {
  /** The user who owns the proven account or email. */
  readonly owner: AdapterUser | null
  /** The signed-in user, if the account may be linked to them. */
  readonly current: AdapterUser | null
  /** Another user with the email of the profile. */
  readonly sameEmail: AdapterUser | null
  readonly trustsEmail: boolean
}

export type LinkDecision =
  | { readonly kind: "resume"; readonly user: AdapterUser }
  | { readonly kind: "link"; readonly user: AdapterUser }
  | { readonly kind: "create" }
  | { readonly kind: "refuse"; readonly reason: string }
