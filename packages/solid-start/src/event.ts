import { appendCookies, type Framework, isForwardedAddress } from "@latchkey/core/integration"
import { preventCaching, serializeCookie } from "@latchkey/core/server"
import { getRequestEvent } from "solid-js/web"

/** A request, as SolidStart passes it to API routes, and as `getRequestEvent()` returns it. */
export interface SolidStartEvent {
  readonly request: Request
  readonly response?: { readonly headers: Headers } | undefined
  readonly clientAddress?: string | undefined
  readonly locals?: object | undefined
  /** The event of H3. All events of one request have the same. */
  readonly nativeEvent?: NativeEvent | undefined
}

/** The part of an event of H3 that is used here. */
export interface NativeEvent {
  readonly req: Request
  /** H3 sends `errHeaders` with errors and with responses that have status 400 or more. */
  readonly res?: { readonly headers: Headers; readonly errHeaders?: Headers } | undefined
}

/** An event, with the page that a server function was called for. */
export interface PageEvent extends SolidStartEvent {
  readonly page?: string | undefined
}

/** The event of the request that is being answered. */
export function knownEvent(): SolidStartEvent | undefined {
  return getRequestEvent()
}

/** The same. @throws TypeError outside of a request */
export function currentEvent(caller: string): SolidStartEvent {
  const event = knownEvent()
  if (event?.request === undefined)
    throw new TypeError(`${caller} needs a request. Call it in a server function, an API route or a middleware.`)
  return event
}

/** The request that the browser sent. For data that comes with the result of an action, SolidStart makes up another one. */
export function sentRequest({ request, nativeEvent }: SolidStartEvent): Request {
  return nativeEvent?.req ?? request
}

export function isServerFunction(request: Request): boolean {
  return new URL(request.url).pathname.includes("/_server")
}

/**
 * SolidStart runs a server function for any request to its URL, also for the link of another site, whose cookies are sent. Its
 * own scripts send a header that a form or a link can't have.
 */
export function isForged(request: Request): boolean {
  const { headers, method } = request
  if (!isServerFunction(request) || headers.has("x-server-id")) return false
  if (method !== "POST") return true
  const site = headers.get("sec-fetch-site")
  if (site !== null) return site !== "same-origin" && site !== "none"
  const origin = headers.get("origin")
  return origin !== null && !hostsOf(request).includes(hostIn(origin))
}

/** A form of another site can't set these headers. */
function hostsOf({ url, headers }: Request): readonly (string | null)[] {
  return [new URL(url).host, headers.get("host"), headers.get("x-forwarded-host")]
}

function hostIn(origin: string): string {
  return URL.canParse(origin) ? new URL(origin).host : ""
}

/** The path of the page that a request is for. A server function is called for the page that the browser shows. */
export function pageOf(event: SolidStartEvent): string {
  const sent = sentRequest(event)
  const isPage = event.request !== sent || !isServerFunction(sent)
  const url = isPage ? event.request.url : (sent.headers.get("referer") ?? "/")
  if (!URL.canParse(url)) return "/"
  const { pathname, search } = new URL(url)
  return pathname + search
}

export const framework: Framework<PageEvent> = {
  basePath: "/api/auth",
  env: environmentOf,
  read(event) {
    const request = sentRequest(event)
    const { method, headers } = request
    const { page, clientAddress: address } = event
    const isAddressForgeable = isForwardedAddress(request, address)
    return {
      method,
      headers,
      url: new URL(request.url),
      address,
      isAddressForgeable,
      page,
      opensPage: opensPage(event),
      // The router puts its base in front of a path, and its scripts look for a path in the application. For a URL, they load a document.
      needsFullUrl: true,
    }
  },
  toRequest: ({ request }) => request,
  requestOf,
  setCookies(event, cookies) {
    for (const headers of headersOf(event)) appendCookies(headers, cookies.map(serializeCookie))
  },
  preventCaching(event) {
    for (const headers of headersOf(event)) preventCaching(headers)
  },
}

/** For pages, which read it from `event.locals`. */
export function showSession({ locals }: SolidStartEvent, session: unknown): void {
  if (locals !== undefined) Object.assign(locals, { session })
}

function requestOf(event: SolidStartEvent): object {
  return event.nativeEvent ?? event.request
}

/** H3 adds the first to a response, or the second if its status is 400 or more. */
function headersOf({ response, nativeEvent }: SolidStartEvent): readonly Headers[] {
  const { headers = response?.headers, errHeaders } = nativeEvent?.res ?? {}
  return [headers, errHeaders].filter((each) => each !== undefined)
}

/** In a middleware, the headers tell. */
function opensPage(event: PageEvent): boolean | undefined {
  // The scripts of SolidStart follow redirects, so a call of a server function is as good as a page.
  if ("routes" in event || isServerFunction(sentRequest(event))) return true
  return "params" in event ? false : undefined
}

type Env = Readonly<Record<string, string | undefined>>

/** Cloudflare passes variables with each request. Nitro puts them here. */
function environmentOf(event: PageEvent | undefined): Env | undefined {
  if (event === undefined) return undefined
  const { runtime } = sentRequest(event) as { readonly runtime?: { readonly cloudflare?: { readonly env?: Env } } }
  return runtime?.cloudflare?.env
}
