import { type AnyConfig, checkOptionsLater, compileChecked } from "../config/compile.js"
import { AuthError, UnknownAction, UntrustedHost } from "../errors.js"
import { rememberAttempt } from "../http/attempt.js"
import { nothing, parseRoute, segmentsOf, toAuthRequest, wantsFlow } from "../http/auth-request.js"
import { UnreadableBody, readBody } from "../http/body.js"
import { failureMessage } from "../http/failure-message.js"
import { misconfigured } from "../http/misconfigured.js"
import { rememberAfterFailure } from "../http/redirect.js"
import { plainAnswer, refusePage } from "../http/refusal.js"
import { failure, json, respond, toInternal, toResponse } from "../http/respond.js"
import { maxQuery, maxQueryParams } from "../limits/of-input.js"
import type { AuthContext } from "../model/auth.js"
import type { SetCookie } from "../model/cookie.js"
import type {
  AuthRequest,
  AuthResult,
  PlainRequest,
  PlainResponse,
  ResponseInternal,
  RoutePath,
  Visitor,
} from "../model/http.js"
import type { raw } from "../model/symbols.js"
import { hasSeam, seamOf } from "../module/seam-of.js"
import type { Module } from "../module-kit/model.js"
import { giveId, isServerFault, logFailure, remember } from "../observability/error-reports.js"
import { forRequest } from "../observability/in-flight.js"
import { type Awaitable, isPromise, once } from "../primitives/awaitable.js"
import { features } from "./features.js"
import { type Route, checked, findRoute, takesProvider } from "./routes.js"

/** A configuration that asks for data instead of a `Response`. */
export type RawConfig = AnyConfig & { readonly raw: typeof raw }

/**
 * Answers one request to the routes below `basePath`.
 *
 * @example
 * ```ts
 * import { Auth } from "@latchkey/core"
 * import credentials from "@latchkey/core/providers/credentials"
 *
 * const config = {
 *   secret: "k0Wc5v2uYl1u8mQ7o3nT9xZ4hB6sD1fG",
 *   trustHost: true,
 *   providers: [credentials({ credentials: { name: {} }, authorize: ({ name }) => ({ id: String(name) }) })],
 * }
 * const response: Response = await Auth(new Request("https://app.example/auth/session"), config)
 * ```
 *
 * Never throws. A visitor can't cause a status of 500 or above. Problems of the configuration are logged and answered
 * with the error page, or with status 500. With `raw` the result is data, and `AuthError`s are thrown.
 */
export function Auth(request: Request, config: RawConfig): Promise<ResponseInternal>
export function Auth(request: Request, config: AnyConfig): Promise<Response>
export async function Auth(request: Request, config: AnyConfig): Promise<Response | ResponseInternal> {
  let auth: AuthContext
  try {
    const compiled = compileChecked(features, config)
    auth = isPromise(compiled) ? await compiled : compiled
  } catch (cause) {
    return toResponse(await misconfigured(request, config, cause, features.pages))
  }
  const answered = await answer(auth, request)
  return isPlain(answered) ? toResponse(answered) : answered
}

/** `raw` asks for other data. */
export function isPlain(answered: PlainResponse | ResponseInternal): answered is PlainResponse {
  const { headers } = answered
  return headers !== undefined && !(headers instanceof Headers)
}

/** The same for a configuration that is compiled already. */
export async function answer(
  compiled: AuthContext,
  request: PlainRequest,
  client: Pick<Visitor, "address" | "isAddressForgeable"> = {},
): Promise<PlainResponse | ResponseInternal> {
  // Read once: secrets are kept out of the log by this object, and a class of another runtime may make one for each access.
  const { headers } = request
  const auth = forRequest(compiled, { headers })
  try {
    const url = new URL(request.url)
    const found = find(auth, request, url)
    const match = isPromise(found) ? await found : found
    if ("status" in match) return refusePage(auth, { ...seen(request), reason: unknownProvider(auth, url) }, match)
    const { method, path, route } = match
    const body = method === "GET" || method === "HEAD" ? nothing : await readBody(request)
    const visitor = { headers, origin: url.origin, ...client }
    const authRequest = toAuthRequest(auth, visitor, {
      url,
      method,
      route: path,
      body,
      clientSignal: () => request.signal,
      wantsFlow: !auth.isRaw && wantsFlow(headers),
    })
    if (authRequest.omitsCookies === true) return await tooManyCookies(auth, authRequest)
    return await toAnswer(auth, authRequest, { route, result: await run(auth, authRequest, route) })
  } catch (cause) {
    return refusePage(auth, seen(request), await refuse(auth, request, cause))
  } finally {
    checkOptionsLater(auth)
  }
}

