import { isAuthAction } from "@latchkey/core/env"
import type { Session } from "@latchkey/core/types"
import { type NextRequest, NextResponse } from "next/server.js"
import type { Site } from "./site.js"

/** What is to become of a request: it goes on, or this is the answer. */
export type Decision = { readonly kind: "pass" } | { readonly kind: "answer"; readonly response: Response }

const pass: Decision = { kind: "pass" }

/**
 * Asks `authorized` (spec/next.md §5). Only `true` lets a request pass: everything that is neither that nor an answer
 * leads to the sign-in page. What the callback throws is for Next.js to show: nothing of the page has been rendered.
 */
export async function decide<S>(site: Site<S>, request: NextRequest, session: S | null): Promise<Decision> {
  const { authorized } = site
  if (authorized === undefined) return pass
  // The configuration's own type of session: `S` is what its callback returns.
  const answer: unknown = await authorized({ request, auth: session as Session | null })
  if (isResponse(answer)) return answered(site, request, answer)
  return answer === true || isOpen(site, request) ? pass : toSignIn(site, request)
}

/** Responses of another realm, such as those of a test, are responses too. */
function isResponse(value: unknown): value is Response {
  return (
    value instanceof Response ||
    (value !== null && typeof value === "object" && "status" in value && "headers" in value)
  )
}

/** A redirect to the page that it was asked for would go round for ever. */
function answered<S>(site: Site<S>, request: NextRequest, response: Response): Decision {
  const location = response.headers.get("location")
  const here = shownUrl(site, request)
  if (location === null || !URL.canParse(location, here.href)) return { kind: "answer", response }
  const target = new URL(location, here)
  const isOurs = target.origin === here.origin || target.origin === request.nextUrl.origin
  if (isOurs && samePath(target, here)) {
    if (isSignInPage(site, request)) return pass
    if (target.search === here.search) return toSignIn(site, request)
  }
  return { kind: "answer", response: URL.canParse(location) ? response : absolute(response, ownUrl(site, request)) }
}

/** Next.js reads the address that a middleware redirects to without a base. */
function absolute({ body, status, statusText, headers: given }: Response, base: URL): Response {
  const headers = new Headers(given)
  headers.set("location", new URL(given.get("location") ?? "", base).href)
  return new Response(body, { status, statusText, headers })
}

/** The sign-in page, and the routes of the engine that signing in goes through. */
function isOpen<S>(site: Site<S>, request: NextRequest): boolean {
  if (isSignInPage(site, request)) return true
  const { pathname } = shownUrl(site, request)
  if (!pathname.startsWith(`${site.basePath}/`)) return false
  const [action = ""] = pathname.slice(site.basePath.length + 1).split("/")
  return isAuthAction(action)
}

function isSignInPage<S>(site: Site<S>, request: NextRequest): boolean {
  const page = signInUrl(site, request)
  return page.origin === ownUrl(site, request).origin && samePath(page, shownUrl(site, request))
}

function samePath(one: URL, other: URL): boolean {
  return trimmed(one.pathname) === trimmed(other.pathname)
}

function trimmed(path: string): string {
  return path.length > 1 && path.endsWith("/") ? path.slice(0, -1) : path
}

/** The address as the browser sees it: Next.js knows only its own, unless `AUTH_URL` or the headers say more. */
export function shownUrl<S>(site: Site<S>, request: NextRequest): URL {
  const own = ownUrl(site, request)
  return site.origin === undefined ? moved(own, forwardedOrigin(request.headers, own)) : own
}

/** Of addresses on this host Next.js tells the browser the path only: no header can lead it elsewhere. */
function ownUrl<S>({ origin }: Site<S>, { nextUrl }: NextRequest): URL {
  return moved(new URL(nextUrl.href), origin)
}

/** Not `new URL(path, origin)`: a path may begin with two slashes. */
function moved(url: URL, origin: string | undefined): URL {
  if (origin === undefined) return url
  const { protocol, hostname, port } = new URL(origin)
  return Object.assign(new URL(url), { protocol, hostname, port })
}

/** Whether it is to be believed is decided by the engine, which sends nobody to another origin than its own. */
function forwardedOrigin(headers: Headers, own: URL): string | undefined {
  const host = firstOf(headers.get("x-forwarded-host")) ?? headers.get("host")
  const origin = `${firstOf(headers.get("x-forwarded-proto")) ?? own.protocol.slice(0, -1)}://${host}`
  return /^https?:/.test(origin) && host !== null && URL.canParse(origin) ? origin : undefined
}

/** Each proxy appends itself. */
function firstOf(header: string | null): string | undefined {
  const first = header?.split(",", 1)[0]?.trim()
  return first === "" ? undefined : first
}

/** A page of the application has a locale, which Next.js puts in behind its `basePath`; the built-in one has none. */
function signInUrl<S>(site: Site<S>, request: NextRequest): URL {
  const { origin } = ownUrl(site, request)
  const { signInPage } = site
  if (!signInPage.startsWith("/") || signInPage.startsWith(`${site.basePath}/`)) return new URL(signInPage, origin)
  const page = request.nextUrl.clone()
  const asked = new URL(signInPage, origin)
  page.pathname = asked.pathname.slice(site.nextBasePath.length)
  page.search = asked.search
  return new URL(new URL(page.href).pathname + asked.search, origin)
}

/** Whoever sends a form is sent on without it. */
function toSignIn<S>(site: Site<S>, request: NextRequest): Decision {
  const target = signInUrl(site, request)
  target.searchParams.set("callbackUrl", shownUrl(site, request).href)
  const isRead = request.method === "GET" || request.method === "HEAD"
  return { kind: "answer", response: NextResponse.redirect(target, isRead ? 307 : 303) }
}
