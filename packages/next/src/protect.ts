import { isOutage, unavailable } from "@latchkey/core/session-reader"
import type { Session } from "@latchkey/core/types"
import { NextRequest, NextResponse } from "next/server.js"
import type { Instance } from "./instance.js"
import { mustNotRenew, withRenewedSession } from "./renewal.js"
import { isSamePath, isSignInPage, ownUrl, signInUrl, withOrigin } from "./urls.js"
import { warnOnce } from "./warn.js"
import type { WrappedHandler } from "./wrapped-handler.js"

/** Runs `auth` as a proxy or middleware, or around `handler`: `authorized` first, then the handler, then the cookies. */
export async function protect<S>(
  instance: Instance<S>,
  request: NextRequest,
  handler?: WrappedHandler,
  context?: unknown,
): Promise<Response> {
  if (handler === undefined && instance.authorized === undefined) {
    warnInDevelopment(
      instance,
      "nothing-protected",
      "`auth` is the proxy or middleware, but every request passes because there is no `authorized` callback. Add one to the configuration.",
    )
  }
  const own = ownUrl(instance, request)
  const { session, cookies, isStale, error, origin } = await instance.reader.session(
    { headers: request.headers, origin: own.origin },
    { readOnly: mustNotRenew(request) },
  )
  if (isStale === true && needsCheck(instance, request, handler, context)) return redirectToCheck(instance, request)
  const given = withEnvOrigin(request, own)
  const visit = { instance, request, url: withOrigin(own, origin), isUnknown: isOutage(error) }
  const decision = await authorize(visit, given, session)
  const rejection = rejectionOf(visit, decision, handler === undefined ? "none" : kindOf(context))
  if (rejection !== undefined) return withRenewedSession(request, rejection, cookies)
  const response = await handler?.(Object.assign(given, { auth: session }), context)
  return withRenewedSession(request, isResponse(response) ? response : NextResponse.next(), cookies)
}

/** A request, and what reading the session has shown. */
interface Visit<S> {
  readonly instance: Instance<S>
  readonly request: NextRequest
  /** The URL as the browser sees it. Its origin isn't taken from a host that the configuration doesn't trust. */
  readonly url: URL
  /** Whether the database failed, so the visitor may be signed in. */
  readonly isUnknown: boolean
}

/**
 * Whether to send the browser to a server with the adapter, because the proxy can't tell whether the session was revoked. Not if
 * nothing depends on it, and not with a form, which a redirect would send there.
 */
function needsCheck<S>(
  instance: Instance<S>,
  request: NextRequest,
  handler: WrappedHandler | undefined,
  context: unknown,
): boolean {
  const isAsked = handler === undefined ? instance.authorized !== undefined : kindOf(context) !== "route"
  return isAsked && request.method === "GET" && !isPublic(instance, request)
}

/** The route reads the session with the adapter, writes the time of the check into the cookie, and sends the browser back. */
function redirectToCheck<S>(instance: Instance<S>, request: NextRequest): Response {
  const { origin, pathname, search } = ownUrl(instance, request)
  const target = new URL(`${instance.basePath}/session`, origin)
  target.searchParams.set("returnTo", pathname + search)
  return NextResponse.redirect(target, 307)
}

function warnInDevelopment<S>(instance: Instance<S>, code: string, message: string): void {
  if (instance.isDevelopment) warnOnce(instance, code, message)
}

/**
 * The request for the callbacks and the wrapped function, with the origin of `AUTH_URL`. They can use its URL to build a
 * redirect behind a proxy.
 */
function withEnvOrigin(request: NextRequest, { href, origin }: URL): NextRequest {
  return origin === request.nextUrl.origin ? request : new NextRequest(href, request)
}

/** What `authorized` says. */
type Decision = { readonly kind: "continue" | "reject" } | { readonly kind: "respond"; readonly response: Response }

