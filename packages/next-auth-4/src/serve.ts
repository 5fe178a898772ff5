import { Auth } from "@latchkey/core"
import { MissingCSRF } from "@latchkey/core/errors"
import { configFor } from "./config.js"
import { refusalOf } from "./refusal.js"
import { type IncomingRequest, type Site, siteOf, textsOf, toRequest } from "./request.js"
import type { AuthOptions } from "./types.js"
import { during, type Visit } from "./visit.js"

/** Answers a request to the auth routes as next-auth 4 does. */
export async function serve(options: AuthOptions, incoming: IncomingRequest): Promise<Response> {
  const site = siteOf(incoming.headers)
  const known = ownAnswer(options, incoming, site)
  if (known !== undefined) return known
  const visit: Visit = { incoming }
  const request = toRequest(incoming, site)
  if (wantsUrl(incoming)) request.headers.set("x-auth-return-redirect", "1")
  const response = await during(visit, async () => Auth(request, configFor(options, site)))
  const location = response.headers.get("location")
  if (location !== null) return redirected(response, { visit, site, location })
  // Version 4 takes a provider that it doesn't know for a form without a token.
  const isUnknown = response.status === 404 && incoming.method === "POST" && incoming.segments[0] === "signin"
  if (isUnknown) {
    const failure = new MissingCSRF("There is no such provider")
    return redirected(response, { visit: { incoming, failure }, site, location: "" })
  }
  const change = response.status === 200 ? changes[incoming.segments[0] ?? ""] : undefined
  return change === undefined ? response : changed(response, change)
}

/** Codes of the error page that the sign-in page shows. */
const shownAtSignIn = new Set([
  "Signin",
  "OAuthSignin",
  "OAuthCallback",
  "OAuthCreateAccount",
  "EmailCreateAccount",
  "Callback",
  "OAuthAccountNotLinked",
  "EmailSignin",
  "CredentialsSignin",
  "SessionRequired",
])

/** Methods that `Request` doesn't take (Fetch §2.2.1). */
const forbidden = /^(?:CONNECT|TRACE|TRACK)$/i

/** Routes that only version 4 has, and methods that the engine can't get. */
function ownAnswer({ pages }: AuthOptions, incoming: IncomingRequest, site: Site): Response | undefined {
  const { method, segments } = incoming
  const [action] = segments
  if (forbidden.test(method)) return new Response(null, { status: 405, headers: { allow: "GET, POST" } })
  // Browsers of version 4 send their log here.
  if (method === "POST" && action === "_log") return new Response(null, { status: 200 })
  return method === "GET" && action === "error" ? errorPage(pages?.error, incoming, site) : undefined
}

/** `undefined`: the page of the engine shows it. */
function errorPage(own: string | undefined, { query, segments }: IncomingRequest, site: Site): Response | undefined {
  const code = textsOf(query["error"] ?? segments[1]).join(",")
  const error = new URLSearchParams({ error: code })
  if (shownAtSignIn.has(code)) return to(`${site.origin}${site.basePath}/signin?${error}`)
  return own ? to(`${own}${own.includes("?") ? "&" : "?"}${error}`) : undefined
}

function to(location: string): Response {
  return new Response(null, { status: 302, headers: { location } })
}

/** A form of version 4's browser code, or of ours. */
function wantsUrl({ body, headers }: IncomingRequest): boolean {
  return String(textsOf(body["json"])) === "true" || headers["x-auth-return-redirect"] !== undefined
}

interface Redirected {
  readonly visit: Visit
  readonly site: Site
  readonly location: string
}

/** A redirect, or its URL as JSON. A refusal leads to the page of version 4, with its code. */
function redirected(given: Response, { visit, site, location }: Redirected): Response {
  const refusal = refusalOf(visit, location)
  const target = refusal === undefined ? location : `${site.origin}${site.basePath}/${refusal.path}`
  const headers = new Headers(given.headers)
  headers.set("location", target)
  if (given.status === 429) return new Response(given.body, { status: 429, headers })
  headers.delete("content-type")
  if (!wantsUrl(visit.incoming)) return new Response(null, { status: 302, headers })
  headers.delete("location")
  headers.set("content-type", "application/json")
  return new Response(JSON.stringify({ url: target }), { status: refusal?.status ?? 200, headers })
}

/** Bodies of version 4 that differ. It answers `{}` if no user is signed in, and has no type for OpenID Connect. */
const changes: Readonly<Record<string, (text: string) => string>> = {
  session: (text) => (text === "null" ? "{}" : text),
  providers: (text) => text.replaceAll('"type":"oidc"', '"type":"oauth"'),
}

async function changed(response: Response, change: (text: string) => string): Promise<Response> {
  return new Response(change(await response.text()), { status: response.status, headers: response.headers })
}
