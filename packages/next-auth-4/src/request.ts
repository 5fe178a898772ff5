import type { PlainRequest } from "@latchkey/core/integration"
import type { Anything } from "./model.js"

/** A request to the routes below `/api/auth`, as next-auth 4 reads it in both routers. */
export interface IncomingRequest {
  readonly method: string
  readonly headers: Record<string, Anything>
  readonly query: Record<string, Anything>
  /** What Next.js has parsed. In a Route Handler, the engine reads `stream`. */
  readonly body?: Record<string, Anything>
  readonly stream?: PlainRequest["body"]
  readonly cookies?: Record<string, string | undefined> | undefined
  /** The segments of the path: an action, and the id of a provider. */
  readonly segments: readonly string[]
}

/** Where the auth routes are. */
export interface Site {
  readonly origin: string
  /** Without a trailing slash. */
  readonly basePath: string
}

const defaultUrl = "http://localhost:3000/api/auth"

/** As version 4: a URL without a scheme is https, and without a path it has `/api/auth`. */
export function parseUrl(text: string | undefined): Site {
  const url = text === undefined || text === "" ? defaultUrl : text.startsWith("http") ? text : `https://${text}`
  const { origin, pathname } = new URL(URL.canParse(url) ? url : defaultUrl)
  return { origin, basePath: pathname === "/" ? "/api/auth" : pathname.replace(/\/$/, "") }
}

/** As version 4: the forwarded headers on Vercel or with AUTH_TRUST_HOST, else NEXTAUTH_URL. */
export function siteOf(headers: Readonly<Record<string, Anything>>): Site {
  const { NEXTAUTH_URL, VERCEL, AUTH_TRUST_HOST } = process.env
  const host = firstOf(headers["x-forwarded-host"]) ?? firstOf(headers["host"])
  if (!(VERCEL || AUTH_TRUST_HOST) || host === undefined || !isHost(host)) return parseUrl(NEXTAUTH_URL)
  return parseUrl(`${firstOf(headers["x-forwarded-proto"]) === "http" ? "http" : "https"}://${host}`)
}

/** Nothing that starts another part of the URL: the client must not choose the base path. */
function isHost(text: string): boolean {
  return /^[\w.:[\]-]+$/.test(text) && URL.canParse(`https://${text}`)
}

function firstOf(header: Anything): string | undefined {
  return (
    String(header ?? "")
      .split(",", 1)[0]
      ?.trim() || undefined
  )
}

/** The engine gets the URL of the site from the request, so these don't count. */
const replaced = new Set(["host", "forwarded", "x-forwarded-host", "x-forwarded-proto", "content-length"])

/** The headers for the engine. A page may pass cookies without their header. */
export function headersOf({ headers: given, cookies = {} }: Pick<IncomingRequest, "headers" | "cookies">): Headers {
  const headers = new Headers()
  for (const [name, value] of Object.entries(given)) {
    if (value === undefined || replaced.has(name.toLowerCase()) || name.startsWith(":")) continue
    headers.set(name, [value].flat().join(", "))
  }
  const pairs = Object.entries(cookies).map(([name, value = ""]) => `${name}=${encodeURIComponent(value)}`)
  if (!headers.has("cookie") && pairs.length > 0) headers.set("cookie", pairs.join("; "))
  return headers
}

/** The request for the engine. */
export function toPlainRequest(incoming: IncomingRequest, { origin, basePath }: Site): PlainRequest {
  const { method, segments, query, body, stream = null } = incoming
  const url = new URL(`${basePath}/${segments.map(encodeURIComponent).join("/")}`, origin)
  url.search = String(formOf(query))
  const headers = headersOf(incoming)
  if (body === undefined) return { method, url: url.href, headers, body: stream }
  const isJson = String(incoming.headers["content-type"]).includes("json")
  headers.set("content-type", isJson ? "application/json" : "application/x-www-form-urlencoded")
  const text = isJson ? jsonOf(body) : String(formOf(body))
  return { method, url: url.href, headers, body: new TextEncoder().encode(text) }
}

/** A parser follows more levels than `JSON.stringify`. The engine answers `null` as it does too many levels. */
function jsonOf(body: Readonly<Record<string, Anything>>): string {
  try {
    return JSON.stringify(body)
  } catch {
    return "null"
  }
}

function formOf(fields: Readonly<Record<string, Anything>>): URLSearchParams {
  const form = new URLSearchParams()
  for (const [name, value] of Object.entries(fields)) for (const each of textsOf(value)) form.append(name, each)
  return form
}

/** A parser may make objects, whose `toString` the client can choose. */
export function textsOf(value: Anything): readonly string[] {
  return [value].flat().filter(isPlain).map(String)
}

function isPlain(value: unknown): boolean {
  return typeof value === "string" || typeof value === "boolean" || typeof value === "number"
}
