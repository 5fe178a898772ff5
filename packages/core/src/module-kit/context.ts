import type { ModuleMail, ModulePage } from "../model/module-content.js"
import type { CaptchaAction } from "../model/captcha.js"
import type { AuthResult, Params, SafeUrl } from "../model/http.js"
import type { RecordWrite } from "../model/records.js"
import type { SecurityEvent } from "../model/security-event.js"
import type { StepUp } from "../model/step-up.js"
import type { Awaitable } from "../model/user.js"
import type { AdapterUser } from "../model/adapter.js"
import type { KeptAccount } from "../model/vault.js"
import type { Passkeys } from "./passkeys.js"
import type { RecordsOf } from "./record-types.js"
import type { RecordTypes } from "./fields.js"
import type { Owner, SignInFacts, ModuleUser } from "./phases.js"

/** An OpenID provider of the configuration. */
export interface OpenIdProvider {
  /** The id of this site there. */
  readonly clientId: string
  /**
   * The claims of a token that the provider made for this site and that isn't an ID token. Signature, algorithm, issuer, audience and
   * expiry are checked as those of ID tokens, but no other claim. An unknown key causes no request for each call.
   *
   * @param type `typ` of its header, such as `"logout+jwt"`
   * @throws Error if it isn't one, or the keys of the provider can't be loaded
   */
  verify(token: string, type: string): Promise<Readonly<Record<string, unknown>>>
  /**
   * The URL that ends the session at the provider (OpenID Connect RP-Initiated Logout 1.0). `null`: its metadata has none.
   *
   * @throws Error if the metadata can't be loaded
   */
  endSession(params: Params): Promise<SafeUrl | null>
}

/** What functions without a request get. */
export interface ModuleContext<R extends RecordTypes = RecordTypes> {
  readonly records: RecordsOf<R>
  /** All writes or none. `false`: a record was in the way, or changed meanwhile. Each belongs to this owner. */
  batch(owner: string, writes: readonly (RecordWrite | Promise<RecordWrite>)[]): Promise<boolean>
  /** Milliseconds since 1970. */
  now(): number
  random(bytes: number): Uint8Array
  /** A token that only this module can open. `maxAge` is in seconds. */
  seal(payload: Readonly<Record<string, unknown>>, maxAge: number): Promise<string>
  /** `null`: it's forged, of another module, or has expired. */
  open(token: string): Promise<Readonly<Record<string, unknown>> | null>
  /** Tells the handlers of security events what happened to a user. `event` is one of `events`, without the module's id. */
  emit(
    event: string,
    user: Owner | null,
    details?: Partial<Pick<SecurityEvent, "outcome" | "reason" | "data">>,
  ): Promise<void>
  /** Whether a configured email provider can send the `mail` of modules. */
  readonly canMail: boolean
  /**
   * What functions with a request get, for a request that the application answers itself. It sets no cookies. Only the headers count,
   * as in `Request`.
   *
   * @throws UntrustedHost
   */
  at(request: Pick<Request, "headers">): Promise<RequestContext<R>>
  readonly users: Users
  /** `null`: there is no such OpenID provider. */
  openId(provider: string): Promise<OpenIdProvider | null>
  /**
   * The context of a request that no visitor sent, for example to send an email. It's at the URL of the configuration, and in its
   * first language.
   *
   * @throws AuthError if the configuration has no URL
   */
  atSite(): Promise<RequestContext<R>>
}

/** The users of the adapter. */
export interface Users {
  byId(id: string): Promise<AdapterUser | null>
  /** In any spelling of the email, and never a user whose email only looks the same. */
  byEmail(email: string): Promise<AdapterUser | null>
  /** What a visitor typed as the email, as it's stored for a new user. `null`: it isn't the email of one mailbox. */
  typedEmail(typed: unknown): string | null
  /** Whether a session of this user, as `signIn` of the context names it, hasn't ended. */
  hasSession(id: string, session: string): Promise<boolean>
  /** The form by which emails are compared. */
  canonicalEmail(email: string): string
  /** The names of the accounts that users have with the providers of this module, as `proven({ account })` linked them. */
  accounts(id: string): Promise<readonly string[]>
  /** Takes an account of this module away from its user. `false`: the user doesn't have it. */
  unlink(id: string, account: string): Promise<boolean>
  /**
   * Ends one session, as `signIn` of the context names it. `reason` is for the `signOut` event. `false`: the user has no such session.
   */
  endSession(id: string, session: string, reason: string): Promise<boolean>
  /**
   * Forgets what the vault keeps of an account at a provider, and revokes it there, unless it was granted with the scope `unless`.
   * Without the vault, nothing happens.
   */
  forgetTokens(id: string, account: KeptAccount, options: { readonly unless: string }): Promise<void>
  /** Whether the user has a session that hasn't expired. */
  hasSessions(id: string): Promise<boolean>
  /** Whether nothing names the user, who has neither an email nor an account or passkey: an anonymous user. */
  isNameless(id: string): Promise<boolean>
  /** Whether the application called `disable`. Sign-ins are refused anyway; what else the module accepts from a user isn't. */
  isDisabled(id: string): Promise<boolean>
  /** Whether a session can be ended before it expires. One that is only in a cookie can't. */
  readonly canEndSessions: boolean
  /**
   * Deletes a user whom nothing names: one without an email and without an account or passkey. `false`: there's no such user, or it has
   * one of them by now.
   *
   * @throws AuthError if the adapter can't tell, or can't delete users
   */
  removeNameless(id: string): Promise<boolean>
  /**
   * Ends the sessions of a user, every link and held sign-in that could become one, and what the other modules issued, such as trusted
   * devices.
   *
   * @throws AuthError if something may still work. Everything else has ended
   */
  endSessions(id: string, options?: EndSessionsOptions): Promise<void>
}