interface Ran {
  readonly route: Route
  readonly result: AuthResult
}

function toAnswer(
  auth: AuthContext,
  request: AuthRequest,
  { route, result }: Ran,
): Awaitable<PlainResponse | ResponseInternal> {
  if (result.kind === "failure") report(auth, request, result.error)
  if (auth.isRaw) return rawAnswer(auth, request, result)
  if (route.isSignIn !== true) return respond(auth, request, result)
  return withAttempt(auth, request, result).then((remembered) => respond(auth, request, remembered))
}

/** Never throws: without the cookie, the next page just shows an empty form. */
async function withAttempt(auth: AuthContext, request: AuthRequest, result: AuthResult): Promise<AuthResult> {
  try {
    const cookies = await rememberAttempt(auth, request, result)
    return cookies.length === 0 ? result : { ...result, cookies: [...result.cookies, ...cookies] }
  } catch {
    return result
  }
}

/** Logs an error. If the site may be at fault, the page shows an ID that is also in the log. */
export function report(auth: AuthContext, request: AuthRequest, error: AuthError): void {
  if (isServerFault(error)) giveId(error, auth.runtime.random)
  logFailure(auth, error, request)
  remember(auth, request, error)
}

interface RouteMatch {
  readonly method: AuthRequest["method"]
  readonly path: RoutePath
  readonly route: Route
}

/** The route of a request, or its refusal. */
function find(auth: AuthContext, request: PlainRequest, url: URL): Awaitable<RouteMatch | PlainResponse> {
  const refused = refusedEarly(request, url)
  if (refused !== undefined) return refused
  const own = () => locate(auth, request, url)
  return hasSeam(auth) ? moduleRoute(auth, request, url).then((match) => match ?? own()) : own()
}

/** The route of a request, or the refusal of a path or method that has none. */
function locate(auth: AuthContext, { method }: PlainRequest, { pathname }: URL): RouteMatch | PlainResponse {
  const path = parseRoute(auth.basePath, pathname)
  if (path === undefined) return plainAnswer(404)
  if (method === "OPTIONS") return plainAnswer(204)
  if (method !== "GET" && method !== "POST" && method !== "HEAD") return plainAnswer(405, ["GET", "POST"])
  const route = findRoute(auth, method, path)
  if (route === undefined) return plainAnswer(404)
  if ("allowed" in route) return plainAnswer(405, route.allowed)
  // HEAD must not consume the code: link scanners send HEAD first.
  if (method === "HEAD" && path.action === "callback") return plainAnswer(200)
  return { method, path, route }
}

/** The route of a module, or the refusal of a path or method that it has none for. `undefined`: the path is no module's. */
async function moduleRoute(
  auth: AuthContext,
  request: PlainRequest,
  url: URL,
): Promise<RouteMatch | PlainResponse | undefined> {
  const segments = segmentsOf(auth.basePath, url.pathname)
  const module = auth.modules.find(({ id, paths = [] }) => [id, ...paths].includes(segments?.[0] ?? ""))
  if (segments === undefined || module === undefined) return undefined
  const { method } = request
  if (!isMethod(method)) return plainAnswer(405)
  const { findModuleRoute, handleModuleRoute, needsToken } = await seamOf(auth)
  const found = await findModuleRoute(auth, module, method, segments)
  if (method === "OPTIONS" && (found === undefined || "allowed" in found)) return plainAnswer(204)
  if (found === undefined) return plainAnswer(404)
  if ("allowed" in found) return plainAnswer(405, found.allowed)
  const handle = (context: AuthContext, asked: AuthRequest) => handleModuleRoute(context, asked, found)
  const route = { handle: needsToken(found) ? checked(handle) : handle }
  return { method, path: { action: module.id, providerId: undefined }, route }
}

const methods: ReadonlySet<string> = new Set(["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"])

function isMethod(method: string): method is AuthRequest["method"] {
  return methods.has(method)
}

function refusedEarly({ headers }: PlainRequest, url: URL): PlainResponse | undefined {
  if (isOverlong(url)) return plainAnswer(400)
  return isSubresource(headers) ? plainAnswer(403) : undefined
}

/** Images and scripts of another site would use up the attempts that are counted by the address of its visitor. */
function isSubresource(headers: Headers): boolean {
  return headers.get("sec-fetch-site") === "cross-site" && headers.get("sec-fetch-mode") === "no-cors"
}