async function authorize<S>(visit: Visit<S>, given: NextRequest, session: S | null): Promise<Decision> {
  const { instance, request } = visit
  const { authorized } = instance
  if (authorized === undefined) return { kind: "continue" }
  // `authorized` is typed with the augmented `Session`; `S` is what the `session` callback really returns.
  const result: unknown = await authorized({ request: given, auth: session as Session | null })
  if (isResponse(result)) return respondWith(visit, result)
  return { kind: result || isPublic(instance, request) ? "continue" : "reject" }
}

type HandlerKind = "none" | "middleware" | "route"

/** Next.js calls a Route Handler with `{ params }`. A middleware or Edge API Route gets an event. */
function kindOf(context: unknown): HandlerKind {
  return typeof context === "object" && context !== null && "params" in context ? "route" : "middleware"
}

/** The response to send instead of calling the wrapped function, or instead of continuing. */
function rejectionOf<S>(visit: Visit<S>, decision: Decision, handler: HandlerKind): Response | undefined {
  const { instance, isUnknown } = visit
  if (decision.kind === "respond") return decision.response
  // A client of an API can't use a sign-in page, so a Route Handler decides itself.
  if (decision.kind === "continue" || handler === "route") return undefined
  // A user who is signed in couldn't sign in again while the database is down.
  if (handler === "none" || instance.isStrict) return isUnknown ? unavailable() : redirectToSignIn(visit)
  warnInDevelopment(
    instance,
    "authorized-ignored",
    '`authorized` rejected a request, but the function that `auth` wraps still runs, as in next-auth 5. Check `request.auth` in the function, or set `security: "strict"` to skip it.',
  )
  return undefined
}

/** Also true for a `Response` from another realm, such as that of a test environment. */
function isResponse(value: unknown): value is Response {
  return (
    value instanceof Response ||
    (value !== null && typeof value === "object" && "status" in value && "headers" in value)
  )
}

/** Sends the response of `authorized`, unless it redirects the page to itself, which would loop. */
function respondWith<S>({ instance, request, url: current }: Visit<S>, response: Response): Decision {
  const location = response.headers.get("location")
  if (location === null || !URL.canParse(location, current.href)) return { kind: "respond", response }
  const target = new URL(location, current)
  const isOwnOrigin = target.origin === current.origin || target.origin === request.nextUrl.origin
  if (isOwnOrigin && loops(request, response, target, current)) {
    return { kind: isSignInPage(instance, request) ? "continue" : "reject" }
  }
  if (URL.canParse(location)) return { kind: "respond", response }
  return { kind: "respond", response: withAbsoluteLocation(response, ownUrl(instance, request)) }
}

/** A redirect of a page to itself doesn't loop if it sets a cookie, or if a form POST becomes a GET (303). */
function loops({ method }: NextRequest, { status, headers }: Response, target: URL, current: URL): boolean {
  const repeats = method === "GET" || method === "HEAD" || status === 307 || status === 308
  return repeats && !headers.has("set-cookie") && isSamePath(target, current) && target.search === current.search
}

/** Next.js parses the `Location` of a middleware response without a base URL. */
function withAbsoluteLocation({ body, status, statusText, headers: given }: Response, base: URL): Response {
  const headers = new Headers(given)
  headers.set("location", new URL(given.get("location") ?? "", base).href)
  return new Response(body, { status, statusText, headers })
}

/** The sign-in page and the auth routes must stay reachable for visitors who aren't signed in. */
function isPublic<S>(instance: Instance<S>, request: NextRequest): boolean {
  if (isSignInPage(instance, request)) return true
  return instance.isAuthRoute(ownUrl(instance, request).pathname)
}

function redirectToSignIn<S>({ instance, request, url }: Visit<S>): Response {
  const target = signInUrl(instance, request)
  // Some applications pass parameters to their sign-in page this way. Strict mode drops them, since they may be secrets.
  const kept = instance.isStrict
    ? []
    : [...request.nextUrl.searchParams].filter(([name]) => !target.searchParams.has(name))
  for (const [name, value] of kept) target.searchParams.append(name, value)
  target.searchParams.set("callbackUrl", url.href)
  // A form POST becomes a GET at the sign-in page (303), so the body isn't resent.
  const status = request.method === "GET" || request.method === "HEAD" ? 307 : 303
  return NextResponse.redirect(target, status)
}
