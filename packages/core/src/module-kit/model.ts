import type { EventCallbacks } from "../model/callbacks.js"
import type { FactorForm, ModuleMail, ModulePage, Section } from "../model/module-content.js"
import type { CaptchaAction } from "../model/captcha.js"
import type { CredentialInput } from "../model/credentials-provider.js"
import type { AuthError } from "../errors.js"
import type { AuthResult, Params, SafeUrl, SessionRequest } from "../model/http.js"
import type { RateLimit } from "../model/limits.js"
import type { RecordStore, RecordWrite } from "../model/records.js"
import type { SecurityEvent } from "../model/security-event.js"
import type { LiveSession, SchemeContext } from "../model/session-strategy.js"
import type { Session } from "../model/session.js"
import type { StepUp } from "../model/step-up.js"
import type { seamLoader } from "../model/symbols.js"
import type { Account, Awaitable, JsonValue, Profile, User } from "../model/user.js"
import type { AdapterUser } from "../model/adapter.js"
import type { KeptAccount } from "../model/vault.js"
import type { Passkeys } from "./passkeys.js"
import type { Proven } from "./proven.js"
import type { RecordsOf } from "./record-types.js"
import type { RecordTypes } from "./fields.js"

/**
 * A feature that is added to the configuration. This part is data and is read in each process, also in middleware. What runs is
 * in `load`.
 */
export interface Module<Id extends string = string, Server extends object = object> {
  /** Lowercase letters, digits and hyphens; unique, and no name of a built-in route or of a member of the result. */
  readonly id: Id
  /** Ids of modules that this one needs. */
  readonly needs?: readonly string[]
  /** First segments of routes below the base path, besides the id. */
  readonly paths?: readonly string[]
  /** What the module stores. It needs a store of records then. */
  readonly records?: RecordTypes
  /** Names of the functions that `server` returns. They become a member of the result, named by the id. */
  readonly members?: readonly string[]
  /** Ways to sign in, as `signIn(id)` and the sign-in page offer them. `prove` decides. */
  readonly providers?: readonly ModuleProvider[]
  /**
   * Pages that the sign-in page links to, unless the configuration has its own. Below the base path, so they begin with the id:
   * `password/forgot`.
   */
  readonly pages?: Readonly<Partial<Record<"forgotPassword" | "createAccount", string>>>
  /**
   * Whether a request names its user in a header, such as one with an access token. Then its cookies are ignored, `identify` alone decides,
   * and without a session it gets 401 and no page.
   */
  authenticates?(headers: Headers): boolean
  /** Returns the session of a visitor without a session cookie, for example one with an API key. */
  identify?(visitor: { readonly headers: Headers; readonly origin: string }): Awaitable<Session | null>
  /** Returns the session with additions. Runs after the `session` callback. */
  session?(params: { readonly session: Session; readonly headers: Headers }): Awaitable<Session>
  /** Listens to events, after the handlers of the configuration. */
  readonly on?: EventCallbacks
  /**
   * Runs each auth route, as tracing needs it. `run` runs the route once, never rejects, and resolves to why it failed. What `around`
   * returns or throws changes nothing. The message and cause of an error can say too much: record its `type`.
   */
  around?(route: RunningRoute, run: () => Promise<AuthError | undefined>): Promise<unknown>
  /** It has a factor, or tells others about sign-ins, so sessions say when and how their users signed in. The default of `session.stepUp`. */
  readonly stepUp?: true
  /**
   * Made with `companionCookie`: a cookie of this module that has to come with a session, on every server and in middleware. Its value is
   * `seal({ accompanies: id }, maxAge)`, where `id` names the sign-in. Without it no user is signed in, and the session cookie stays.
   * Only sessions that began with this module need it, and not on the routes of the module. The module sets `stepUp`, too.
   */
  readonly needsCookie?: CompanionCookie
  /** Set by `defineModule`. */
  readonly [seamLoader]?: SeamLoader | undefined
  /** Loads everything else, at the first request that may need it. */
  load?(): Promise<ModuleParts>
  /** Only for TypeScript: what `server` of its parts returns. `load` would say it too, at the cost of more type instantiations. */
  readonly server?: Server
}

