import type { AdapterUser } from "./adapter.js"
import type { AuthContext } from "./auth.js"
import type { SetCookie } from "./cookie.js"
import type { AuthRequest, AuthResult } from "./http.js"
import type { ResolvedProvider } from "./resolved-provider.js"
import type { Account, Awaitable, Profile, User } from "./user.js"

/** A way to prove who you are: one per provider type, loaded on first use. */
export interface Method {
  /** POST signin/:provider */
  start(auth: AuthContext, provider: ResolvedProvider, request: AuthRequest): Promise<AuthResult>
  /** callback/:provider. An `Outcome` instead of a proof: the flow goes on elsewhere. */
  finish(auth: AuthContext, provider: ResolvedProvider, request: AuthRequest): Promise<Proof | AuthResult>
  /** Cookies that this callback uses up, whatever comes of it. */
  consumedCookies?(auth: AuthContext, provider: ResolvedProvider, request: AuthRequest): Awaitable<readonly SetCookie[]>
}

interface CommonProof {
  readonly provider: ResolvedProvider
  readonly account: Account & { readonly provider: string; readonly providerAccountId: string }
  /** Where the person wants to go; not yet checked. */
  readonly callbackUrl: string | undefined
  /** Cookies that are used up once the person is in. */
  readonly consumedCookies?: readonly SetCookie[]
}

/** The provider vouches for an account of its own. */
export interface AccountProof extends CommonProof {
  readonly kind: "account"
  /** From `profile()`, with a fresh random id and the canonical e-mail address. */
  readonly user: User & { readonly id: string }
  readonly profile: Profile
  /** What is stored: the result of the provider's `account()` and the keys of the account. */
  readonly stored: Account
  /** Whether the provider says that the address is the person's; `undefined`: it says nothing. */
  readonly emailVerified: boolean | undefined
  readonly intent: LinkIntent
}

/** The person holds the secret that was sent to a mailbox. */
export interface MailboxProof extends CommonProof {
  readonly kind: "mailbox"
  readonly email: string
  /** Makes the link usable again, for when signing in fails after all. */
  readonly restore: () => Promise<void>
}

/** The application's own check let them in. */
export interface CredentialsProof extends CommonProof {
  readonly kind: "credentials"
  readonly user: User & { readonly id: string }
  readonly credentials: Readonly<Record<string, unknown>>
}

export type Proof = AccountProof | MailboxProof | CredentialsProof

/** Who started the flow, remembered in its sealed cookie. */
export interface LinkIntent {
  /** The user who was signed in when the flow started. */
  readonly userId: string | undefined
  /** `link: true` was asked for. */
  readonly explicit: boolean
}

export type Verdict =
  | { readonly kind: "allow" }
  | { readonly kind: "deny"; readonly reason: string; readonly cause?: unknown }
  | { readonly kind: "divert"; readonly url: string; readonly cookies?: readonly SetCookie[] }

/** What the linking policy knows; the rows of spec/flows.md §6. */
export interface Facts {
  /** The user who holds the proven account or address. */
  readonly owner: AdapterUser | null
  /** The user who is signed in and may be linked to. */
  readonly current: AdapterUser | null
  /** Another user with the e-mail address of the profile. */
  readonly sameEmail: AdapterUser | null
  readonly trustsEmail: boolean
}

export type LinkDecision =
  | { readonly kind: "resume"; readonly user: AdapterUser }
  | { readonly kind: "link"; readonly user: AdapterUser }
  | { readonly kind: "create" }
  | { readonly kind: "refuse"; readonly reason: string }

/** Who is signing in, once the store agrees. */
export interface Identity {
  readonly user: User & { readonly id: string }
  readonly account: Account
  readonly profile: Profile | undefined
  /** `undefined` without an adapter (spec/callbacks-events.md §2). */
  readonly isNewUser: boolean | undefined
}
