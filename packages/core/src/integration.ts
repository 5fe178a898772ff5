import { isAuthRoute } from "./config/auth-routes.js"
import type { Env } from "./config/env/variables.js"
import { JWTSessionError, SessionTokenError, UntrustedHost } from "./errors.js"
import { isOpenToAll, malformed, type Refused, refusal, withTarget } from "./framework/access.js"
import { atBuild, type Build } from "./framework/at-build.js"
import { drained } from "./framework/body.js"
import { createCalls, isForwardedAddress } from "./framework/calls.js"
import {
  accountOf,
  forEvents,
  memberFunctions,
  showing,
  tokenBy,
  tokenOf,
  userFunctions,
  userFunctionsBy,
} from "./framework/members.js"
import { fieldsIn } from "./framework/form.js"
import type {
  Access,
  Destination,
  Framework,
  FrameworkRequest,
  Integration,
  Refusal,
  Revoke,
  Token,
  UserFunctions,
} from "./framework/model.js"
import { processEnv } from "./framework/process-env.js"
import type { RequestState } from "./framework/state.js"
import {
  answerWith,
  type AuthorizationParams,
  type CurrentFunctions,
  currentFunctions,
  type EventFunctions,
  eventFunctions,
  eventFunctionsBy,
  type SignIn,
  type SignInInput,
  type SignOut,
  type SignOutInput,
  type SignOutOptions,
  type WithoutRedirect,
} from "./framework/functions.js"
import { isNavigation } from "./http/auth-request.js"
import { appendCookies, withCookies } from "./http/cookies-to-set.js"
import { originFromHost } from "./http/origin.js"
import { seeOther, toResponse } from "./http/respond.js"
import { stepUpIn } from "./http/step-up.js"
import type { AuthConfig } from "./model/config.js"
import type { SetCookie } from "./model/cookie.js"
import type { PlainRequest, PlainResponse } from "./model/http.js"
import type { OnlyOptions, WithProviders } from "./model/known-names.js"
import type { JWT, Session } from "./model/session.js"
import type { UserExport } from "./model/user-export.js"
import type { Duration, StepUp } from "./model/step-up.js"
import {
  type Members,
  type MembersOf,
  type ModuleOptions,
  type WithMembers,
  modulesIn,
  withMembers,
} from "./module-kit/members.js"
import type { Module } from "./module-kit/model.js"
import type { Awaitable } from "./primitives/awaitable.js"
import { defined } from "./primitives/defined.js"
import type { SentParams, SessionView, SignInOptions } from "./server.js"

export type {
  Access,
  AuthorizationParams,
  Build,
  CurrentFunctions,
  Destination,
  Duration,
  Env,
  EventFunctions,
  Framework,
  FrameworkRequest,
  Integration,
  Members,
  MembersOf,
  Module,
  ModuleOptions,
  PlainRequest,
  PlainResponse,
  Refusal,
  Revoke,
  SentParams,
  SetCookie,
  SignIn,
  SignInInput,
  SignInOptions,
  SignOut,
  SignOutInput,
  SignOutOptions,
  StepUp,
  Token,
  UserExport,
  UserFunctions,
  WithMembers,
  WithoutRedirect,
}
export {
  answerWith,
  appendCookies,
  atBuild,
  currentFunctions,
  defined,
  drained,
  eventFunctions,
  eventFunctionsBy,
  fieldsIn,
  forEvents,
  isAuthRoute,
  isForwardedAddress,
  isNavigation,
  originFromHost,
  processEnv,
  seeOther,
  showing,
  stepUpIn,
  toResponse,
  tokenBy,
  userFunctionsBy,
  withCookies,
  withMembers,
}

/** The type of the session that the configuration `C` leads to: what its `session` callback returns. */
export type SessionOf<C> = C extends { callbacks: { session: (...params: never[]) => infer S } } ? Awaited<S> : Session

/**
 * What the initializer of a package takes: the configuration `C`, or a function of the arguments `A` that returns it, whose modules
 * are an option of the initializer.
 */
export type ConfigOrFunction<
  C,
  A extends readonly unknown[],
  Id extends string,
  K extends PropertyKey,
  Mods extends readonly Module[],
> = WithProviders<C, Id, Mods> | ((...args: A) => Awaitable<OnlyOptions<WithProviders<C, Id>, K>>)

