import { type AnyConfig, checkOptionsLater, compileChecked } from "./config/compile.js"
import { accountFor } from "./endpoints/account-for-visitor.js"
import { type CsrfToken, csrfTokenFor } from "./endpoints/csrf.js"
import { type FirstStepOptions, firstStepFor } from "./endpoints/first-step.js"
import { type OnUser, onUser } from "./endpoints/on-user.js"
import { isSufficient } from "./endpoints/step-up-for-visitor.js"
import { openedTokens, tokenFor } from "./endpoints/token-for-visitor.js"
import { answer, handle, isPlain, report } from "./engine/auth.js"
import { features } from "./engine/features.js"
import { type Find, type ServerModules, findWith, moduleFunctions, resealRecords } from "./engine/module-functions.js"
import { AuthError, InvalidProvider, MissingCSRF, UnknownAction } from "./errors.js"
import { formValue, toAuthRequest } from "./http/auth-request.js"
import { errorUrl, failure, toResponse } from "./http/respond.js"
import { serializeCookie } from "./http/cookie.js"
import { assertOwnForm, csrfBySender, trustedCsrf } from "./http/csrf.js"
import { misconfigured } from "./http/misconfigured.js"
import { toSessionRequest } from "./http/origin.js"
import { pageThatSent } from "./http/redirect.js"
import { type ServerAccount, type UserAccount, accountFunctions, readingFunctions } from "./model/account.js"
import type { AuthContext } from "./model/auth.js"
import type { FirstStep } from "./model/built-in-pages.js"
import type { AuthConfig } from "./model/config.js"
import type { SetCookie } from "./model/cookie.js"
import type { AuthRequest, AuthResult, PlainRequest, PlainResponse, Visitor } from "./model/http.js"
import type { OnlyOptions } from "./model/known-names.js"
import type { JWT, Session, SessionUpdate } from "./model/session.js"
import type { SignOutOptions } from "./model/session-strategy.js"
import type { ServerToken } from "./model/provider-token.js"
import type { ResolvedProvider } from "./model/signin.js"
import type { StepUp } from "./model/step-up.js"
import type { Account, Awaitable, TokenSet } from "./model/user.js"
import type { Module } from "./module-kit/model.js"
import { logFailure } from "./observability/error-reports.js"
import { forRequest } from "./observability/in-flight.js"
import { loggerOf } from "./observability/logger.js"
import { isPromise } from "./primitives/awaitable.js"
import { toAuthError } from "./primitives/to-auth-error.js"
import { type SessionView, currentSession } from "./session/current.js"

export { preventCaching } from "./http/prevent-caching.js"
export { accountFunctions, readingFunctions, resealRecords, serializeCookie }
export type { UserExport, VaultExport } from "./model/user-export.js"
export type { CsrfToken, FirstStep, FirstStepOptions, ServerAccount, SessionView, SetCookie, UserAccount, Visitor }

/** A redirect with the cookies to set. */
export interface Navigation {
  readonly to: string
  readonly cookies: readonly SetCookie[]
  /** The sign-in was refused or couldn't start, which the log says too. `to` is the page that shows the error. */
  readonly error?: AuthError
}

export interface SignInOptions {
  /** The callback URL. @default `page` of the visitor, else the page of this site that the request came from, else "/" */
  readonly redirectTo?: string | undefined
  /** Links the account to the signed-in user. @default false */
  readonly link?: boolean
  /** Fields of the provider's form, such as `email`. */
  readonly [field: string]: unknown
}

/** Parameters for the provider's authorization endpoint, such as `prompt`, as `new URLSearchParams()` accepts them. */
export type SentParams = string | string[][] | Readonly<Record<string, string>> | URLSearchParams

export interface ServerOptions {
  /**
   * `true`: browsers call `signIn` and `signOut` through a form action of the framework. As on the routes, a call from
   * another site is refused, a refusal leads to the page that shows it instead of being thrown, and a browser can't set
   * every authorization parameter.
   *
   * @default false: your server code calls them
   */
  readonly forwardsForms?: boolean
  /** The modules, if the configuration is a function: its result has none. */
  readonly modules?: readonly Module[] | undefined
}

