import { addCookies, headersOf } from "@latchkey/core/node-http"
import {
  isNavigation,
  isOutage,
  preventCaching,
  serializeCookie,
  type SessionView,
  type SetCookie,
} from "@latchkey/core/session-reader"
import { headers } from "next/headers.js"
import type { IncomingMessage, ServerResponse } from "node:http"
import type { Instance } from "./instance.js"
import { mustNotRenew } from "./renewal.js"
import { currentEvent, navigate } from "./request.js"
import type { RequireSessionOptions } from "./result.js"
import { signInPath } from "./urls.js"

interface CachedRead {
  readonly instance: object
  readonly cookie?: string | undefined
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
  const { headers, cookie } = await currentEvent()
  const known = reads.get(headers)
  if (known?.instance === instance && known.cookie === cookie) return known.view
  const view = instance.reader.session({ headers, cookie }, { readOnly: true })
  // Next.js returns the same `headers()` object for the whole request.
  reads.set(headers, { instance, cookie, view })
  return view
}

export async function requireSession<S>(
  instance: Instance<S>,
  { redirectTo, ...asked }: RequireSessionOptions = {},
): Promise<S> {
  const { session, error } = await currentView(instance)
  // The user may be signed in, and couldn't sign in anyway.
  if (isOutage(error)) throw error
  if (asked.maxAge !== undefined || asked.level !== undefined)
    return (await instance.actions()).recent(session as S | null, asked, redirectTo)
  // The instance that read the session is the caller's, so its type is `S`.
  if (session !== null) return session as S
  await assertPage()
  return navigate(signInPath(instance, redirectTo ?? (await currentPath(instance))))
}

/** A client of an API can't use a page. */
export async function assertPage(): Promise<void> {
  const { inRouteHandler } = await import("#current-route")
  if (!isNavigation(await headers()) && (await inRouteHandler())) throw unauthorized()
}

/** What `unauthorized()` of Next.js throws. Calling it needs a setting, and answering a Route Handler that throws this doesn't. */
function unauthorized(): Error {
  return Object.assign(new Error("This needs a session."), { digest: "NEXT_HTTP_ERROR_FALLBACK;401" })
}

/** Next.js removes its `basePath` from the URL of the request, and the browser needs it to return. */
export async function currentPath({ nextBasePath }: Instance<unknown>): Promise<string | undefined> {
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
