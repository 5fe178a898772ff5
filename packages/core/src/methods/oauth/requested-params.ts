import type { AuthContext } from "../../model/auth.js"
import type { AuthRequest, Params } from "../../model/http.js"
import type { OAuthProvider } from "../../model/oauth-provider.js"

/**
 * Parameters that bind the response to this attempt, say who asks, or replace the whole request (RFC 6749 §4.1.1,
 * RFC 7636 §4.3, RFC 9101 §5, RFC 9449 §10, OpenID Connect Core §3.1.2.1, §4 and §5.5).
 */
const protocol: ReadonlySet<string> = new Set([
  "claims",
  "client_assertion",
  "client_assertion_type",
  "client_id",
  "client_secret",
  "code",
  "code_challenge",
  "code_challenge_method",
  "code_verifier",
  "dpop_jkt",
  "error",
  "grant_type",
  "id_token",
  "id_token_hint",
  "iss",
  "nonce",
  "redirect_uri",
  "registration",
  "request",
  "request_uri",
  "response_mode",
  "response_type",
  "state",
  "target_link_uri",
])

/** Fields of our own forms. */
const formFields: ReadonlySet<string> = new Set(["callbackurl", "csrftoken", "json", "link", "redirect", "redirectto"])

/** What a browser may send under `"strict"`. */
const listed: ReadonlySet<string> = new Set([
  "access_type",
  "acr_values",
  "audience",
  "connection",
  "display",
  "domain_hint",
  "hd",
  "invitation",
  "kc_idp_hint",
  "login_hint",
  "max_age",
  "organization",
  "prompt",
  "resource",
  "scope",
  "screen_hint",
  "ui_locales",
])

/** Characters. */
const maxLength = 1024

/**
 * The parameters that a sign-in request adds to the authorization request. The application's own code may send any. A
 * browser may send those that neither belong to the protocol nor are configured.
 */
export function requestedParams(auth: AuthContext, provider: OAuthProvider, request: AuthRequest): Params {
  const allowed: Record<string, string> = {}
  const dropped: string[] = []
  for (const [name, value] of Object.entries(request.query)) {
    if (isAllowed(auth, provider, name) && value.length <= maxLength) allowed[name] = value
    else if (!formFields.has(name.toLowerCase())) dropped.push(name.slice(0, 100))
  }
  if (dropped.length > 0) {
    auth.logger.debug("Parameters of the sign-in request don't reach the provider", () => ({
      provider: provider.id,
      dropped,
    }))
  }
  return { ...allowed, ...request.authorizationParams }
}

function isAllowed({ mode }: AuthContext, { configuredParams }: OAuthProvider, name: string): boolean {
  if (configuredParams.has(name)) return false
  if (mode === "strict") return listed.has(name)
  const isTaken = (reading: string) => protocol.has(reading) || formFields.has(reading) || configuredParams.has(reading)
  return name !== "" && !readings(name).some(isTaken)
}

/**
 * What a server may read the name as: `state[]` or `State` as `state`, and PHP reads `client.id` and `client id` as
 * `client_id` (https://www.php.net/manual/en/language.variables.external.php).
 */
function readings(name: string): readonly string[] {
  const words = name
    .toLowerCase()
    .split(/\W+/)
    .filter((word) => word !== "")
  return [...words, ...words.map((_, index) => words.slice(0, index + 1).join("_"))]
}