/** Tells the developer of a sign-in page. The route `providers` lists the ids too. */
function unknownProvider({ basePath, features, providers }: AuthContext, { pathname }: URL): string | undefined {
  const { action = "", providerId } = parseRoute(basePath, pathname) ?? {}
  if (!takesProvider(features, action)) return undefined
  if (providerId === undefined || providers.has(providerId)) return undefined
  return `There is no provider with this id. The ids are ${[...providers.keys()].join(", ")}`
}

function isOverlong({ search, searchParams }: URL): boolean {
  return search.length > maxQuery || (search !== "" && searchParams.size > maxQueryParams)
}

/** No session is read, but a script that asks for one gets the JSON that it expects. */
async function tooManyCookies(auth: AuthContext, request: AuthRequest): Promise<PlainResponse> {
  return request.action === "session"
    ? respond(auth, request, json(null, [], 431))
    : refusePage(auth, request, plainAnswer(431))
}

function rawAnswer(auth: AuthContext, request: AuthRequest, result: AuthResult): ResponseInternal {
  if (result.kind === "failure" && !request.headers.has("x-auth-return-redirect")) throw result.error
  return toInternal(auth, request, result)
}

/** Runs a request that the application makes itself, such as `signIn()` on the server. */
export async function handle(auth: AuthContext, request: AuthRequest): Promise<AuthResult> {
  const route = findRoute(auth, request.method, request)
  if (route === undefined || "allowed" in route) throw new UnknownAction("There is no such action")
  return run(auth, request, route)
}

/** Modules run around it, and can't change the result. The provider of a route that was found is configured. */
async function run(auth: AuthContext, request: AuthRequest, route: Route): Promise<AuthResult> {
  if (!auth.modules.some((module) => module.around)) return perform(auth, request, route)
  const running = { method: request.method, action: request.action, providerId: request.providerId }
  const result = once(() => perform(auth, request, route))
  const inmost = async () => {
    const ended: { readonly kind: string; readonly error?: AuthError } = await result()
    return ended.error
  }
  const nest =
    (inner: typeof inmost, { around }: Module) =>
    async () => {
      try {
        await (around ? around(running, inner) : inner())
      } catch {
        // A module that traces must not break what it traces.
      }
      return inmost()
    }
  await auth.modules.reduce(nest, inmost)()
  return result()
}

/** The one place where a thrown error becomes a result. */
async function perform(auth: AuthContext, request: AuthRequest, route: Route): Promise<AuthResult> {
  let consumed: readonly SetCookie[] = []
  try {
    if (route.consumedCookies !== undefined) consumed = await route.consumedCookies(auth, request)
    const result = await route.handle(auth, request)
    return consumed.length === 0 ? result : { ...result, cookies: [...consumed, ...result.cookies] }
  } catch (cause) {
    const error = cause instanceof Error ? cause : new Error(String(cause))
    // A sign-in that fails before it reaches a provider is a failed sign-in too (OWASP ASVS 16.3.1).
    if (route.isSignIn === true) await auth.events.signInFailure(failureMessage(auth, error, request))
    await auth.audit?.failed(error, request)
    const remembered = route.isSignIn === true ? await rememberAfterFailure(auth, request) : []
    return failure(error instanceof AuthError ? error : new AuthError(error), [...consumed, ...remembered])
  }
}

/** Errors from before or after a route ran: no page can be relied on to show them. */
async function refuse(auth: AuthContext, request: PlainRequest, cause: unknown): Promise<PlainResponse> {
  if (cause instanceof UnreadableBody) return plainAnswer(cause.status)
  if (auth.isRaw && cause instanceof AuthError) throw cause
  if (cause instanceof UntrustedHost) {
    giveId(cause, auth.runtime.random)
    auth.logger.error(cause)
    // With a list of trusted hosts a foreign host is a bad request. Without any trust it's a misconfiguration.
    return auth.trustHost === false
      ? misconfigured(request, configOf(auth), cause, auth.features.pages)
      : plainAnswer(400)
  }
  auth.logger.error(cause instanceof Error ? cause : new AuthError(String(cause)))
  return plainAnswer(500)
}

function seen({ method, headers, url }: PlainRequest): Parameters<typeof refusePage>[1] {
  return { method, headers, origin: new URL(url).origin }
}

/** What the page about a misconfiguration needs. */
function configOf({ pages, logger, development, secrets }: AuthContext): Parameters<typeof misconfigured>[1] {
  return { pages, logger, secret: secrets, ...(development && { environment: "development" }) }
}
