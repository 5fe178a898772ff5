import { UnknownAction } from "../../errors.js"
import {
  maxPassedState,
  maxPassedStateNesting,
  maxRequestedParam,
  maxRequestedParamName,
} from "../../limits/of-input.js"
import type { AuthContext } from "../../model/auth.js"
import type { AuthRequest } from "../../model/http.js"
import type { OAuthProvider } from "../../model/oauth-provider.js"
import type { JsonObject } from "../../model/user.js"
import { isObject } from "../../primitives/defined.js"
import { nestsDeeper } from "../../primitives/exact-json.js"

/**
 * Parameters that bind the response to this attempt, say who asks, or replace the whole request (RFC 6749 §4.1.1,
 * RFC 7636 §4.3, RFC 9101 §5, RFC 9449 §10, OpenID Connect Core §3.1.2.1, §4 and §5.5).
 */
const protocol: readonly string[] = [
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
]

/** Fields of our own forms. */
const formFields: ReadonlySet<string> = new Set(["callbackurl", "csrftoken", "json", "link", "redirect", "redirectto"])

const reserved: ReadonlySet<string> = new Set([...protocol, ...formFields].map(withoutUnderscores))

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

/**
 * Adds the parameters of the sign-in request to the authorization request. The application's own code may add or replace
 * any. A browser may add one that doesn't belong to the protocol, and replaces none: `url` already has everything that
 * the site sends.
 *
 * @returns the parameters that the site chose, without those that the browser added
 */
export function addRequestedParams(
  auth: AuthContext,
  provider: OAuthProvider,
  request: AuthRequest,
  { searchParams }: URL,
): URLSearchParams {
  for (const [name, value] of Object.entries(request.authorizationParams ?? {})) searchParams.set(name, value)
  const site = new URLSearchParams(searchParams)
  for (const [name, value] of browserParams(auth, provider, request, site)) searchParams.set(name, value)
  return site
}

function browserParams(
  auth: AuthContext,
  provider: OAuthProvider,
  request: AuthRequest,
  site: URLSearchParams,
): readonly (readonly [name: string, value: string])[] {
  const own = Object.keys(request.authorizationParams ?? {})
  const taken = takenNames(provider, own, site)
  const given = Object.entries(request.query).filter(([name]) => !own.includes(name))
  const isAllowed = ([name, value]: readonly [string, string]) =>
    name.length <= maxRequestedParamName && value.length <= maxRequestedParam && mayAdd(auth, name, taken)
  const dropped = given.filter((entry) => !isAllowed(entry) && !formFields.has(entry[0].toLowerCase()))
  if (dropped.length > 0) {
    auth.logger.debug("Parameters of the sign-in request don't reach the provider", () => ({
      provider: provider.id,
      dropped: dropped.map(([name]) => name.slice(0, maxRequestedParamName)),
    }))
  }
  return given.filter(isAllowed)
}

/** Every reading of a name that the site has set. A default that the provider applies itself counts as set. */
function takenNames(
  { replaceableParams, client }: OAuthProvider,
  own: readonly string[],
  site: URLSearchParams,
): ReadonlySet<string> {
  const defaults = [
    ...(client.default_max_age === undefined ? [] : ["max_age"]),
    ...(client["default_acr_values"] === undefined ? [] : ["acr_values"]),
  ]
  const set = [...site.keys()].filter((name) => !replaceableParams.has(name) || own.includes(name))
  return new Set([...set, ...defaults].flatMap((name) => [name, ...readings(name)]))
}

function mayAdd({ rules }: AuthContext, name: string, taken: ReadonlySet<string>): boolean {
  const names = readings(name)
  if (taken.has(name) || names.some((reading) => taken.has(reading))) return false
  if (rules.declaredParams) return listed.has(name)
  return names.length > 0 && !names.some((reading) => reserved.has(reading))
}

/**
 * What a server may read the name as: `state[]` or `State` as `state`, and PHP reads `client.id` and `client id` as
 * `client_id` (https://www.php.net/manual/en/language.variables.external.php). Some decode a name twice.
 */
function readings(name: string): readonly string[] {
  const spellings = new Set([name, decoded(name)].map((text) => text.normalize("NFKC").toLowerCase()))
  return [...spellings].flatMap((text) => {
    const words = text.split(/\W+/).map(withoutUnderscores)
    return [...words, ...words.map((_, index) => words.slice(0, index + 1).join(""))].filter((word) => word !== "")
  })
}

/** `acr_values` and `acrValues` are the same name to some servers. */
function withoutUnderscores(name: string): string {
  return name.replaceAll("_", "")
}

function decoded(name: string): string {
  try {
    return decodeURIComponent(name)
  } catch {
    return name
  }
}

/**
 * The `state` that the application passed to `signIn`: an object, which a form has as JSON. Auth.js v5 ignores the field, so anything
 * else is ignored here.
 *
 * @throws UnknownAction if it's too large
 */
export function passedState({ body }: AuthRequest): JsonObject | undefined {
  const given = body["state"]
  if (typeof given === "string" && given.length > maxPassedState && given.trimStart().startsWith("{")) throw tooLarge()
  const value = typeof given === "string" ? parsed(given) : given
  if (!isObject(value)) return undefined
  if (nestsDeeper(value, maxPassedStateNesting)) throw tooLarge()
  const text = JSON.stringify(value)
  if (new TextEncoder().encode(text).length > maxPassedState) throw tooLarge()
  return JSON.parse(text, withoutPrototype) as JsonObject
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** An application that merges the data would change a prototype. */
function withoutPrototype(name: string, value: unknown): unknown {
  return name === "__proto__" || name === "constructor" ? undefined : value
}

function tooLarge(): UnknownAction {
  const limits = `${maxPassedState} bytes of JSON and ${maxPassedStateNesting} levels`
  return new UnknownAction(`The \`state\` of \`signIn\` is larger than ${limits}. Keep the data, and pass its id`)
}
