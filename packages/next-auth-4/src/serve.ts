import type { PlainResponse } from "@latchkey/core/integration"
import type { Server } from "@latchkey/core/server"
import { serializeCookie } from "@latchkey/core/session-reader"
import { serverFor } from "./config.js"
import { type Refusal, refusalOf } from "./refusal.js"
import { headersOf, type IncomingRequest, type Site, siteOf, textsOf, toPlainRequest } from "./request.js"
import type { AuthOptions } from "./types.js"
import { during, type Visit } from "./visit.js"

/** Answers a request to the auth routes as next-auth 4 does. */
export async function serve(options: AuthOptions, incoming: IncomingRequest): Promise<PlainResponse> {
  const site = siteOf(incoming.headers)
  const known = ownAnswer(options, incoming, site)
  if (known !== undefined) return known
  const visit: Visit = { incoming }
  const server = serverFor(options, site)
  const given = await during(visit, async () => server.answer(toPlainRequest(incoming, site)))
  return withCsrfCookie(asVersion4(given, visit, site), { server, incoming, site })
}

function asVersion4(given: PlainResponse, visit: Visit, site: Site): PlainResponse {
  const { incoming } = visit
  const [action = ""] = incoming.segments
  const { location } = given.headers
  if (location !== undefined) return redirected(given, site, { location, refusal: refusalOf(visit) })
  // Version 4 takes a provider that it doesn't know for a form without a token.
  if (given.status === 404 && incoming.method === "POST" && action === "signin") return forged(incoming, site)
  const change = given.status === 200 ? changes[action] : undefined
  return change === undefined || given.body === null ? given : { ...given, body: change(given.body) }
}

interface Asked {
  readonly server: Server
  readonly incoming: IncomingRequest
  readonly site: Site
}

/**
 * Sets the CSRF cookie of a browser that has none, as version 4 does: a page of the application can read its token there. A
 * callback removes it, so that the next form has another one.
 */
async function withCsrfCookie(answer: PlainResponse, { server, incoming, site }: Asked): Promise<PlainResponse> {
  const { method, segments } = incoming
  if (method !== "GET" || segments[0] === "callback" || answer.status >= 400) return answer
  const { cookies } = await server.csrfToken({ headers: headersOf(incoming), origin: site.origin })
  const set = answer.cookies ?? []
  const added = cookies.filter(({ name }) => !set.some((line) => line.startsWith(`${name}=`)))
  return { ...answer, cookies: [...set, ...added.map(serializeCookie)] }
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

/** Routes that only version 4 has. */
function ownAnswer({ pages }: AuthOptions, incoming: IncomingRequest, site: Site): PlainResponse | undefined {
  const { method, segments } = incoming
  const [action] = segments
  // Browsers of version 4 send their log here.
  if (method === "POST" && action === "_log") return { status: 200, headers: {}, body: null }
  return method === "GET" && action === "error" ? errorPage(pages?.error, incoming, site) : undefined
}

/** `undefined`: the page of the engine shows it. */
function errorPage(
  own: string | undefined,
  { query, segments }: IncomingRequest,
  site: Site,
): PlainResponse | undefined {
  const code = textsOf(query["error"] ?? segments[1]).join(",")
  const error = new URLSearchParams({ error: code })
  if (shownAtSignIn.has(code)) return to(urlOf(site, `signin?${error}`))
  return own ? to(`${own}${own.includes("?") ? "&" : "?"}${error}`) : undefined
}

function to(location: string): PlainResponse {
  return { status: 302, headers: { location }, body: null }
}

function urlOf({ origin, basePath }: Site, path: string): string {
  return `${origin}${basePath}/${path}`
}

interface Target {
  readonly location: string
  readonly refusal: Refusal | undefined
}

/** A redirect, or its URL as JSON. A refusal leads to the page of version 4, with its code. */
function redirected(given: PlainResponse, site: Site, { location: asked, refusal }: Target): PlainResponse {
  if (given.status === 429) return given
  const target = refusal === undefined ? asked : urlOf(site, refusal.path)
  const { location: _, "content-type": __, ...headers } = given.headers
  const answer = given.status === 200 ? json(target, refusal?.status) : to(target)
  return { ...given, ...answer, headers: { ...headers, ...answer.headers } }
}

function json(url: string, status = 200): PlainResponse {
  return { status, headers: { "content-type": "application/json" }, body: JSON.stringify({ url }) }
}

/** The engine hasn't read the body of a Route Handler. Browsers say whether a script sent it. */
function forged({ body, headers }: IncomingRequest, site: Site): PlainResponse {
  const isScript =
    body === undefined ? (headers["sec-fetch-mode"] ?? "navigate") !== "navigate" : body["json"] === "true"
  const url = urlOf(site, "signin?csrf=true")
  return isScript ? json(url) : to(url)
}

/** Bodies of version 4 that differ. It answers `{}` if no user is signed in, and has no type for OpenID Connect. */
const changes: Readonly<Record<string, (text: string) => string>> = {
  session: (text) => (text === "null" ? "{}" : text),
  providers: (text) => text.replaceAll('"type":"oidc"', '"type":"oauth"'),
}
