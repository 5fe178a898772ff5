import type { Params, SafeUrl } from "../model/http.js"
import type { Account, JsonValue, Profile, User } from "../model/user.js"

export interface Owner {
  /** The user's id in the adapter. Without an adapter: the id that `authorize` returned. */
  readonly id: string
}

/** What a session says about its sign-in. */
export interface SignInFacts {
  /** Names the session for `users.hasSession`. `undefined`: the session is only in a cookie, so no one can tell whether it has ended. */
  readonly session: string | undefined
  /** When the user signed in. Seconds since 1970. `undefined`: not known. */
  readonly authTime: number | undefined
  /** How (RFC 8176). Empty without `session.stepUp`. */
  readonly amr: readonly string[]
  /** The level that an OpenID provider named. */
  readonly acr: string | undefined
  /** Names the sign-in for `needsCookie`. `undefined`: it was before a module had that, or proved nothing. */
  readonly id: string | undefined
}

export interface ModuleUser extends Owner {
  readonly email: string | undefined
  readonly name: string | undefined
  /** Signed in a short time ago, as changes of the account need it. */
  readonly isRecent: boolean
}

/** A sign-out of this browser. */
export interface SignOutFacts extends Pick<SignInFacts, "session"> {
  /** Of the session that has ended. `null`: there was none, or it couldn't be read. */
  readonly user: Owner | null
  readonly scope: "this" | "all" | "federated"
  /** Where it leads without a module. */
  readonly to: SafeUrl
}

/** What a module says about a sign-out. Headers are those of `POST signout`: a call of server code has none. */
export interface Leave {
  /** @default `to` of the sign-out */
  readonly to?: SafeUrl | undefined
  readonly headers?: Params | undefined
}

/** A sign-in whose user is known, and of which nothing has been written. */
export interface SignInAttempt {
  /** Without an adapter, the id of an OAuth user is `provider:providerAccountId`, so that it's permanent. */
  readonly user: User & { readonly id: string }
  readonly isNewUser: boolean
  /** The provider's id. */
  readonly provider: string
  readonly method: "oauth" | "oidc" | "email" | "credentials" | "webauthn"
  /** What was proven so far (RFC 8176). */
  readonly amr: readonly string[]
  readonly account: Account
  readonly profile: Profile | undefined
  /** What the provider says. `undefined`: it says nothing. */
  readonly emailVerified: boolean | undefined
  /** In `guard`, `isRequired` and `after`: the user and the name of the session that the browser had before, which ends with the sign-in. */
  readonly current?: Owner & Pick<SignInFacts, "session">
  /** In `guard` and `after`: what `prove` of this module carried. */
  readonly carried?: JsonValue
  /** In `form` and `verify`: names this sign-in while the factor holds it, so that a code can be for it alone. */
  readonly held?: string
}

/** A sign-in whose user and session are stored. `session` names the session that has started. */
export interface CompletedSignIn extends SignInAttempt, Pick<SignInFacts, "session"> {
  /** Names this sign-in for `needsCookie`. `undefined`: the session is one from before, or the user proved nothing. */
  readonly id?: string | undefined
}

/** Of all guards, the strictest wins: deny, divert, require, allow. Of two alike, the one of the module that sorts first. */
export type Verdict =
  | { readonly kind: "allow" }
  /** The factor of this module is asked, whatever its `isRequired` says. */
  | { readonly kind: "require"; readonly factor: string }
  | { readonly kind: "divert"; readonly url: string }
  | { readonly kind: "deny"; readonly reason: string; readonly cause?: unknown }

export interface StepUpQuestion {
  /** The page that the user came from. */
  readonly to: SafeUrl
  readonly level: 1 | 2
  /** Whether the user signed in with two factors, of this module or another. */
  readonly isStrong: boolean
}
