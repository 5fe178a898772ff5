import { withEnv } from "../config/env/env.js"
import { rulesOf } from "../config/presets.js"
import { AuthError } from "../errors.js"
import { mergeCookies } from "../http/cookies-to-set.js"
import type { AuthConfig } from "../model/config.js"
import type { SetCookie } from "../model/cookie.js"
import type { Visitor } from "../model/http.js"
import { checksSender, skipCSRFCheck } from "../model/symbols.js"
import { addModules } from "../module-kit/members.js"
import type { Module } from "../module-kit/model.js"
import { loggerOf } from "../observability/logger.js"
import { toAuthError } from "../primitives/to-auth-error.js"
import { type Server, type SessionView, createServer } from "../server.js"
import type { Framework, FrameworkRequest } from "./model.js"
import { processEnv } from "./process-env.js"

/** The configuration of a request, and the server that is made from it. */
export interface Auth {
  readonly config: AuthConfig
  readonly server: Server<unknown>
}

/** A request, and what is known about its session so far. */
export interface RequestState<E extends object> {
  readonly framework: Framework<E>
  /** A configuration function is called once per request. */
  auth?: Promise<Auth>
  view?: { readonly isReadOnly: boolean; readonly result: Promise<SessionView<unknown>> }
  csrfToken?: Promise<string>
  /** The cookies to set, by name. */
  readonly cookies: Map<string, SetCookie>
  /** Counts sign-ins, sign-outs and updates. */
  changes: number
  isFinished: boolean
}

type ConfigFor<E> = object & (AuthConfig | ((event: E) => AuthConfig | PromiseLike<AuthConfig>))

/** Returns the configuration and the server for a request. */
export function createAuthFor<E extends object>(
  config: ConfigFor<E>,
  framework: Framework<E>,
  modules?: readonly Module[],
): (event: E | undefined) => Promise<Auth> {
  const withModules: (own: AuthConfig) => AuthConfig =
    framework.returnsModules === true ? (own) => own : addModules(config, modules)
  const prepared = new WeakMap<AuthConfig, AuthConfig>()
  const servers = new WeakMap<AuthConfig, Server<unknown>>()
  return async (event) => {
    const own = typeof config === "function" ? await configAt(framework, event, config) : config
    const given = prepared.get(own) ?? prepare(withModules(own), framework)
    prepared.set(own, given)
    // The same configuration and environment give the same object.
    const full = withEnv(given, framework.env?.(event) ?? processEnv(), { basePath: framework.basePath })
    const server = servers.get(full) ?? createServer(full, { forwardsForms: framework.forwardsForms ?? true })
    servers.set(full, server)
    return { config: full, server }
  }
}

/** A function without parameters returns its configuration outside of requests too. */
async function configAt<E extends object>(
  framework: Framework<E>,
  event: E | undefined,
  find: ((event: E) => AuthConfig | PromiseLike<AuthConfig>) & { readonly length: number },
): Promise<AuthConfig> {
  if (event !== undefined) return logged(framework, event, find)
  if (find.length === 0) return (find as () => AuthConfig | PromiseLike<AuthConfig>)()
  throw new AuthError(
    "The configuration is a function of the request, so this call needs one. Pass it as the last argument, or use a function without parameters",
  )
}

async function logged<E extends object>(
  framework: Framework<E>,
  event: E,
  find: (event: E) => AuthConfig | PromiseLike<AuthConfig>,
): Promise<AuthConfig> {
  try {
    return await find(event)
  } catch (cause) {
    loggerOf({}).forRequest(framework.read(event)).error(toAuthError(cause))
    throw cause
  }
}

/** What the framework changes about every configuration of an application. */
function prepare<E extends object>(
  own: AuthConfig,
  { acceptsForms, hasFixedPath, basePath }: Framework<E>,
): AuthConfig {
  const config = hasFixedPath === true ? { ...own, basePath: own.basePath ?? basePath } : own
  return acceptsForms === true ? acceptForms(config) : config
}

function acceptForms(config: AuthConfig): AuthConfig {
  if (rulesOf(config).csrfTokens) return config
  return { ...config, skipCSRFCheck, [checksSender]: true } as AuthConfig
}

/** The user's browser, with the cookies that it will have after this request. */
export function visitorOf<E extends object>(
  { framework, cookies }: RequestState<E>,
  event: E,
  { url, ...visitor }: FrameworkRequest = framework.read(event),
): Visitor {
  const { headers, cookie: now } = visitor
  const cookie = cookies.size === 0 ? now : mergeCookies(now ?? headers.get("cookie"), [...cookies.values()])
  return { ...visitor, cookie, origin: url.origin }
}

export function keep<E extends object>(state: RequestState<E>, event: E, cookies: readonly SetCookie[]): void {
  if (cookies.length === 0) return
  for (const cookie of cookies) state.cookies.set(cookie.name, cookie)
  if (!isSent(state, event)) state.framework.setCookies?.(event, cookies)
}

/** A session that ended or changed must not come back through an earlier read that renews it. */
export function markChanged<E extends object>(state: RequestState<E>): void {
  state.changes++
  delete state.view
  // A token belongs to the user who was signed in.
  delete state.csrfToken
}

export function isSent<E extends object>({ framework, isFinished }: RequestState<E>, event: E): boolean {
  return isFinished || framework.isSent?.(event) === true
}

/** @throws AuthError if no cookie can be set anymore */
export function requireUnsent<E extends object>(state: RequestState<E>, event: E): void {
  if (!isSent(state, event)) return
  const advice = state.isFinished ? undefined : state.framework.sentMessage
  throw new AuthError(advice ?? "No cookie can be set anymore, because the headers of the response have been sent")
}
