import { isAuthAction } from "@latchkey/core/env"
import type { Session } from "@latchkey/core/types"
import { type NextRequest, NextResponse } from "next/server.js"
import type { Instance } from "./instance.js"
import { isRenewed, withRenewedSession } from "./renewal.js"
import type { NextAuthRequest } from "./result.js"
import { isSamePath, isSignInPage, ownUrl, publicUrl, signInUrl } from "./urls.js"

/** The function that `auth` wraps. */
export type WrappedHandler = (request: NextAuthRequest<unknown>, context: unknown) => unknown

/** Runs `auth` as a proxy or middleware, or around `handler`: `authorized` first, then the handler, then the cookies. */
export async function protect<S>(
  instance: Instance<S>,
  request: NextRequest,
  handler?: WrappedHandler,
  context?: unknown,
): Promise<Response> {
  if (handler === undefined) warnIfUnprotected(instance)
  const { session, cookies } = await instance.reader.session(
    { headers: request.headers, origin: publicUrl(instance, request).origin },
    { readOnly: isRenewed(request.headers) },
  )
  const decision = await authorize(instance, request, session)
  if (decision.kind === "respond") return withRenewedSession(request, decision.response, cookies)
  const response = await handler?.(Object.assign(request, { auth: session }), context)
  return withRenewedSession(request, response instanceof Response ? response : NextResponse.next(), cookies)
}

const warned = new WeakSet<object>()

/** `export { auth as proxy }` looks like it protects every page. */
function warnIfUnprotected<S>(instance: Instance<S>): void {
  if (!instance.isDevelopment || instance.authorized !== undefined || warned.has(instance)) return
  warned.add(instance)
  const warn = instance.logger?.warn?.bind(instance.logger) ?? console.warn
  warn(
    "nothing-protected",
    "`auth` is the proxy or middleware, but every request passes because there is no `authorized` callback. Add one to the configuration.",
  )
}

type Decision = { readonly kind: "continue" } | { readonly kind: "respond"; readonly response: Response }

const proceed: Decision = { kind: "continue" }

async function authorize<S>(instance: Instance<S>, request: NextRequest, session: S | null): Promise<Decision> {
  const { authorized } = instance
  if (authorized === undefined) return proceed
  // `authorized` is typed with the augmented `Session`; `S` is what the `session` callback really returns.
  const result: unknown = await authorized({ request, auth: session as Session | null })
  if (isResponse(result)) return respondWith(instance, request, result)
  return result === true || isPublic(instance, request) ? proceed : redirectToSignIn(instance, request)
}

/** Also true for a `Response` from another realm, such as that of a test environment. */
function isResponse(value: unknown): value is Response {
  return (
    value instanceof Response ||
    (value !== null && typeof value === "object" && "status" in value && "headers" in value)
  )
}

/** Sends the response of `authorized`, unless it redirects the page to itself, which would loop. */
function respondWith<S>(instance: Instance<S>, request: NextRequest, response: Response): Decision {
  const location = response.headers.get("location")
  const current = publicUrl(instance, request)
  if (location === null || !URL.canParse(location, current.href)) return { kind: "respond", response }
  const target = new URL(location, current)
  const isOwnOrigin = target.origin === current.origin || target.origin === request.nextUrl.origin
  if (isOwnOrigin && isSamePath(target, current)) {
    if (isSignInPage(instance, request)) return proceed
    if (target.search === current.search) return redirectToSignIn(instance, request)
  }
  if (URL.canParse(location)) return { kind: "respond", response }
  return { kind: "respond", response: withAbsoluteLocation(response, ownUrl(instance, request)) }
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
  const { pathname } = publicUrl(instance, request)
  if (!pathname.startsWith(`${instance.basePath}/`)) return false
  const [action = ""] = pathname.slice(instance.basePath.length + 1).split("/")
  return isAuthAction(action)
}

function redirectToSignIn<S>(instance: Instance<S>, request: NextRequest): Decision {
  const target = signInUrl(instance, request)
  target.searchParams.set("callbackUrl", publicUrl(instance, request).href)
  // A form POST becomes a GET at the sign-in page (303), so the body isn't resent.
  const status = request.method === "GET" || request.method === "HEAD" ? 307 : 303
  return { kind: "respond", response: NextResponse.redirect(target, status) }
}
