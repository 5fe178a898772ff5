import { addCookies, headersOf } from "@latchkey/core/node-http"
import {
  isNavigation,
  isOutage,
  preventCaching,
  serializeCookie,
  type SessionView,
  type SetCookie,
  type Visitor,
} from "@latchkey/core/session-reader"
import { cookies, headers } from "next/headers.js"
import type { IncomingMessage, ServerResponse } from "node:http"
import type { Instance } from "./instance.js"
import { mustNotRenew } from "./renewal.js"
import { signInPath } from "./urls.js"

interface CachedRead {
  readonly instance: object
  readonly cookie?: string
  readonly view: Promise<SessionView<unknown>>
}

const reads = new WeakMap<object, CachedRead>()

/**
 * The session in a Server Component, Server Action or Route Handler. One request reads it once, and again if an action
 * changes a cookie. Server Components can't set cookies, so this doesn't renew the session.
 */
export async function currentSession<S>(instance: Instance<S>): Promise<S | null> {
  return sessionIn(currentView(instance))
}

async function currentView(instance: Instance<unknown>): Promise<SessionView<unknown>> {
  const visitor = await currentVisitor()
  const { headers, cookie } = visitor
  const known = reads.get(headers)
  if (known?.instance === instance && known.cookie === cookie) return known.view
  const view = instance.reader.session(visitor, { readOnly: true })
  // Next.js returns the same `headers()` object for the whole request.
  reads.set(headers, { instance, cookie, view })
  return view
}

export async function requireSession<S>(instance: Instance<S>, redirectTo: string | undefined): Promise<S> {
  const { session, error } = await currentView(instance)
  // The user may be signed in, and couldn't sign in anyway.
  if (isOutage(error)) throw error
  // The instance that read the session is the caller's, so its type is `S`.
  if (session !== null) return session as S
  const { inRouteHandler } = await import("#current-route")
  if (!isNavigation(await headers()) && (await inRouteHandler())) throw unauthorized()
  return navigate(signInPath(instance, redirectTo ?? (await currentPath(instance))))
}

/** What `unauthorized()` of Next.js throws. Calling it needs a setting, and answering a Route Handler that throws this doesn't. */
function unauthorized(): Error {
  return Object.assign(new Error("This needs a session."), { digest: "NEXT_HTTP_ERROR_FALLBACK;401" })
}

/** Next.js removes its `basePath` from the URL of the request, and the browser needs it to return. */
async function currentPath<S>({ nextBasePath }: Instance<S>): Promise<string | undefined> {
  const { requestUrl } = await import("#current-route")
  const path = await requestUrl()
  if (path === undefined || path === nextBasePath || path.startsWith(`${nextBasePath}/`)) return path
  return nextBasePath + path
}

/** The session in an API Route or `getServerSideProps`. Sets a renewed session on `res`, once per request. */
export async function pagesSession<S>(
  instance: Instance<S>,
  req: IncomingMessage,
  res: ServerResponse | undefined,
): Promise<S | null> {
  const known = reads.get(req)
  if (known?.instance === instance) return sessionIn(known.view)
  const headers = req.headers instanceof Headers ? req.headers : headersOf(req.headers)
  const readOnly = res === undefined || mustNotRenew({ method: req.method, headers })
  const view = instance.reader.session({ headers, origin: originOf(req, headers) }, { readOnly })
  reads.set(req, { instance, view })
  if (res !== undefined) setPagesCookies(res, (await view).cookies)
  return sessionIn(view)
}

/** Some integrations pass an object with the `headers` of the response that they send later. */
function setPagesCookies(res: ServerResponse | { readonly headers: Headers }, cookies: readonly SetCookie[]): void {
  if (!("headers" in res)) return addCookies(res, cookies)
  if (cookies.length > 0) preventCaching(res.headers)
  for (const cookie of cookies) res.headers.append("set-cookie", serializeCookie(cookie))
}

async function sessionIn<S>(view: Promise<SessionView<unknown>>): Promise<S | null> {
  // The instance that read the session is the caller's, so its type is `S`.
  return (await view).session as S | null
}

/** A request of another server, or one made in a test, may have no socket. */
function originOf({ socket }: Partial<IncomingMessage>, headers: Headers): string | undefined {
  const isEncrypted = socket !== undefined && "encrypted" in socket
  const origin = `${isEncrypted ? "https" : "http"}://${headers.get("host")}`
  return URL.canParse(origin) ? new URL(origin).origin : undefined
}

/** The visitor in a Server Component, Server Action or Route Handler. */
export interface CurrentVisitor extends Visitor {
  /** The cookies now. `headers` still has those the browser sent, even after an action changed one. */
  readonly cookie: string
}

/** @throws outside a request, and during a build to mark a page as dynamic. Next.js needs these errors: don't catch them. */
export async function currentVisitor(): Promise<CurrentVisitor> {
  const given = await headers()
  return { headers: given, cookie: cookiesNow(given.get("cookie") ?? "", await allInJar()) }
}

interface JarCookie {
  readonly name: string
  readonly value: string
}

/** A cookie that an action deleted is in the jar with an empty value. In a test, the jar may lack cookies of the header. */
function cookiesNow(header: string, jar: readonly JarCookie[]): string {
  const names = new Set(jar.map(({ name }) => name))
  const others = header.split(";").filter((pair) => !names.has(nameIn(pair)))
  const present = jar.filter(({ value }) => value !== "")
  return [...present.map(({ name, value }) => `${name}=${encodeURIComponent(value)}`), ...others].join(";")
}

function nameIn(pair: string): string {
  const [name = ""] = pair.split("=", 1)
  return name.trim()
}

/** The jar is only needed for what an action changed, so a test doesn't have to mock it. `headers()` throws outside a request. */
async function allInJar(): Promise<readonly JarCookie[]> {
  try {
    return (await cookieJar())?.getAll() ?? []
  } catch {
    return []
  }
}

/** `undefined` in a test that mocks `headers` alone. A mock of vitest throws when it's asked for anything else. */
export async function cookieJar(): Promise<Awaited<ReturnType<typeof cookies>> | undefined> {
  try {
    if (typeof cookies !== "function") return undefined
  } catch {
    return undefined
  }
  return cookies()
}

/** Redirects by throwing, which ends the render, action or handler. */
export async function navigate(to: string): Promise<never> {
  // A dynamic import, because middleware includes this file and never redirects this way.
  const { redirect } = await import("#redirect")
  return redirect(to)
}
