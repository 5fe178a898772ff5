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
  if (location === null || !URL.canParse(location, here)) return { kind: "answer", response }
  const target = new URL(location, here)
  if (target.origin !== here.origin && target.origin !== request.nextUrl.origin) return { kind: "answer", response }
  if (samePath(target, here) && isSignInPage(site, request)) return pass
  return target.href === here.href ? toSignIn(site, request) : { kind: "answer", response }
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
  return samePath(signInUrl(site, request), shownUrl(site, request))
}

function samePath(one: URL, other: URL): boolean {
  return trimmed(one.pathname) === trimmed(other.pathname)
}

function trimmed(path: string): string {
  return path.length > 1 && path.endsWith("/") ? path.slice(0, -1) : path
}

/** The address as the browser sees it: `AUTH_URL` wins over the host of the request. */
export function shownUrl<S>({ origin }: Site<S>, { nextUrl }: NextRequest): URL {
  const shown = new URL(nextUrl.href)
  return origin === undefined ? shown : new URL(shown.pathname + shown.search, origin)
}

/** A page of the application lies below the `basePath` and the locale of Next.js; the built-in one has its full path. */
function signInUrl<S>(site: Site<S>, request: NextRequest): URL {
  const { origin } = shownUrl(site, request)
  const { signInPage } = site
  if (!signInPage.startsWith("/") || signInPage.startsWith(`${site.basePath}/`)) return new URL(signInPage, origin)
  const page = request.nextUrl.clone()
  const asked = new URL(signInPage, origin)
  page.pathname = asked.pathname
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