/**
 * Creates what a package for a framework needs: it reads requests and sets cookies through `framework`, and the package gives
 * the functions their idiomatic names.
 *
 * @example
 * ```ts
 * import { createIntegration } from "@latchkey/core/integration"
 *
 * const auth = createIntegration({ providers: [] }, {
 *   basePath: "/auth",
 *   env: () => process.env,
 *   read: (request: Request) => ({ method: request.method, url: new URL(request.url), headers: request.headers }),
 *   toRequest: (request) => request,
 * })
 * export async function respond(request: Request): Promise<Response> {
 *   const session = await auth.session(request)
 *   return auth.finish(request, (await auth.handle(request)) ?? Response.json(session))
 * }
 * ```
 * @param config the configuration, or a function that returns it for a request
 * @param options `modules`, if the configuration is a function
 */
export function createIntegration<E extends object, T extends JWT = JWT, S = Session, K extends PropertyKey = never>(
  config: AuthConfig<T, S> | ((event: E) => Awaitable<OnlyOptions<AuthConfig<T, S>, K>>),
  framework: Framework<E>,
  { modules }: ModuleOptions = {},
): Integration<E, Awaited<S>> {
  // The callbacks' types only matter to the caller.
  const calls = createCalls<E>(config as AuthConfig, framework, modules)
  const { act, run } = calls

  async function access(event: E, asked?: StepUp): Promise<Access<unknown>> {
    const view = await calls.view(event)
    const session = sessionIn(view)
    const isSignedIn = session !== null
    if (isSignedIn && (asked === undefined || (await calls.isSufficient(event, asked)))) return { session }
    return refused(event, { error: view.error, isSignedIn, asked })
  }

  async function refused(event: E, why: Refused): Promise<Refusal> {
    const { config } = await calls.authFor(event)
    return refusal(config, framework.read(event), why)
  }

  const integration: Integration<E, unknown> = {
    handle: (event) => calls.route(event).then((answer) => answer && toResponse(answer)),
    answer: calls.route,
    session: (event, { readOnly } = {}) => run(event, calls.view(event, readOnly).then(sessionIn)),
    requireSession: (event, asked) => run(event, access(event, asked)),
    stepUp: (event, asked, isSignedIn) =>
      run(
        event,
        (isSignedIn ? calls.isSufficient(event, asked) : Promise.resolve(false)).then((isEnough) =>
          isEnough ? undefined : refused(event, { error: undefined, isSignedIn, asked }),
        ),
      ),
    async protect(event) {
      const isOpen = isOpenToAll((await calls.authFor(event)).config, framework.read(event))
      if (isOpen === undefined) return toResponse(malformed)
      if (isOpen) return undefined
      const access = await integration.requireSession(event)
      return "response" in access ? access.response : undefined
    },
    async signIn(event, provider, options = {}, params) {
      const work = act(event, (server, visitor) => server.signIn(visitor, provider || undefined, options, params))
      const destination = await run(event, work)
      const { to, error } = destination
      if (error === undefined || framework.forwardsForms === false) return destination
      return { to: withTarget(to, error, options.redirectTo), error }
    },
    signOut: (event, options = {}) =>
      run(
        event,
        act(event, (server, visitor) => server.signOut(visitor, options)),
      ),
    update: (event, data) => run(event, calls.update(event, data)),
    account: (event, changed) => accountOf(calls, event, changed),
    ...userFunctions(calls),
    token: tokenOf(calls),
    ...memberFunctions(calls, modulesIn(config, modules)),
    csrfToken: (event) => run(event, calls.csrfToken(event)),
    finish: ((event: E, response: Response | undefined) =>
      finished(calls.stateOf(event), event, response)) as Integration<E, unknown>["finish"],
  }
  // The engine doesn't look into what callbacks return.
  return integration as Integration<E, Awaited<S>>
}

function finished<E extends object>(
  state: RequestState<E>,
  event: E,
  response: Response | undefined,
): Response | undefined {
  const { framework, cookies } = state
  state.isFinished = true
  if (cookies.size === 0) return response
  framework.preventCaching?.(event)
  return response && withCookies(response, framework.setCookies === undefined ? [...cookies.values()] : [])
}

/**
 * Errors that a single request or a database failure can cause. The visitor isn't signed in then. Other errors affect every
 * request until you fix the configuration.
 */
const ignoredErrors = [JWTSessionError, SessionTokenError, UntrustedHost]

/** @throws AuthError if every request fails in the same way */
function sessionIn({ session, error }: SessionView<unknown>): unknown {
  if (error !== undefined && !ignoredErrors.some((kind) => error instanceof kind)) throw error
  return session ?? null
}
