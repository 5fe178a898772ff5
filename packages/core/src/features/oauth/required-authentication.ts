import { OAuthCallbackError } from "../../errors.js"
import type { OAuthProvider } from "../../model/oauth-provider.js"
import type { TokenPayload } from "../../model/session-strategy.js"
import type { Proof } from "../../model/signin.js"
import { isObject } from "../../primitives/defined.js"

/**
 * What an attempt asked of the user's authentication. It's read once from the authorization request, sealed with the
 * attempt, and the ID token is checked against the sealed value. Nothing in the response's request can change it.
 */
export interface RequiredAuthentication {
  /** Seconds between the authentication and the start of the attempt, at most. */
  readonly maxAge?: number | undefined
  /** The ID token must say when the user authenticated. */
  readonly authTime?: boolean | undefined
  /** The `acr` must be in each of these lists. An empty list requires any. */
  readonly acr?: readonly (readonly string[])[] | undefined
}

/**
 * Reads `max_age`, `acr_values` and the members `acr` and `auth_time` of `claims` (OpenID Connect Core §3.1.2.1, §5.5.1).
 * `default_acr_values` counts too: the provider applies it to a request without `acr_values` (OpenID Connect Registration §2).
 */
export function requiredAuthentication(
  { client, verifyAuthentication }: OAuthProvider,
  params: URLSearchParams,
): RequiredAuthentication | undefined {
  if (!verifyAuthentication) return undefined
  const claims = idTokenClaims(params.get("claims"))
  const maxAge = secondsOf(params.get("max_age"))
  const acr = [acrValues(params.get("acr_values") ?? defaultAcr(client)), requestedAcr(claims["acr"])].filter(
    (list) => list !== undefined,
  )
  const authTime = isEssential(claims["auth_time"])
  if (maxAge === undefined && acr.length === 0 && !authTime) return undefined
  return {
    ...(maxAge === undefined ? {} : { maxAge }),
    ...(authTime ? { authTime } : {}),
    ...(acr.length === 0 ? {} : { acr }),
  }
}

/** The same for an attempt that started elsewhere, so its authorization request isn't known. */
export function configuredRequirement(provider: OAuthProvider): RequiredAuthentication | undefined {
  const { url, params } = provider.authorization
  return requiredAuthentication(
    provider,
    new URLSearchParams([...(url?.searchParams ?? []), ...Object.entries(params)]),
  )
}

function secondsOf(text: string | null): number | undefined {
  return text !== null && /^\d+$/.test(text) ? Number(text) : undefined
}

/** IdentityServer takes hints here, such as `idp:google` and `tenant:acme`. They aren't levels, so no `acr` repeats them. */
const hint = /^(?:idp|tenant):/

function acrValues(text: string | null): readonly string[] | undefined {
  const values = (text ?? "").split(" ").filter((value) => value !== "" && !hint.test(value))
  return values.length === 0 ? undefined : values
}

function defaultAcr({ default_acr_values: values }: OAuthProvider["client"]): string | null {
  return Array.isArray(values) ? values.join(" ") : null
}

function idTokenClaims(json: string | null): Readonly<Record<string, unknown>> {
  try {
    const claims: unknown = JSON.parse(json ?? "{}")
    return isObject(claims) && isObject(claims["id_token"]) ? claims["id_token"] : {}
  } catch {
    return {}
  }
}

/** A request for certain values is a requirement; without `essential` and values it's only a wish. */
function requestedAcr(request: unknown): readonly string[] | undefined {
  if (!isObject(request)) return undefined
  const values = [request["value"] ?? [], request["values"] ?? []].flat().filter((value) => typeof value === "string")
  return values.length > 0 || isEssential(request) ? values : undefined
}

function isEssential(request: unknown): boolean {
  return isObject(request) && request["essential"] === true
}

/** The requirement in an opened flow cookie. */
export function unsealRequirement({ requires }: TokenPayload): RequiredAuthentication | undefined {
  return isObject(requires) ? requires : undefined
}

/** Seconds. What a provider gets that is asked for no age. */
const usualAge = 300

/**
 * For a user whose session isn't recent enough: the provider asks for credentials again, and says when (OpenID Connect Core §3.1.2.1).
 * `prompt` alone doesn't make it say so, and `max_age` alone may let it wait.
 *
 * @param targets what the request is made of, and checked against
 */
export function askForCredentials(
  { type }: OAuthProvider,
  maxAge: number | undefined,
  ...targets: URLSearchParams[]
): void {
  for (const params of targets) {
    const prompts = (params.get("prompt") ?? "").split(" ").filter((each) => each !== "" && each !== "none")
    params.set("prompt", [...new Set([...prompts, "login"])].join(" "))
    if (type === "oidc") params.set("max_age", String(Math.floor(maxAge ?? usualAge)))
  }
}

/** The user has to authenticate during the attempt. `undefined`: the provider can't say when they did. */
export function duringAttempt(
  { type, verifyAuthentication }: OAuthProvider,
  required: RequiredAuthentication | undefined,
): RequiredAuthentication | undefined {
  return type === "oidc" && verifyAuthentication ? { ...required, maxAge: 0 } : required
}

/** Characters. A longer one is left out of sessions. */
const longestAcr = 40

/** What the session of the sign-in says about the authentication at the provider. */
export function authenticatedBy(
  { type, verifyAuthentication }: OAuthProvider,
  required: RequiredAuthentication | undefined,
  claims: Readonly<Record<string, unknown>> = {},
): NonNullable<Proof["authenticated"]> {
  const { acr, auth_time: at } = claims
  const level = typeof acr === "string" && acr.length <= longestAcr ? { acr } : {}
  // `assertAuthentication` has checked a time that was asked for.
  if (type !== "oidc" || !verifyAuthentication || required?.maxAge === 0) return level
  return { ...level, at: typeof at === "number" ? at : 0 }
}

/** Clock difference that is tolerated. Seconds. */
const skew = 60

interface Checked {
  readonly required: RequiredAuthentication | undefined
  readonly claims: Readonly<Record<string, unknown>>
  /** Seconds since 1970. */
  readonly startedAt: number
  readonly now: number
}

/**
 * OpenID Connect Core §3.1.3.7 (12, 13). The age counts from the start of the attempt, because a user may take minutes on
 * the provider's pages after authenticating there.
 *
 * @throws OAuthCallbackError, whose page lets the user sign in again
 */
export function assertAuthentication({ id }: OAuthProvider, { required = {}, ...checked }: Checked): void {
  if (!hasLevel(required, checked.claims["acr"])) throw insufficient(id, "at the requested level (`acr`)")
  const { maxAge, authTime } = required
  if (maxAge === undefined && authTime !== true) return
  const at = checked.claims["auth_time"]
  if (typeof at !== "number" || at <= 0 || at > checked.now + skew)
    throw insufficient(id, "at a known time (`auth_time`)")
  const isRecent = maxAge === undefined || at >= checked.startedAt - maxAge - skew
  if (!isRecent) throw insufficient(id, "recently enough (`auth_time`, `max_age`)")
}

function hasLevel({ acr: lists = [] }: RequiredAuthentication, acr: unknown): boolean {
  return lists.every((list) => typeof acr === "string" && acr !== "" && (list.length === 0 || list.includes(acr)))
}

function insufficient(providerId: string, how: string): OAuthCallbackError {
  return new OAuthCallbackError(
    `The provider "${providerId}" didn't say that the user was authenticated ${how}. The user has to sign in again`,
    { providerId },
  )
}
