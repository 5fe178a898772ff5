import type { Auth } from "../model/auth.js"
import type { Incoming, Params } from "../model/http.js"
import { parseCookies } from "./cookie.js"
import { csrfOf } from "./csrf.js"
import { resolveOrigin } from "./origin.js"

/** Where a request goes. `undefined`: not ours to answer. */
export interface Address {
  readonly action: string
  readonly providerId: string | undefined
}

const noParams: Params = Object.freeze(Object.create(null) as Record<string, string>)

interface Parts {
  readonly url: URL
  readonly method: Incoming["method"]
  readonly headers: Headers
  readonly body: Incoming["body"]
  readonly address: Address
  readonly peer?: string | undefined
}

/** Request → Incoming: the only reader of what a browser sends. */
export function toIncoming(auth: Auth, { url, method, headers, body, address, peer }: Parts): Incoming {
  const origin = resolveOrigin(auth.config, auth.origin, auth.security.listedOriginsOnly, { own: url.origin, headers })
  const realm = (auth.config.useSecureCookies ?? origin.startsWith("https:")) ? auth.https : auth.http
  const cookies = parseCookies(headers.get("cookie"))
  return {
    method,
    origin,
    base: origin + auth.basePath,
    realm,
    headers,
    peer,
    cookies,
    ...address,
    query: url.search === "" ? noParams : params(url.searchParams),
    body,
    csrf: csrfOf(auth, { realm, origin, headers, cookies, body }),
    path: url.pathname + url.search,
  }
}

/** One or two canonical segments below the base path; a trailing slash is forgiven. */
export function addressOf(basePath: string, pathname: string): Address | undefined {
  if (!pathname.startsWith(`${basePath}/`)) return undefined
  const rest = pathname.slice(basePath.length + 1)
  const segments = (rest.endsWith("/") ? rest.slice(0, -1) : rest).split("/")
  const [action, providerId, ...more] = segments
  if (action === undefined || more.length > 0 || segments.includes("")) return undefined
  return { action, providerId: providerId === "undefined" ? undefined : providerId }
}

/** The last of equal names wins (spec/http.md §2). */
export function params(search: URLSearchParams): Params {
  const read: Record<string, string> = Object.create(null)
  for (const [name, value] of search) if (name !== "__proto__") read[name] = value
  return read
}

export function textOf(value: unknown): string | undefined {
  return typeof value === "string" && value !== "" ? value : undefined
}

/** Where the request itself asks to return to; not yet allowed by anybody. */
export function askedUrl({ body, query }: Pick<Incoming, "body" | "query">): string | undefined {
  return textOf(body["callbackUrl"]) ?? textOf(query["callbackUrl"])
}
