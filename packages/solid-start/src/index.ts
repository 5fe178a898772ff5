import type * as shared from "@latchkey/core/integration"
import {
  type ConfigOrFunction,
  createIntegration,
  currentFunctions,
  type Destination,
  eventFunctions,
  fieldsIn,
  type Integration,
  type Module,
  type ModuleOptions,
  type Token,
  type UserFunctions,
  seeOther,
  showing,
  stepUpIn,
  type WithMembers,
  withMembers,
} from "@latchkey/core/integration"
import type {
  AuthConfig,
  Awaitable,
  JWT,
  Provider,
  Session,
  SessionUpdate,
  StepUp,
  UserAccount,
} from "@latchkey/core/types"
import {
  currentEvent,
  framework,
  isForged,
  knownEvent,
  type NativeEvent,
  type PageEvent,
  pageOf,
  sentRequest,
  showSession,
  type SolidStartEvent,
} from "./event.js"

export { customFetch } from "@latchkey/core"
export { AuthError, CredentialsSignin } from "@latchkey/core/errors"
export type {
  Destination,
  Revoke,
  SignInOptions,
  SignOutOptions,
  Token,
  UserExport,
  UserFunctions,
  WithMembers,
} from "@latchkey/core/integration"
export type { Account, DefaultSession, Profile, Session, User, UserAccount } from "@latchkey/core/types"
export type { NativeEvent, SolidStartEvent }

/** The configuration. Missing values, such as the secret, come from environment variables. */
export interface SolidAuthConfig<T extends JWT = JWT, S = Session> extends Omit<AuthConfig<T, S>, "raw" | "providers"> {
  providers: Provider[]
  /** Path of the auth routes. The name that `@auth/solid-start` uses for `basePath`. @default "/api/auth" */
  prefix?: string
}

/** The session that the `session` callback returned, or `null` if no user is signed in. */
export type GetSessionResult<S = Session> = Promise<S | null>

/** A middleware for `createMiddleware` of `@solidjs/start/middleware`. */
export type SolidAuthMiddleware = (event: NativeEvent, next: () => unknown) => Promise<unknown>

/** Answers the requests for one method of the auth routes. */
export type SolidAuthHandler = (event: SolidStartEvent) => Promise<Response | undefined>

/** Parameters for the provider's authorization endpoint, such as `prompt`. */
export type AuthorizationParams = string | URLSearchParams | Readonly<Record<string, string>>

/**
 * Starts a sign-in, or ends one for credentials. Without a provider, the user chooses one on the sign-in page. The options are
 * `redirectTo` and fields of the provider's form, such as `email`, or a form that has them.
 *
 * @throws Response a redirect (303) to the provider, to `redirectTo`, or to the page that shows why the sign-in was refused.
 *   With `redirect: false`, it returns where to send the user, and the `error` if the sign-in was refused
 */
export type SignIn<Id extends string = string> = shared.SignIn<never, Id, never, Form, AuthorizationParams>

/**
 * Ends the session.
 *
 * @throws Response a redirect (303) to `redirectTo`, or to the current page. With `redirect: false`, it returns where to send
 *   the user
 */
export type SignOut = shared.SignOut<never, never, Form>

/** The fields of a form. Without `enctype`, SolidStart passes `URLSearchParams`. */
type Form = FormData | URLSearchParams

