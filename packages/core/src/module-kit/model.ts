import type { EventCallbacks } from "../model/callbacks.js"
import type { FactorForm, Section } from "../model/module-content.js"
import type { CredentialInput } from "../model/credentials-provider.js"
import type { AuthError } from "../errors.js"
import type { Params, SafeUrl, SessionRequest } from "../model/http.js"
import type { RateLimit } from "../model/limits.js"
import type { RecordStore } from "../model/records.js"
import type { LiveSession, SchemeContext } from "../model/session-strategy.js"
import type { Session } from "../model/session.js"
import type { seamLoader } from "../model/symbols.js"
import type { Awaitable, User } from "../model/user.js"
import type { Proven } from "./proven.js"
import type { RecordTypes } from "./fields.js"
import type { ModuleContext, RequestContext, Route } from "./context.js"
import type {
  CompletedSignIn,
  Leave,
  ModuleUser,
  Owner,
  SignInAttempt,
  SignOutFacts,
  StepUpQuestion,
  Verdict,
} from "./phases.js"

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