export interface EndSessionsOptions {
  /** `"current"`: the session of this request stays, in `after` the one that has just started. @default every session ends */
  readonly except?: "current"
  /** For `revoke` of the other modules, such as `"password-changed"`. @default none */
  readonly reason?: string
}

/** What functions with a request get. */
export interface RequestContext<R extends RecordTypes = RecordTypes> extends ModuleContext<R> {
  readonly request: {
    readonly method: string
    readonly headers: Headers
    readonly origin: string
    /** Whether the configuration names the host of `origin`. Otherwise a visitor may have made it up (`trustHost: true`). */
    readonly isHostKnown: boolean
    readonly query: Params
    /** The parameters in the path of the route. */
    readonly params: Params
    /** The form or JSON body. */
    readonly fields: Readonly<Record<string, unknown>>
    /** What the `User-Agent` says, in known words such as `Firefox` and `Linux`. */
    readonly device: { readonly browser?: string; readonly system?: string }
  }
  /** The name of the application. */
  readonly app: string
  /** Tag of the user's language. */
  readonly language: string
  /** A text of the module, with values for its `{placeholders}`. */
  text(key: string, values?: Params): string
  /** The signed-in user. `null`: none. */
  user(): Promise<ModuleUser | null>
  /** How the signed-in user signed in. `null`: no user is signed in. */
  signIn(): Promise<SignInFacts | null>
  /**
   * Checks the CAPTCHA of the form that was sent, if one is configured for this action. A text says that it isn't solved, in the
   * user's language.
   */
  captcha(action: CaptchaAction): Promise<string | undefined>
  /**
   * @param subject what the limit counts by, such as a user's id. Without it, as for a route: the signed-in user, or else the address of
   * the sender, if it's known
   * @throws RateLimited
   */
  limit(name: string, subject?: string): Promise<void>
  /** `undefined`: the configuration has no passkeys, or no store of records. */
  readonly passkeys: Passkeys | undefined
  /** A cookie that `setCookie` set. */
  cookie(name: string): string | undefined
  /**
   * Sets a cookie of this module on this host, which scripts can't read. `maxAge` is in seconds; `null` deletes it. In `guard`,
   * `factor` and `account`, nothing is set.
   *
   * @returns the `Set-Cookie` header
   */
  setCookie(name: string, value: string | null, maxAge?: number): string
  /**
   * Sends an email with the configured email provider. What is sent to one address is limited, together with sign-in links.
   *
   * @throws RateLimited, or EmailSignInError if it can't be sent
   */
  mail(mail: ModuleMail): Promise<void>
  json(body: unknown, status?: number, headers?: Params): AuthResult
  /** A response without a body. */
  empty(status: number, headers?: Params): AuthResult
  page(page: ModulePage): Promise<AuthResult>
  /** To the account page, or to a page of this site. The `redirect` callback decides about other sites. */
  redirect(to: "account" | { readonly url: string }): Promise<AuthResult>
  /** A page that posts the parameters of a URL to it, because a URL may be too long. */
  forward(to: SafeUrl): AuthResult
  /** The URL of the account page. */
  readonly accountUrl: SafeUrl
  /** The URL of a route of this module. */
  url(route: string, query?: Params): SafeUrl
  /**
   * What to respond to a request that needs a recent or a stronger sign-in: a redirect for a page, and otherwise 401. `null`: this
   * session is enough.
   *
   * @param to path and query of the page
   * @throws InvalidConfig if no session could be enough
   */
  stepUp(asked: StepUp, to: string): Promise<Response | null>
}

export interface Route {
  readonly method: string
  /** Segments below the base path and the module's id, such as `enroll` or `keys/:id`. Empty: the id alone. */
  readonly path: string
  readonly options: RouteOptions
  handle(context: RequestContext, user: ModuleUser | null): Awaitable<AuthResult>
}

export interface RouteOptions {
  /**
   * Who may call it. `"recent"`: a user who signed in a short time ago. `"strong"`: also proved their second factor then, if they have one,
   * as for a change of how they sign in.
   *
   * @default "signed-in"
   */
  readonly session?: "none" | "signed-in" | "recent" | "strong"
  /** `false`: other methods than `GET` need no CSRF token. Check the sender yourself then. @default true */
  readonly csrf?: boolean
  /** A limit of `limits`, which counts by user, or else by the sender's address. */
  readonly limit?: string
}