/** What `SolidAuth` returns. */
export interface SolidAuthResult<S = Session, Id extends string = string> extends UserFunctions<SolidStartEvent> {
  /** Export them from `src/routes/api/auth/[...solidauth].ts`, unless you use `middleware`. */
  readonly GET: SolidAuthHandler
  readonly POST: SolidAuthHandler
  /**
   * Answers the auth routes, puts the session into `event.locals.session`, refuses calls of server functions by other sites,
   * and keeps responses that set a session out of caches.
   */
  readonly middleware: SolidAuthMiddleware
  /** The session of the current request, or `null` if no user is signed in. It's read once per request. */
  getSession(event?: SolidStartEvent): Promise<S | null>
  /**
   * The session of the current request. With `maxAge` or `level`, a user whose sign-in isn't recent or strong enough is asked again.
   *
   * @param options.redirectTo where the user goes after the sign-in. By default, the page that the browser shows. Set it in
   *   queries that a link to another page calls
   * @throws Response without a session: a redirect to the sign-in page, or 401 for a client of an API
   */
  requireSession(options?: StepUp & { readonly redirectTo?: string | undefined }): Promise<S>
  readonly signIn: SignIn<Id>
  readonly signOut: SignOut
  /** Passes `data` to the `jwt` and `session` callbacks as an update, and returns the new session. */
  update(data: SessionUpdate): Promise<S | null>
  /**
   * The account of the user who sent the request: their passkeys, linked accounts, sessions and email. A change that another
   * site requests is refused.
   */
  account(): UserAccount
  /** Access tokens of providers, for the user who sent the request: see {@link Token}. */
  readonly token: Token
  /** The token for forms of your own pages that post to the auth routes, as the field `csrfToken`. */
  csrfToken(): Promise<string>
}

/**
 * Creates what a SolidStart application needs to sign users in.
 *
 * @example
 * ```ts
 * import { SolidAuth } from "@latchkey/solid-start"
 * import GitHub from "@latchkey/solid-start/providers/github"
 *
 * export const { middleware, getSession, requireSession, signIn, signOut, update } = SolidAuth({ providers: [GitHub] })
 * ```
 * @param config the configuration, or a function that returns it for a request
 */
export function SolidAuth<
  T extends JWT = JWT,
  S = Session,
  Id extends string = string,
  K extends PropertyKey = never,
  const Mods extends readonly Module[] = readonly [],
>(
  config: ConfigOrFunction<SolidAuthConfig<T, S>, [event: SolidStartEvent], Id, K, Mods>,
  options: ModuleOptions<Mods> = {},
): WithMembers<SolidAuthResult<Awaited<S>, Id>, Mods> {
  const integration = integrationFor<T, S>(config, options)
  const result: SolidAuthResult<Awaited<S>, Id> = resultOf(integration)
  return withMembers(result, integration.members())
}

function resultOf<S>(integration: Integration<PageEvent, S>): SolidAuthResult<S> {
  const auth = showing(integration, showSession)

  /** The event, unless another site sent the request. */
  function ownEvent(caller: string): SolidStartEvent {
    const event = currentEvent(caller)
    if (isForged(sentRequest(event))) throw forbidden()
    return event
  }

  const functions = currentFunctions(eventFunctions(auth, leave), ownEvent)
  // `redirect` decides which overload applies.
  const signIn = functions.signIn as (
    provider?: string,
    options?: Fields,
    params?: AuthorizationParams,
  ) => Promise<never>
  const signOut = functions.signOut as (options: Fields) => Promise<never>
  const handle: SolidAuthHandler = (event) => auth.handle(event)

  return {
    GET: handle,
    POST: handle,
    async middleware(native, next) {
      const event = currentEvent("The middleware of SolidAuth")
      if (isForged(native.req)) return forbidden()
      const response = await auth.handle(event)
      if (response !== undefined) return response
      // A page that is generated at build time has no cookies, and a build has no secret.
      const session = native.req.headers.has("cookie") ? await auth.session(event) : null
      showSession(event, session)
      const result = await run(next)
      if (result instanceof Response) return auth.finish(event, result)
      auth.finish(event)
      return result
    },
    ...functions,
    getSession: (event = currentEvent("getSession")) => auth.session(event),
    async requireSession({ redirectTo, ...asked } = {}): Promise<S> {
      const event = currentEvent("requireSession")
      const access = await auth.requireSession({ ...event, page: redirectTo ?? pageOf(event) }, stepUpIn(asked))
      if (!("response" in access)) return access.session
      throw access.response
    },
    signIn: (provider?: string, options?: Form | Fields, params?: AuthorizationParams) =>
      signIn(provider, fieldsOf(options), params),
    signOut: (options?: Form | Pick<Fields, "redirect">) => signOut(fieldsOf(options)),
    revoke: auth.revoke,
    disable: auth.disable,
    enable: auth.enable,
    export: auth.export,
    csrfToken: async () => auth.csrfToken(currentEvent("csrfToken")),
  }
}