/** Sign-in, sign-out and sessions as function calls instead of requests, for integrations with frameworks. */
export interface Server<S = Session> extends ServerModules, OnUser {
  /** Responds to a request to a route below the base path. For the options see {@link Visitor}. */
  handle(request: Request, options?: Pick<Visitor, "address" | "isAddressForgeable">): Promise<Response>
  /** The same without a `Request` and a `Response`, for integrations with servers that have neither. */
  answer(request: PlainRequest, options?: Pick<Visitor, "address" | "isAddressForgeable">): Promise<PlainResponse>
  /** Gets the current session. Pass `readOnly` if you can't set cookies: nothing is renewed then. Never throws. */
  session(visitor: Visitor, options?: { readonly readOnly?: boolean }): Promise<SessionView<S>>
  /**
   * `authorizationParams` are added to the authorization request of an OAuth provider, or replace its parameters.
   *
   * @throws AuthError if the sign-in is refused, for example `CredentialsSignin` or `AccessDenied`. If it couldn't start,
   *   or with `forwardsForms`, the result has the `error`
   */
  signIn(
    visitor: Visitor,
    provider?: string,
    options?: SignInOptions,
    authorizationParams?: SentParams,
  ): Promise<Navigation>
  /** @throws UnsupportedByAdapter, UnsupportedStrategy or MissingAdapter if the sessions of `scope` can't be ended */
  signOut(visitor: Visitor, options?: SignOutOptions): Promise<Navigation>
  /**
   * Whether the session of a visitor is recent and strong enough. One that doesn't say how it began isn't.
   *
   * @throws InvalidConfig if no session could be enough
   */
  isSufficient(visitor: Visitor, asked: StepUp): Promise<boolean>
  update(visitor: Visitor, data: SessionUpdate): Promise<SessionView<S>>
  /**
   * The account of the signed-in user: passkeys, linked accounts, sessions, email. Nothing is read before the first call.
   *
   * @throws MissingCSRF with `forwardsForms`, if another site sent a form that changes something
   */
  account(visitor: Visitor): ServerAccount
  /**
   * The token for the forms of your own pages, as the field `csrfToken`, and the cookie that belongs to it if that is new.
   * Empty if the configuration turns the tokens off.
   */
  csrfToken(visitor: Visitor): Promise<CsrfToken>
  /** What a sign-in page of your own shows: the methods, texts and fields that `GET signin` returns as JSON. */
  signInMethods(visitor: Visitor, options?: FirstStepOptions): Promise<FirstStep>
  /**
   * The access token of a user at a provider, renewed if it's about to expire. For a job, pass `userId` in place of a visitor.
   *
   * @throws InvalidProvider if there is no such OAuth provider
   */
  readonly token: ServerToken
  /** The tokens of a stored account, decrypted if `security.providerTokens` is `"sealed"`. */
  providerTokens(visitor: Visitor, account: Account): Promise<TokenSet>
}

/**
 * Creates the functions that an integration with a framework calls.
 *
 * @example
 * ```ts
 * import { createServer } from "@latchkey/core/server"
 * import credentials from "@latchkey/core/providers/credentials"
 *
 * const server = createServer({
 *   secret: "k0Wc5v2uYl1u8mQ7o3nT9xZ4hB6sD1fG",
 *   trustHost: true,
 *   providers: [credentials({ credentials: { name: {} }, authorize: ({ name }) => ({ id: String(name) }) })],
 *   callbacks: { session: ({ session, token }) => ({ ...session, userId: token.sub }) },
 * })
 * const { session } = await server.session({ headers: new Headers(), origin: "https://app.example" })
 * const id: string | undefined = session?.userId
 * ```
 *
 * @param config the configuration, or a function that returns the one for a visitor. An object with the same content is
 *   compiled once.
 */
