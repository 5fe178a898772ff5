import type { AuthContext } from "../model/auth.js"
import type { BuiltInPages, Refusal, RefusalSite } from "../model/built-in-pages.js"
import type { AuthRequest, PlainResponse } from "../model/http.js"
import { acceptsPage, wantsFlow } from "./auth-request.js"
import { parseCookies } from "./cookie.js"
import { resolveOrigin } from "./origin.js"

const messages: Readonly<Record<number, string>> = {
  400: "Bad request.",
  403: "This page can't be shown in a frame.",
  404: "Not found.",
  405: "Method not allowed.",
  413: "The request is too large.",
  415: "The request is neither a form nor JSON.",
  431: "The browser sent too many cookies, or too long ones. Delete the cookies of this site and try again.",
  500: "There is a problem with the server configuration. Its log says what to do.",
}

/** A response that needs no configuration: a status with a message. */
export function plainAnswer(status: number, allowed: readonly string[] = []): PlainResponse {
  const allow = allowed.length === 0 ? {} : { allow: allowed.join(", ") }
  const message = messages[status]
  const body = status === 500 ? { message } : message
  if (message === undefined) return { status, headers: { ...common, ...allow }, body: null }
  return { status, headers: { ...json, ...allow }, body: JSON.stringify(body) }
}

type Pages = BuiltInPages<AuthContext>

interface RefusedRequest {
  readonly method: string
  readonly headers: Headers
  /** The origin that the request itself names. */
  readonly origin: string
  /** For the developer of a client. */
  readonly reason?: string | undefined
}

type Refuses = Pick<
  AuthContext,
  | "basePath"
  | "features"
  | "isRaw"
  | "i18n"
  | "logger"
  | "nonce"
  | "origin"
  | "runtime"
  | "security"
  | "theme"
  | "trustHost"
>

/** A browser gets a page instead of JSON, with the same status and headers. */
export async function refusePage(
  auth: Refuses,
  request: RefusedRequest,
  refusal: PlainResponse,
): Promise<PlainResponse> {
  if (refusal.status < 400 || refusal.headers["content-type"] !== json["content-type"]) return refusal
  const { pages } = auth.features
  if (auth.isRaw || pages === undefined) return refusal
  if (wantsFlow(request.headers)) return stepFor(pages, auth, request, refusal)
  if (!acceptsPage(request.headers)) return refusal
  const site = { ...auth, origin: originFor(auth, request) }
  return documentFor(pages, site, request, { refusal, status: refusal.status })
}

async function stepFor(
  pages: Pages,
  auth: Refuses,
  request: RefusedRequest,
  refusal: PlainResponse,
): Promise<PlainResponse> {
  return withContent(refusal, request, async (seen) => {
    const step = await pages.refusedStep(auth, { ...seen, reason: request.reason }, refusal.status)
    return { text: JSON.stringify(step), headers: { vary: "Cookie, Accept" } }
  })
}

interface About extends Refusal {
  /** What a program gets. */
  readonly refusal: PlainResponse
}

export async function documentFor(
  pages: Pages,
  site: RefusalSite,
  request: Pick<RefusedRequest, "method" | "headers">,
  { refusal, ...about }: About,
): Promise<PlainResponse> {
  return withContent(refusal, request, async (seen) => {
    const { html, csp } = await pages.refuse(site, seen, about)
    return { text: html, headers: { "content-type": pageHeaders["content-type"], "content-security-policy": csp } }
  })
}

interface Content {
  readonly text: string
  readonly headers: Readonly<Record<string, string>>
}

/** Content that can't be rendered is no reason to fail. */
async function withContent(
  refusal: PlainResponse,
  { method, headers }: Pick<RefusedRequest, "method" | "headers">,
  render: (seen: Pick<AuthRequest, "headers" | "cookies">) => Promise<Content>,
): Promise<PlainResponse> {
  const { status } = refusal
  try {
    const content = await render({ headers, cookies: parseCookies(status === 431 ? null : headers.get("cookie")) })
    const body = method === "HEAD" ? null : content.text
    return { ...refusal, body, headers: { ...refusal.headers, ...content.headers } }
  } catch {
    return refusal
  }
}

function originFor(auth: Refuses, { origin, headers }: RefusedRequest): string | undefined {
  try {
    return resolveOrigin(auth, { own: origin, headers })
  } catch {
    return undefined
  }
}

/**
 * For every response: it's about one user, so no cache may keep it; its URL may contain a token, so no referrer is sent; and
 * no frame or other site may load it.
 */
export const common = {
  "cache-control": "private, no-cache, no-store",
  expires: "0",
  pragma: "no-cache",
  vary: "Cookie",
  "x-content-type-options": "nosniff",
  "referrer-policy": "no-referrer",
  "content-security-policy": "default-src 'none'; frame-ancestors 'none'; form-action 'none'; base-uri 'none'",
  "x-frame-options": "DENY",
  "cross-origin-opener-policy": "same-origin",
  "cross-origin-resource-policy": "same-origin",
} as const

type WithContent = typeof common & { readonly "content-type": string }

export const json: WithContent = { ...common, "content-type": "application/json" }

export const pageHeaders: WithContent = { ...common, "content-type": "text/html; charset=utf-8" }
