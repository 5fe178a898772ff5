import type { AuthError } from "../errors.js"
import type { AdapterUser } from "./adapter.js"
import type { CallbacksOptions } from "./callbacks.js"
import type { RateLimitAction } from "./limits.js"
import type { Identity, LiveSession } from "./session-strategy.js"
import type { User } from "./user.js"

/** What the `signIn` callback gets. */
export type SignInParams = Parameters<NonNullable<CallbacksOptions["signIn"]>>[0]

/** The steps of a sign-in that depend on what was proven. */
export interface ProofSteps {
  /** What was proven. RFC 8176 has no names for a provider's word and for a mailbox. `null`: nothing. */
  readonly amr: string | null
  /** Rate limits in which the browser has a budget of its own from now on. */
  readonly countedAs?: readonly RateLimitAction[]
  /** The stored user who holds the proven account or email. */
  findOwner(): Promise<AdapterUser | null>
  /** What the `signIn` callback gets. */
  signInParams(owner: AdapterUser | null): SignInParams
  /** Decides which user signs in, and stores nothing. Only modules ask: `identify` decides again. */
  resolve(owner: AdapterUser | null, current: LiveSession | null): Promise<ResolvedUser>
  /** Decides which user signs in, and stores the decision. */
  identify(owner: AdapterUser | null, current: LiveSession | null): Promise<Identified>
  /** What the `signIn` event gets. @default with the profile and whether the user is new, as far as they're known */
  signInMessage?(identity: Identity): Pick<Identity, "user" | "account">
  /** Called once the session has started, when nothing can undo the sign-in anymore. Never throws. */
  afterSession?(identity: Identity): Promise<void>
  /** Restores what the proof used up, after a failure. Never throws. */
  readonly undo?: (() => Promise<void>) | undefined
}

/** The user who would sign in. */
export interface ResolvedUser {
  /** As stored. A new user has a random id, which the adapter may replace. */
  readonly user: User & { readonly id: string }
  readonly isNewUser: boolean
  /** The signed-in user adds an account or a passkey, so no factor is asked: their session is past it. @default false */
  readonly isContinued?: boolean
  /** The user may not sign in like this. Guards are asked first, so that a refusal of theirs tells nothing about another user. */
  readonly refusal?: (() => Promise<AuthError>) | undefined
}

export interface Identified {
  readonly identity: Identity
  /**
   * Fails if the user lost what was proven, or what allowed the link, during this sign-in. Called when the session exists: if
   * that happens later, it ends this session as well.
   *
   * @throws AccessDenied or Verification
   */
  readonly assertHolds?: (() => Promise<void>) | undefined
  /**
   * The session in which the user added an account or a passkey. It doesn't prove who the user is: a thief of the session could
   * add one too. So the session that follows keeps the time of the sign-in.
   */
  readonly continued?: LiveSession | undefined
}