export function createServer<T extends JWT = JWT, S = Session, K extends PropertyKey = never>(
  config: AuthConfig<T, S> | ((visitor: Visitor | undefined) => Awaitable<OnlyOptions<AuthConfig<T, S>, K>>),
  options: ServerOptions = {},
): Server<Awaited<S>> {
  const { forwardsForms = false } = options
  // The engine doesn't look into what callbacks return, so `T` and `S` only matter to the caller.
  const given = config as Find
  const find = findWith(given, options.modules)
  const call = callerOf(find)
  const answerTo = answerer(find)
  return {
    handle: async (request, client) => toResponse(await answerTo(request, client)),
    answer: answerTo,

    async session(visitor, options) {
      let given: AnyConfig | undefined
      let auth: AuthContext | undefined
      try {
        given = typeof find === "function" ? await find(visitor) : find
        const compiled = compileChecked(features, given)
        auth = forRequest(isPromise(compiled) ? await compiled : compiled, visitor)
        return (await currentSession(auth, toSessionRequest(auth, visitor), options)) as SessionView<Awaited<S>>
      } catch (cause) {
        // Fails closed: with an error, a page knows that "no session" isn't certain.
        const error = toAuthError(cause)
        // `compile` has logged a configuration that can't be used.
        if (given === undefined || auth !== undefined) (auth?.logger ?? loggerOf({}).forRequest(visitor)).error(error)
        return { session: null, cookies: [], error }
      }
    },

    signIn: (visitor, provider, options = {}, authorizationParams) =>
      call(visitor, async (auth) => {
        // `redirect` says what the caller does with the result. `authorize` gets the fields of the form.
        const { redirectTo, redirect: _, ...fields } = options
        const known = provider === undefined ? undefined : auth.providers.get(provider)
        if (forwardsForms && provider !== undefined && known === undefined)
          return unknownProvider(auth, visitor, provider)
        const body = { ...fields, callbackUrl: redirectTo }
        const form = { action: signInAction(known), providerId: known?.id, body, authorizationParams, forwardsForms }
        return submit(auth, visitor, form)
      }),

    signOut: (visitor, { redirectTo: callbackUrl, scope } = {}) =>
      call(visitor, async (auth) =>
        submit(auth, visitor, { action: "signout", body: { callbackUrl, scope }, forwardsForms }),
      ),

    isSufficient: (visitor, asked) => call(visitor, async (auth) => isSufficient(auth, visitor, asked)),

    update: (visitor, data) =>
      call(visitor, async (auth) => (await update(auth, visitor, data, forwardsForms)) as SessionView<Awaited<S>>),

    account: (visitor) => accountFor(visitor, { call, forwardsForms }),

    csrfToken: (visitor) => call(visitor, async (auth) => csrfTokenFor(auth, visitor)),

    signInMethods: (visitor, options) => call(visitor, async (auth) => firstStepFor(auth, visitor, options)),

    ...moduleFunctions(given, options.modules, async () =>
      compileChecked(features, typeof find === "function" ? await find(undefined) : find),
    ),

    ...onUser(call),

    token: tokenFor(call),

    providerTokens: (visitor, account) => call(visitor, async (auth) => openedTokens(auth, account)),
  }
}

async function update(
  auth: AuthContext,
  visitor: Visitor,
  data: SessionUpdate,
  forwardsForms: boolean,
): Promise<SessionView> {
  const request = toSessionRequest(auth, visitor)
  if (forwardsForms) assertOwnForm(auth, visitor, request)
  return currentSession(auth, request, { update: { sender: "application", data: () => data } })
}

type Call = <T>(visitor: Visitor | undefined, work: (auth: AuthContext) => Promise<T>) => Promise<T>

function answerer(find: Find): Server["answer"] {
  return async (request, client = {}) => {
    let given: AnyConfig | undefined
    let auth: AuthContext
    try {
      const visitor = { headers: request.headers, origin: new URL(request.url).origin, ...client }
      given = typeof find === "function" ? await find(visitor) : find
      auth = await compileChecked(features, given)
    } catch (cause) {
      // `compile` has logged a configuration that can't be used.
      if (given === undefined) loggerOf({}).forRequest(request).error(toAuthError(cause))
      return misconfigured(request, given ?? {}, cause, features.pages)
    }
    const answered = await answer(auth, request, client)
    if (isPlain(answered)) return answered
    throw new AuthError("A server can't return `raw` data. Remove `raw` from the configuration")
  }
}

