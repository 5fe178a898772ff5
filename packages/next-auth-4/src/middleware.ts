import { type NextFetchEvent, type NextMiddleware, type NextRequest, NextResponse } from "next/server.js"
import { secretFromEnv } from "./env.js"
import { getToken } from "./jwt.js"
import type { JWT, JWTOptions } from "./jwt-types.js"
import { parseUrl } from "./request.js"
import type { Anything, Awaitable } from "./model.js"
import type { AuthOptions, PagesOptions } from "./types.js"

export interface NextAuthMiddlewareOptions {
  /** The same as in the options of `NextAuth`, without a domain. @default "/api/auth/signin" and "/api/auth/error" */
  pages?: AuthOptions["pages"]
  /** The name of the session cookie, if `NextAuth` has another one. */
  cookies?: { sessionToken?: { name: string } }
  /** The same as in the options of `NextAuth`. */
  jwt?: Partial<Pick<JWTOptions, "decode">>
  callbacks?: {
    /** Decides whether the request may continue. @default a user is signed in */
    authorized?: (params: { token: JWT | null; req: NextRequest }) => Awaitable<boolean>
  }
  /** @default NEXTAUTH_SECRET, else AUTH_SECRET */
  secret?: string
}

type NextMiddlewareResult = ReturnType<NextMiddleware> | void

export interface NextRequestWithAuth extends NextRequest {
  nextauth: { token: JWT | null }
}

export type NextMiddlewareWithAuth = (
  request: NextRequestWithAuth,
  event: NextFetchEvent,
) => NextMiddlewareResult | Promise<NextMiddlewareResult>

export type WithAuthArgs =
  | [NextRequestWithAuth]
  | [NextRequestWithAuth, NextFetchEvent]
  | [NextRequestWithAuth, NextAuthMiddlewareOptions]
  | [NextMiddlewareWithAuth]
  | [NextMiddlewareWithAuth, NextAuthMiddlewareOptions]
  | [NextAuthMiddlewareOptions]
  | []

/**
 * Middleware that sends visitors without a session to the sign-in page. It's middleware itself, or takes options, or wraps a
 * function that runs for users who are signed in.
 *
 * @example
 * ```ts
 * import { withAuth } from "@latchkey/next-auth-4/middleware"
 *
 * export default withAuth({ callbacks: { authorized: ({ token }) => token?.["role"] === "admin" } })
 * export const config = { matcher: ["/admin/:path*"] }
 * ```
 */
export function withAuth(): ReturnType<NextMiddlewareWithAuth>
export function withAuth(req: NextRequestWithAuth): ReturnType<NextMiddlewareWithAuth>
export function withAuth(req: NextRequestWithAuth, event: NextFetchEvent): ReturnType<NextMiddlewareWithAuth>
export function withAuth(
  req: NextRequestWithAuth,
  options: NextAuthMiddlewareOptions,
): ReturnType<NextMiddlewareWithAuth>
export function withAuth(middleware: NextMiddlewareWithAuth, options: NextAuthMiddlewareOptions): NextMiddlewareWithAuth
export function withAuth(middleware: NextMiddlewareWithAuth): NextMiddlewareWithAuth
export function withAuth(options: NextAuthMiddlewareOptions): NextMiddlewareWithAuth
export function withAuth(...[first, second]: readonly Anything[]): Anything {
  if (first instanceof Request) return protect(first as NextRequestWithAuth, second)
  if (typeof first !== "function") return async (req: NextRequestWithAuth) => protect(req, first)
  return async (req: NextRequestWithAuth, event: NextFetchEvent) =>
    protect(req, second, async (token) => {
      req.nextauth = { token }
      return first(req, event)
    })
}

export default withAuth

async function protect(
  req: NextRequestWithAuth,
  options: NextAuthMiddlewareOptions = {},
  next?: (token: JWT | null) => NextMiddlewareResult | Promise<NextMiddlewareResult>,
): Promise<NextMiddlewareResult> {
  const { pages = {}, secret = secretFromEnv() } = options
  if (isPublic(req, pages)) return
  if (!secret) {
    console.error("[next-auth][error][NO_SECRET] Set NEXTAUTH_SECRET, or pass `secret` to withAuth")
    return redirectTo(req, pages.error ?? errorPage, { error: "Configuration" })
  }
  const token = await tokenOf(req, secret, options)
  if (await isAuthorized(req, token, options)) return next?.(token)
  const { pathname, search, basePath } = req.nextUrl
  return redirectTo(req, pages.signIn ?? signInPage, { callbackUrl: `${basePath}${pathname}${search}` })
}

/** A callback without an answer leaves it to the token. */
async function isAuthorized(req: NextRequest, token: JWT | null, { callbacks }: NextAuthMiddlewareOptions) {
  return (await callbacks?.authorized?.({ req, token })) ?? token !== null
}

const signInPage = "/api/auth/signin"
const errorPage = "/api/auth/error"

/** The auth routes, their pages and the files of Next.js stay reachable for visitors who aren't signed in. */
function isPublic(
  { nextUrl }: NextRequest,
  { signIn = signInPage, error = errorPage }: Partial<PagesOptions>,
): boolean {
  const { pathname, basePath } = nextUrl
  // With the slash, so that `/api/authors` isn't an auth route.
  if (`${basePath}${pathname}/`.startsWith(`${parseUrl(process.env["NEXTAUTH_URL"]).basePath}/`)) return true
  return [signIn, error, "/favicon.ico"].includes(pathname) || pathname.startsWith("/_next/")
}

async function tokenOf(
  req: NextRequest,
  secret: string,
  { jwt, cookies }: NextAuthMiddlewareOptions,
): Promise<JWT | null> {
  return getToken({
    req,
    secret,
    ...(jwt?.decode && { decode: jwt.decode }),
    ...(cookies?.sessionToken && { cookieName: cookies.sessionToken.name }),
  })
}

function redirectTo(
  { nextUrl: { basePath, origin } }: NextRequest,
  path: string,
  params: Readonly<Record<string, string>>,
): NextResponse {
  const url = new URL(`${basePath}${path}`, origin)
  for (const [name, value] of Object.entries(params)) url.searchParams.append(name, value)
  return NextResponse.redirect(url)
}
