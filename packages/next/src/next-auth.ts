import type { JWT, Session } from "@latchkey/core/types"
import type { GetServerSidePropsContext, NextApiRequest, NextApiResponse } from "next"
import { type NextRequest, NextResponse } from "next/server.js"
import { type ActionOptions, type AuthorizationParams, signIn, signOut, update } from "./actions.js"
import type { ConfigSource } from "./config.js"
import { isRenewed, withSession } from "./forward.js"
import { handle } from "./handlers.js"
import { navigate } from "./navigate.js"
import { pagesSession } from "./node-request.js"
import { decide, shownUrl } from "./protect.js"
import { currentSession } from "./request-session.js"
import type { AuthFunction, NextAuthRequest, NextAuthResult, UpdateFunction } from "./result.js"
import { type Site, siteOf } from "./site.js"

type Wrapped = (request: NextAuthRequest<unknown>, context: unknown) => unknown

/**
 * Sign-in for Next.js. Nothing happens before the first request: no variable is read, and nothing is checked.
 *
 * @example
 * ```ts
 * import NextAuth from "@latchkey/next"
 * import Credentials from "@latchkey/next/providers/credentials"
 *
 * export const { handlers, auth, signIn, signOut } = NextAuth({
 *   providers: [Credentials({ credentials: { name: {} }, authorize: ({ name }) => ({ id: String(name) }) })],
 * })
 * ```
 */
export function NextAuth<T extends JWT = JWT, S = Session>(config: ConfigSource<T, S>): NextAuthResult<S> {
  const find = async (request: NextRequest | undefined): Promise<Site<S>> =>
    siteOf(typeof config === "function" ? await config(request) : config)
  const handler = async (request: NextRequest) => handle(await find(request), request)
  const renew: UpdateFunction<S> = async (data) => update(await find(undefined), data)
  return {
    handlers: { GET: handler, POST: handler },
    auth: authFunction(find),
    requireSession: async ({ redirectTo } = {}) => requireSession(await find(undefined), redirectTo),
    // What Next.js throws to send the browser on is the `never` of the type.
    signIn: (async (provider?: string, options?: ActionOptions, params?: AuthorizationParams) =>
      signIn(await find(undefined), provider, options ?? {}, params ?? "")) as NextAuthResult<S>["signIn"],
    signOut: (async (options?: ActionOptions) =>
      signOut(await find(undefined), options ?? {})) as NextAuthResult<S>["signOut"],
    update: renew,
    unstable_update: renew,
  }
}

type Find<S> = (request: NextRequest | undefined) => Promise<Site<S>>

/** Tells by its arguments where it is called (spec/next.md §4). */
function authFunction<S>(find: Find<S>): AuthFunction<S> {
  const auth = (...[first, second]: readonly unknown[]): unknown => {
    if (first === undefined) return sessionOf(find)
    if (typeof first === "function") {
      return (request: NextRequest, context: unknown) => guard(find, request, first as Wrapped, context)
    }
    if (isRequest(first)) return guard(find, first, undefined, second)
    // The types of the overloads say what is left.
    if (isContext(first)) return pages(find, first.req, first.res)
    return pages(find, first as NextApiRequest, second as NextApiResponse | undefined)
  }
  return auth as AuthFunction<S>
}

async function sessionOf<S>(find: Find<S>): Promise<S | null> {
  return (await currentSession(await find(undefined))).session
}

async function pages<S>(
  find: Find<S>,
  req: NextApiRequest | GetServerSidePropsContext["req"],
  res?: GetServerSidePropsContext["res"],
): Promise<S | null> {
  // A lazy configuration that reads headers finds them in both kinds of request.
  return pagesSession(await find(req as unknown as NextRequest), req, res)
}

/** A request of the web: the middleware's, or one made in a test. */
function isRequest(value: unknown): value is NextRequest {
  return value instanceof Request || (typeof value === "object" && value !== null && "nextUrl" in value)
}

function isContext(value: unknown): value is GetServerSidePropsContext {
  return typeof value === "object" && value !== null && "req" in value && "res" in value
}

/** Middleware, and what is wrapped: `authorized` first, then the function, then the cookies of the session. */
async function guard<S>(
  find: Find<S>,
  request: NextRequest,
  inner: Wrapped | undefined,
  context: unknown,
): Promise<Response> {
  const site = await find(request)
  if (inner === undefined) warnIfOpen(site)
  const origin = shownUrl(site, request).origin
  const { session, cookies } = await site.reader.session(
    { headers: request.headers, origin },
    { readOnly: isRenewed(request.headers) },
  )
  const decision = await decide(site, request, session)
  if (decision.kind === "answer") return withSession(request, decision.response, cookies)
  const answer = await inner?.(Object.assign(request, { auth: session }), context)
  return withSession(request, answer instanceof Response ? answer : NextResponse.next(), cookies)
}

const warned = new WeakSet<object>()

/** `export { auth as middleware }` alone looks like protection, and is none (MW-02). */
function warnIfOpen<S>(site: Site<S>): void {
  if (!site.development || site.authorized !== undefined || warned.has(site)) return
  warned.add(site)
  const log = site.logger?.warn?.bind(site.logger) ?? console.warn
  log(
    "nothing-protected",
    "`auth` is the middleware, but without the callback `authorized` it lets everybody pass: add one",
  )
}

async function requireSession<S>(site: Site<S>, redirectTo: string | undefined): Promise<S> {
  const { session } = await currentSession(site)
  return session ?? navigate(signInTarget(site, redirectTo))
}

/** Next.js puts its `basePath` before a path by itself. */
function signInTarget<S>({ signInPage, nextBasePath }: Site<S>, callbackUrl: string | undefined): string {
  const somewhere = "https://latchkey.invalid"
  const page = new URL(signInPage, somewhere)
  if (callbackUrl !== undefined) page.searchParams.set("callbackUrl", callbackUrl)
  if (page.origin !== somewhere) return page.href
  const path = page.pathname + page.search
  return path.slice(nextBasePath.length)
}