/**
 * Returns the session of the user who sent a request. If it's the request that is being answered, the session is also renewed
 * if that's due.
 *
 * @example
 * ```ts
 * import { getSession, type SolidAuthConfig } from "@latchkey/solid-start"
 *
 * export async function nameOf(request: Request, config: SolidAuthConfig): Promise<string> {
 *   const session = await getSession(request, config)
 *   return session?.user?.name ?? "unknown"
 * }
 * ```
 * @param options the configuration that `SolidAuth` got
 * @throws AuthError if the configuration is invalid. If the database fails or the host isn't trusted, it returns `null`
 */
export async function getSession<T extends JWT = JWT, S = Session>(
  req: Request,
  options: Omit<AuthConfig<T, S>, "raw"> & { readonly prefix?: string },
): GetSessionResult<Awaited<S>> {
  const current = knownEvent()
  const isCurrent = current?.request === req
  const event = isCurrent ? current : { request: req }
  return integrationFor<T, S>(options).session(event, { readOnly: !isCurrent })
}

type Config<T extends JWT, S> = Omit<AuthConfig<T, S>, "raw"> & { readonly prefix?: string }
type ConfigSource<T extends JWT, S> =
  | Config<T, S>
  | ((event: SolidStartEvent) => Config<T, S> | PromiseLike<Config<T, S>>)

const integrations = new WeakMap<object, Integration<PageEvent, unknown>>()

/** `SolidAuth` and `getSession` share one for a configuration, so that they read the session of a request once. */
function integrationFor<T extends JWT, S>(
  source: ConfigSource<T, S>,
  options: ModuleOptions = {},
): Integration<PageEvent, Awaited<S>> {
  const integration =
    integrations.get(source) ?? createIntegration<PageEvent, T, S>(mounted(source), framework, options)
  integrations.set(source, integration)
  // The type of the session is that of the configuration.
  return integration as Integration<PageEvent, Awaited<S>>
}

/** A function without parameters stays one, because it can be called outside of requests. */
function mounted<T extends JWT, S>(
  source: ConfigSource<T, S>,
): AuthConfig<T, S> | ((event: PageEvent) => Promise<AuthConfig<T, S>>) {
  if (typeof source !== "function") return withBasePath(source)
  const mount = async (config: Awaitable<Config<T, S>>) => withBasePath(await config)
  return source.length === 0
    ? () => mount((source as () => Awaitable<Config<T, S>>)())
    : (event: PageEvent) => mount(source(event))
}

const settled = new WeakMap<object, AuthConfig>()

/** Equal configurations give the same object. */
function withBasePath<T extends JWT, S>(config: Config<T, S>): AuthConfig<T, S> {
  const { prefix, ...others } = config
  const result = settled.get(config) ?? (prefix === undefined ? others : { ...others, basePath: prefix })
  settled.set(config, result as AuthConfig)
  return result as AuthConfig<T, S>
}

/** Runs the rest of the application. A response that it throws is sent, as in server functions. */
async function run(next: () => unknown): Promise<unknown> {
  try {
    return await next()
  } catch (thrown) {
    if (thrown instanceof Response) return thrown
    throw thrown
  }
}

function leave(destination: Destination): never {
  throw seeOther(destination)
}

function forbidden(): Response {
  return new Response("Another site sent this request.", { status: 403, headers: { "content-type": "text/plain" } })
}

interface Fields {
  readonly redirect?: boolean
  readonly [name: string]: unknown
}

/** A form always redirects, whatever its fields say. Sign-in pages get their `callbackUrl` in the query. */
function fieldsOf(options: Form | Pick<Fields, "redirect"> = {}): Fields {
  if (!(options instanceof FormData || options instanceof URLSearchParams)) return { ...options }
  const { callbackUrl, ...fields } = fieldsIn(options)
  return { redirectTo: callbackUrl, ...fields, redirect: true }
}
