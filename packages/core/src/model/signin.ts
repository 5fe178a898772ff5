import type { SetCookie } from "./cookie.js"
import type { AdapterUser } from "./adapter.js"
import type { CredentialsProvider } from "./credentials-provider.js"
import type { EmailProvider } from "./email-provider.js"
import type { OAuthProvider } from "./oauth-provider.js"
import type { Account, JsonValue, Profile } from "./user.js"
import type { WebAuthnProvider } from "./webauthn-provider.js"

/** A provider once the configuration is compiled: URLs parsed, every default decided. */
export type ResolvedProvider = OAuthProvider | EmailProvider | CredentialsProvider | WebAuthnProvider

/** What a method proved: plain data, so that a factor can hold it. Each method has a narrower proof. */
export interface Proof {
  readonly provider: ResolvedProvider
  readonly account: Account & { readonly provider: string; readonly providerAccountId: string }
  /** Not checked yet. */
  readonly callbackUrl: string | undefined
  readonly profile?: Profile | undefined
  /** Whether the provider says that the user has verified the email. `undefined`: it doesn't say. */
  readonly emailVerified?: boolean | undefined
  /** The user has no permanent id, so the next sign-in is another user's. */
  readonly isNameless?: boolean
  /** The browser becomes a known device for attempts with these names. */
  readonly deviceNames?: readonly string[]
  /** What the ID token says about the authentication at the provider. Set with `session.stepUp`. */
  readonly authenticated?: {
    readonly acr?: string
    /** Seconds since 1970; 0: it doesn't say. `undefined`: in this sign-in, or the provider couldn't say it. */
    readonly at?: number
  }
  /** What a module tells its own `after`. */
  readonly carried?: { readonly module: string; readonly value: JsonValue }
  /** Cookies to clear after the sign-in. */
  readonly consumedCookies?: readonly SetCookie[]
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
  | {
      readonly kind: "refuse"
      readonly reason: string
      /** The ids of the providers that the owner of the email can sign in with, if the user proved to be that owner. */
      readonly ways?: readonly string[]
    }