/** Runs a call of the application, and logs what it throws, as the routes do. */
function callerOf(find: Find): Call {
  const configFor = async (visitor: Visitor | undefined) => {
    if (typeof find !== "function") return find
    try {
      return await find(visitor)
    } catch (cause) {
      loggerOf({})
        .forRequest(visitor ?? noRequest())
        .error(toAuthError(cause))
      throw cause
    }
  }
  return async (visitor, work) => {
    const request = visitor ?? noRequest()
    // `compile` has logged its own errors.
    const auth = forRequest(await compileChecked(features, await configFor(visitor)), request)
    try {
      return await work(auth)
    } catch (cause) {
      const error = toAuthError(cause)
      logFailure(auth, error)
      // Of a call that has no route.
      if (error instanceof MissingCSRF) await auth.audit?.emit({ name: "csrf.refused", outcome: "failure" })
      throw error
    } finally {
      checkOptionsLater(auth)
    }
  }
}

/** For a call of the application outside of a request, such as a job. */
function noRequest(): Pick<Visitor, "headers"> {
  return { headers: new Headers() }
}

/** Credentials have nothing to start. */
function signInAction(provider: ResolvedProvider | undefined): string {
  return provider?.type === "credentials" ? "callback" : "signin"
}

/** The page that a server function was called from. */
function pageOf(auth: AuthContext, visitor: Visitor): string {
  const { headers, origin } = toSessionRequest(auth, visitor)
  if (visitor.page !== undefined) return origin + visitor.page
  return pageThatSent(auth, { headers, origin }) ?? "/"
}

/** As on the routes of Auth.js. For a call of the application, the sign-in page is the better answer. */
function unknownProvider(auth: AuthContext, visitor: Visitor, id: string): Navigation {
  const error = new InvalidProvider(
    `There is no provider with the id ${JSON.stringify(id.slice(0, 100))}. Correct the form`,
  )
  const url = new URL(`${auth.basePath}/signin`, "http://localhost")
  const parts = { url, method: "POST", route: { action: "signin", providerId: undefined }, body: {} } as const
  return navigation(auth, { request: toAuthRequest(auth, visitor, parts), result: failure(error) }, true)
}

interface Posted {
  readonly action: string
  readonly providerId?: string | undefined
  readonly body: Readonly<Record<string, unknown>>
  readonly authorizationParams?: SentParams | undefined
  readonly forwardsForms: boolean
}

async function submit(auth: AuthContext, visitor: Visitor, form: Posted): Promise<Navigation> {
  return navigation(auth, await post(auth, visitor, form), form.forwardsForms)
}

/** A form that the application sends itself can't be forged by another site. One that it forwards can. */
async function post(
  auth: AuthContext,
  visitor: Visitor,
  { action, providerId, body, authorizationParams, forwardsForms }: Posted,
): Promise<{ request: AuthRequest; result: AuthResult }> {
  const path = `${auth.basePath}/${action}${providerId === undefined ? "" : `/${providerId}`}`
  const url = new URL(path, "http://localhost")
  url.search = new URLSearchParams(authorizationParams).toString()
  const form = { ...body, callbackUrl: body["callbackUrl"] ?? pageOf(auth, visitor) }
  const given = Object.entries(form).filter(([, value]) => value !== undefined)
  const fields = Object.fromEntries(given.map(([name, value]) => [name, formValue(value)]))
  const route = { action, providerId }
  const own = forwardsForms
    ? { csrf: csrfBySender(auth, toSessionRequest(auth, visitor)) }
    : { csrf: trustedCsrf, authorizationParams: Object.fromEntries(url.searchParams) }
  const request = toAuthRequest(auth, visitor, { url, method: "POST", route, body: fields, ...own })
  return { request, result: await handle(auth, request) }
}

/** Auth.js throws refusals and redirects to a page after everything else, so that applications don't catch the rest. */
const unexpected: ReadonlySet<string> = new Set(["AuthError", "EmailSignInError", "OAuthSignInError"])

function navigation(
  auth: AuthContext,
  { request, result }: { request: AuthRequest; result: AuthResult },
  forwardsForms: boolean,
): Navigation {
  const { cookies } = result
  if (result.kind === "redirect") return { to: result.to, cookies }
  if (result.kind === "failure") {
    const { error } = result
    if (!forwardsForms && !unexpected.has(error.type)) throw error
    report(auth, request, error)
    return { to: errorUrl(auth, request, error), cookies, error }
  }
  throw new UnknownAction(`The ${request.action} action didn't end in a redirect`)
}