/** An auth route that runs. Its values are few: none of them is what a visitor typed. */
export interface RunningRoute {
  readonly method: string
  /** The first segment below the base path, such as `callback`, or the id of a module. */
  readonly action: string
  /** Of a configured provider. */
  readonly providerId: string | undefined
}

/** A compiled configuration, whose type refers to modules. */
interface Compiled {
  readonly records: RecordStore | undefined
  readonly https: SchemeContext
}

/** Loads what core does with modules. */
export interface SeamLoader {
  (): Promise<unknown>
  /** What the parts find in a request that `authenticates` names. `undefined`: nothing looks for it, or there's no store here. */
  identify?(auth: Compiled, request: SessionRequest, module: Module): Promise<Session | null | undefined>
}

export interface CompanionCookie {
  readonly name: string
  /** Whether a session came with the cookie of the module with this id. */
  accepts(auth: Compiled, request: SessionRequest, live: LiveSession, module: string): Promise<boolean>
}

export interface ModuleProvider {
  readonly id: string
  readonly name: string
  /** The text of the button that signs in, for all languages or by language tag. @default "Sign in with", and the name */
  readonly buttonLabel?: string | Readonly<Record<string, string>>
  /** The form: labels and attributes of the inputs, by name. */
  readonly fields: Readonly<Record<string, CredentialInput>>
}

/** What a module does, phase by phase. */
export interface ModuleParts<R extends RecordTypes = RecordTypes, Server extends object = object> {
  /** As `identify` of the module, with its records. Without them, as in middleware on the edge, that one is called. */
  identify?(context: RequestContext<R>): Awaitable<Session | null>
  /** Who signs in with one of `providers`? `null`: what was typed is wrong. The attempts are limited. For more, see `proven`. */
  prove?(context: RequestContext<R>, typed: TypedFields): Awaitable<(User & { readonly id: string }) | Proven | null>
  /** May this user come in? Asked after the `signIn` callback, before anything is written. */
  guard?(context: RequestContext<R>, attempt: SignInAttempt): Awaitable<Verdict>
  /** Holds a sign-in until the user proves something else. */
  readonly factor?: Factor<R>
  /** Asks a signed-in user again, where the application wants a recent or a stronger sign-in. The module sets `stepUp`, too. */
  readonly stepUp?: StepUpPart<R>
  /**
   * Runs when a user has signed in, once. An error is logged. It may return headers for the response; one that the response has
   * already stays. Where the application signs in from its own code, there is no response to add them to.
   */
  after?(context: RequestContext<R>, signIn: CompletedSignIn): Awaitable<Params | void>
  /**
   * Where a sign-out leads, and headers of its response. Runs once the session of this browser has ended; one of the others ends later. An
   * error is logged. `null`: as without the module.
   */
  leave?(context: RequestContext<R>, signOut: SignOutFacts): Awaitable<Leave | null>
  /** Made with `route`. */
  readonly routes?: readonly Route[]
  /** A section of the account page. `null`: none for this user. */
  account?(context: RequestContext<R>, user: ModuleUser): Awaitable<Section | null>
  /** Whether the module relies on a passkey of a user, who can't remove it then. `id` is the credential id, in base64. @default no */
  keepsPasskey?(context: RequestContext<R>, user: Owner, id: string): Awaitable<boolean>
  /** Whether this session may change the email of its user. Asked before a link is sent, and before the email is stored. @default yes */
  mayChangeEmail?(context: RequestContext<R>, user: Owner): Awaitable<boolean>
  /** Runs when a user has confirmed another email. `true`: it ended the session of this request. */
  emailChanged?(context: RequestContext<R>, user: Owner): Awaitable<boolean>
  /** Texts by language. English is complete, and stands in for what another one lacks. */
  readonly texts?: Texts
  /**
   * Improves the pages of this module and of its factor, which have to work without it. It runs at the end of the page, and may
   * send requests to this site. No other page has it.
   */
  readonly script?: string | (() => Promise<{ readonly default: string }>)
  /** Limits for `context.limit`, by name. */
  readonly limits?: Readonly<Record<string, ModuleLimit>>
  /** The security events that it emits, each with what it means. The id of the module is the first part of their names. */
  readonly events?: Readonly<Record<string, string>>
  /** The module ends sessions, so a configuration in which they can't be ended is an error. @default false */
  readonly endsSessions?: true
  /** Ends every credential that this module issued to a user. */
  revoke?(context: ModuleContext<R>, user: Owner, reason: string | undefined): Awaitable<void>
  /** Everything that is kept about a user, without secrets. */
  export?(context: ModuleContext<R>, user: Owner): Awaitable<unknown>
  /** Functions for the application's server code. */
  server?(context: ModuleContext<R>): Server
  /** Problems of its options, each with what to do. Checked once, when the module loads. */
  check?(): readonly string[]
  /** What `latchkey doctor` reports about the running application. */
  doctor?(context: ModuleContext<R>): Awaitable<readonly string[]>
}

