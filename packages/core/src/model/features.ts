import type { Awaitable } from "../primitives/awaitable.js"
import type { AccountOverview, UserAccount } from "./account.js"
import type { Adapter, AdapterUser } from "./adapter.js"
import type { BuiltInPages } from "./built-in-pages.js"
import type { SetCookie } from "./cookie.js"
import type { CredentialKind } from "./credential-kind.js"
import type { AccountStatus, AuthRequest, Handler } from "./http.js"
import type { RateLimit, RateLimitAction } from "./limits.js"
import type { LiveSession } from "./session-strategy.js"
import type { ResolvedProvider } from "./signin.js"
import type { Account, TokenSet } from "./user.js"

/** What core knows of features while it answers requests. `engine/features.ts` lists them. */
export interface Features<A> {
  /** What `revoke` ends beside sessions. */
  readonly credentialKinds: readonly CredentialKind<A>[]
  /** Loads what counts attempts. */
  readonly limiter?: (() => Promise<Limiter<A>>) | undefined
  /** By method and action, such as `GET signin`. */
  readonly routes: ReadonlyMap<string, Route<A>>
  /** Without it, a page is a plain refusal. */
  readonly pages?: BuiltInPages<A> | undefined
  /** What features add to the account of a user. */
  readonly accountParts: readonly (() => Promise<AccountPart<A>>)[]
  /** The tokens of a stored account, opened. */
  readonly providerTokens?: ((auth: A, account: Account) => Promise<TokenSet>) | undefined
  /** Loads the functions of `createServer().account`. */
  readonly account?: ((auth: A) => Promise<Partial<AccountFunctions<A>>>) | undefined
}

export interface Route<A> {
  readonly handle: Handler<A>
  /** Whether a second path segment may or must name a provider. @default neither */
  readonly provider?: "optional" | "required"
  /** Whether it's a route for the provider. Without such a provider, there's no route. @default all */
  serves?(provider: ResolvedProvider): boolean
  /** The application may have a page of its own at this path. @default true */
  isBuiltIn?(auth: A): boolean
  /** Failures reach the `signInFailure` event. */
  readonly isSignIn?: boolean
  /** A script asks for JSON, also without saying so, and a flow gets a step instead. */
  readonly isForScripts?: boolean
  /** Cookies that the request uses up, whether it succeeds or fails. */
  consumedCookies?(auth: A, request: AuthRequest): Awaitable<readonly SetCookie[]>
}

/** An attempt that rate limits count. */
export interface CountedAttempt {
  readonly action: RateLimitAction
  /**
   * Returns the normalized names of the accounts or mailboxes that the attempt is about. Finding them costs work, so the IP
   * address pays first.
   */
  readonly identifiers?: (() => Awaitable<readonly string[]>) | undefined
  /** What the browser must be a known device for, to have the budget of one. */
  readonly deviceNames?: (() => Awaitable<readonly string[]>) | undefined
}

/** Gives back the points of an attempt that succeeded. */
export type Refund = () => Promise<void>

/** Counts attempts. `limits/attempts.ts` has a function for each of these, which also works without a limiter. */
export interface Limiter<A> {
  /** @throws RateLimited */
  consumeAttempt(auth: A, request: AuthRequest, attempt: CountedAttempt): Promise<Refund>
  /** @throws RateLimited */
  consumeOne(auth: A, action: string, limit: RateLimit, subject: string): Promise<void>
  rememberDevice(
    auth: A,
    request: AuthRequest,
    actions: readonly RateLimitAction[],
    names: readonly string[],
  ): Promise<readonly SetCookie[]>
}

/** A user whose account it is about. */
export interface AccountOwner<A> {
  readonly auth: A
  readonly adapter: Adapter
  readonly user: AdapterUser
}

export interface AccountPart<A> {
  readonly functions: Partial<AccountFunctions<A>>
  /** What forms of the account page do, by their field `action`. */
  readonly actions: Readonly<Record<string, AccountAction<A>>>
  /** @param user `null`: the user of the session isn't in the database */
  overview(session: AccountSession<A>, user: AdapterUser | null): Promise<PartOfOverview>
  /** What the user can sign in with, and remove. */
  ways(owner: AccountOwner<A>): Promise<readonly object[]>
  /** Deletes what belongs to a user and isn't an account. An application may have no tables for what it doesn't use. */
  deletion?(owner: AccountOwner<A>): Promise<readonly (() => Promise<unknown>)[]>
}

type PartOfOverview = Partial<Omit<AccountOverview, "unavailable">> & {
  readonly unavailable: Partial<AccountOverview["unavailable"]>
}

/** The session of a request. */
export interface AccountSession<A> {
  readonly auth: A
  readonly request: AuthRequest
  readonly live: LiveSession
}

export type AccountAction<A> = (auth: A, request: AuthRequest) => Promise<AccountChange>

/** What a form of the account page did. */
export interface AccountChange {
  /** `undefined`: nothing, because the user has no such passkey, account or session. */
  readonly status: AccountStatus | undefined
  readonly cookies: readonly SetCookie[]
  /** No user is signed in anymore in this browser. */
  readonly isSignedOut: boolean
}

/** What a function returned, and the cookies to set because of it. */
export interface Outcome<T> {
  readonly value: T
  readonly cookies: readonly SetCookie[]
}

type Implementation<A, F> = F extends (...args: infer Args) => Promise<infer Value>
  ? (auth: A, request: AuthRequest, ...args: Args) => Promise<Outcome<Value>>
  : never

/** `UserAccount` for a request. Each function looks up its user, and acts only on what belongs to them. */
export type AccountFunctions<A> = { readonly [name in keyof UserAccount]: Implementation<A, UserAccount[name]> }