export interface ModuleLimit extends RateLimit {
  /**
   * `"address"`: without a subject, it counts by the address of the sender also when a user is signed in, so that many users of one
   * sender share it. @default the signed-in user, or else the address
   */
  readonly by?: "address"
}

export interface TypedFields {
  /** The id of the provider. */
  readonly provider: string
  readonly fields: Readonly<Record<string, unknown>>
}

export type Texts = { readonly en: Readonly<Record<string, string>> } & {
  readonly [tag: string]:
    | Readonly<Record<string, string>>
    | (() => Promise<{ readonly default: Readonly<Record<string, string>> }>)
}

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

export interface Factor<R extends RecordTypes = RecordTypes> {
  /** What it adds to the methods of the sign-in (RFC 8176). */
  readonly amr: readonly string[]
  /** A sign-in whose `amr` contains one of these passes without it, such as `"hwk"`: a passkey. @default none */
  readonly exempt?: readonly string[]
  isRequired(context: RequestContext<R>, attempt: SignInAttempt): Awaitable<boolean>
  /** Whether the provider asked for two factors, so that the session is of level 2 without this one. @default none */
  accepts?(context: RequestContext<R>, attempt: SignInAttempt): Awaitable<boolean>
  /** The page, the JSON step and the component are made from it. `null`: the user has no such factor, so a guard's demand fails. */
  form(context: RequestContext<R>, attempt: SignInAttempt): Awaitable<FactorForm | null>
  /**
   * `true`: the sign-in goes on. A text says what is wrong. A form: nothing is wrong, and it's shown next. Use up what was typed here,
   * so that it works once. Of one sign-in, five answers are asked for. `{ amr }`: the sign-in goes on, and these are its methods
   * instead of `amr`.
   */
  verify(
    context: RequestContext<R>,
    attempt: SignInAttempt,
    fields: Params,
  ): Awaitable<true | Pick<Factor, "amr"> | string | FactorForm>
}

/** How a module asks a signed-in user again. */
export interface StepUpPart<R extends RecordTypes = RecordTypes> {
  /** When they last proved the factor in this browser, in milliseconds since 1970. It counts for sessions that began before. */
  provenAt(context: RequestContext<R>, user: ModuleUser): Awaitable<number | null>
  /** The page that asks, and then leads to `to`. `null`: this user has no such factor, and signs in again. */
  page(context: RequestContext<R>, user: ModuleUser, question: StepUpQuestion): Awaitable<SafeUrl | null>
}

export interface StepUpQuestion {
  /** The page that the user came from. */
  readonly to: SafeUrl
  readonly level: 1 | 2
  /** Whether the user signed in with two factors, of this module or another. */
  readonly isStrong: boolean
}

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
