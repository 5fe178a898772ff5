import { InvalidCheck } from "../../errors.js"
import { unseal } from "../../http/attempt.js"
import { clearCookie, setCookie } from "../../http/cookie.js"
import type { AuthContext } from "../../model/auth.js"
import type { Cookie, SetCookie } from "../../model/cookie.js"
import type { AuthRequest, Params } from "../../model/http.js"
import type { OAuthProvider } from "../../model/oauth-provider.js"
import type { TokenPayload } from "../../model/session-strategy.js"
import type { JsonObject } from "../../model/user.js"
import type { SignInProblem } from "../../model/signin-problem.js"
import { keepSecret } from "../../observability/in-flight.js"
import { createBoundedMap, stateOfClock } from "../../primitives/state.js"
import { type RequiredAuthentication, configuredRequirement, unsealRequirement } from "./required-authentication.js"

/** One attempt to sign in: what was sent, and what a response must match. It lives sealed in a cookie of its own. */
export interface Flow {
  /** `undefined`: the provider's checks are off and no attempt was found. */
  readonly state: string | undefined
  readonly redirectUri: string
  readonly verifier?: string | undefined
  readonly nonce?: string | undefined
  readonly callbackUrl?: string | undefined
  /** The user who was signed in when the attempt started. */
  readonly userId?: string | undefined
  readonly link?: boolean | undefined
  readonly requires?: RequiredAuthentication | undefined
  /** What the application passed to `signIn`. */
  readonly passed?: JsonObject | undefined
  /** When the attempt started. Seconds since 1970; `undefined`: not known. */
  readonly startedAt?: number | undefined
}

export interface NamedFlow {
  readonly flow: Flow
  /** Names the attempt, so that it's used once. */
  readonly identity: string | undefined
}

/** Seconds. */
export const flowLifetime = 900
const maxFlows = 5
/** Browsers drop cookies over 4096 bytes, name and attributes included. */
export const maxCookieLength = 3800

/** A state that ends differently isn't ours, and may not be valid in a cookie name. */
const endOfState = /^[\w-]{10}$/

/** The end of a state is random, plain or sealed, so it can name the cookie. */
export function cookieName(provider: OAuthProvider, request: AuthRequest, state: string): string {
  return `${flowCookie(provider, request).name}.${state.slice(-10)}`
}

/** Name and attributes of the flow cookies of a provider. */
export function flowCookie({ authjsChecks }: OAuthProvider, { scheme }: AuthRequest): Cookie {
  return scheme.flowCookie(authjsChecks)
}

/** The cookie of a new attempt, and the removal of old ones beyond the limit. */
export async function writeFlowCookie(
  request: AuthRequest,
  provider: OAuthProvider,
  flow: Flow & { readonly state: string },
  crossSite: boolean,
): Promise<readonly SetCookie[]> {
  const payload = { ...flow, ...binding(provider) }
  const sealed = await sealFlow(request, payload)
  // Losing the callback URL is better than losing the sign-in.
  const isTooLong = sealed.length > maxCookieLength
  const value = isTooLong ? await sealFlow(request, { ...payload, callbackUrl: undefined }) : sealed
  const { options } = flowCookie(provider, request)
  const name = cookieName(provider, request, flow.state)
  const sameSite = crossSite ? { sameSite: "none" as const, secure: true } : {}
  return [
    ...(await surplus(provider, request)),
    setCookie({ name, options: { ...options, ...sameSite } }, value, { expires: undefined }),
  ]
}

/** The configuration behind a provider id may change between request and response, for instance per tenant. */
function binding(provider: OAuthProvider): Record<string, string> {
  const { id, clientId, issuer, wellKnown, authorization, token, userinfo, jwksEndpoint } = provider
  const endpoints = [authorization.url?.href, token.url?.href, userinfo.url?.href, jwksEndpoint]
  return { provider: id, server: [issuer, wellKnown, ...endpoints].join(" "), client: clientId }
}

/** `maxAge` is in seconds. */
export async function sealFlow(
  request: AuthRequest,
  payload: TokenPayload,
  maxAge: number = flowLifetime,
): Promise<string> {
  keepSecret(request, payload)
  return request.scheme.sealer.seal(purpose(request), payload, maxAge)
}

export function openFlow(request: AuthRequest, name: string): Promise<TokenPayload | undefined> {
  return openedIn(request, purpose(request), request.cookies.get(name))
}

function purpose({ scheme }: AuthRequest): string {
  return `${scheme.cookies.state.name} flow`
}

/** The flow cookies of this browser. */
export function flowNames(provider: OAuthProvider, request: AuthRequest): string[] {
  const prefix = `${flowCookie(provider, request).name}.`
  return [...request.cookies.keys()].filter(
    (name) => name.startsWith(prefix) && endOfState.test(name.slice(prefix.length)),
  )
}

/** Makes room for a new attempt: unreadable ones go first, then the oldest. */
async function surplus(provider: OAuthProvider, request: AuthRequest): Promise<readonly SetCookie[]> {
  const names = flowNames(provider, request)
  if (names.length < maxFlows) return []
  const aged = await Promise.all(
    names.map(async (name) => ({ name, at: Number((await openFlow(request, name))?.["iat"] ?? 0) })),
  )
  const spare = aged.toSorted((a, b) => a.at - b.at).slice(0, names.length - maxFlows + 1)
  return spare.map(({ name }) => clearCookie(flowCookie(provider, request), name))
}

/**
 * The attempt that a response belongs to.
 *
 * @throws InvalidCheck if this browser started none, or another one
 */
export async function findFlow(
  auth: AuthContext,
  provider: OAuthProvider,
  request: AuthRequest,
  { state }: Params,
): Promise<Flow> {
  if (state === undefined && !provider.stateOptional) throw invalidCheck(provider, "the response has no state")
  const payload =
    state === undefined
      ? await onlyAttempt(provider, request)
      : await openFlow(request, cookieName(provider, request, state))
  if (payload === undefined) return withoutAttempt(auth, provider, request, state)
  if (state === undefined && !isBound(provider, payload)) throw invalidCheck(provider, "only its state could prove it")
  if (state !== undefined && payload["state"] !== state)
    throw invalidCheck(provider, "the state belongs to another attempt")
  return toFlow(provider, request, payload)
}

/** Without `state` another check must bind the response: a code verifier or a nonce, unless all checks are off. */
function isBound({ checks }: OAuthProvider, { verifier, nonce }: TokenPayload): boolean {
  return checks.size === 0 || verifier !== undefined || nonce !== undefined
}

async function onlyAttempt(provider: OAuthProvider, request: AuthRequest): Promise<TokenPayload | undefined> {
  const opened = await Promise.all(flowNames(provider, request).map((name) => openFlow(request, name)))
  const [only, ...others] = opened.filter((payload) => payload?.["provider"] === provider.id)
  return others.length === 0 ? only : undefined
}

/** Only `checks: ["none"]` accepts a response that this browser didn't request. */
function withoutAttempt(
  auth: AuthContext,
  provider: OAuthProvider,
  request: AuthRequest,
  state: string | undefined,
): Flow {
  if (provider.stateOptional && provider.checks.size === 0) {
    return { state: undefined, redirectUri: redirectUri(provider, request), requires: configuredRequirement(provider) }
  }
  throw invalidCheck(
    provider,
    "this browser has no attempt, or several, that it could belong to",
    lossOf(auth, provider, request, state),
  )
}

/** Why the attempt of a response can't be found, as far as this process can tell. */
function lossOf(
  auth: AuthContext,
  provider: OAuthProvider,
  request: AuthRequest,
  state: string | undefined,
): SignInProblem | undefined {
  if (state !== undefined && answeredStates(auth).get(state) !== undefined) return "used"
  const names = flowNames(provider, request)
  if (names.length === 0) return "no-cookie"
  return state !== undefined && names.includes(cookieName(provider, request, state)) ? "expired" : undefined
}

function toFlow(provider: OAuthProvider, request: AuthRequest, payload: TokenPayload): Flow {
  for (const [name, value] of Object.entries(binding(provider))) {
    if (payload[name] !== value) throw invalidCheck(provider, `the attempt was started with another ${name}`)
  }
  const text = (name: string) => (typeof payload[name] === "string" ? payload[name] : undefined)
  if (text("redirectUri") !== redirectUri(provider, request))
    throw invalidCheck(provider, "the attempt has another redirect URI")
  return {
    state: text("state"),
    redirectUri: redirectUri(provider, request),
    verifier: text("verifier"),
    nonce: text("nonce"),
    callbackUrl: text("callbackUrl"),
    userId: text("userId"),
    link: payload["link"] === true,
    requires: unsealRequirement(payload),
    // Sealed by `start`, which checked it.
    passed: payload["passed"] as Flow["passed"],
    startedAt: typeof payload["iat"] === "number" ? payload["iat"] : undefined,
  }
}

/** States that were answered, with 100,000 entries at most. No two attempts share a state. */
const answeredStates = stateOfClock("answered-states", () => createBoundedMap<string, true>(100_000))

/**
 * Refuses a copied cookie that is played back, also when the repetitions arrive in parallel (RFC 9700 §4.5). Each attempt
 * is answered once per process.
 *
 * @throws InvalidCheck
 */
export function useOnce(auth: AuthContext, provider: OAuthProvider, identity: NamedFlow["identity"]): void {
  if (identity === undefined) return
  const now = auth.runtime.now()
  const answered = answeredStates(auth)
  if (answered.get(identity, now) !== undefined) throw invalidCheck(provider, "the response was used before", "used")
  answered.set(identity, true, { expires: now + flowLifetime * 1000, now })
}

/** Cookies of the attempt that a callback names, or of all attempts if the provider may omit `state`. */
export function consumedCookies(provider: OAuthProvider, request: AuthRequest): readonly SetCookie[] {
  const state = request.method === "POST" ? request.body["state"] : request.query["state"]
  if (typeof state === "string" && !endOfState.test(state.slice(-10))) return []
  const named =
    typeof state === "string"
      ? [cookieName(provider, request, state)]
      : provider.stateOptional
        ? flowNames(provider, request)
        : []
  return named
    .flatMap((name) => [name, `${name}.p`])
    .filter((name) => request.cookies.has(name))
    .map((name) => clearCookie(flowCookie(provider, request), name))
}

export function invalidCheck({ id }: OAuthProvider, reason: string, problem?: SignInProblem): InvalidCheck {
  return new InvalidCheck(`The response of the provider "${id}" was refused: ${reason}. Start the sign-in again`, {
    providerId: id,
    ...(problem === undefined ? {} : { problem }),
  })
}

/** Opens what was sealed for this purpose. `undefined`: nothing, not sealed by this site, or expired. */
export async function openedIn(
  request: AuthRequest,
  purpose: string,
  token: string | undefined,
): Promise<TokenPayload | undefined> {
  if (token === undefined || token === "") return undefined
  try {
    const { payload } = await unseal(request, purpose, token)
    keepSecret(request, payload, payload["value"])
    return payload
  } catch {
    return undefined
  }
}

/** The callback of this deployment. */
export function callbackUri({ id }: OAuthProvider, { base }: AuthRequest): string {
  return `${base}/callback/${id}`
}

/** Where the provider sends the browser: to the redirect proxy if there is one, otherwise to this deployment. */
export function redirectUri(provider: OAuthProvider, request: AuthRequest): string {
  const proxy = proxyInFront(provider, request)
  if (proxy === undefined) return ownRedirectUri(provider, request)
  return provider.authorization.params["redirect_uri"] ?? `${proxy}/callback/${provider.id}`
}

/** The same without a redirect proxy. */
export function ownRedirectUri(provider: OAuthProvider, request: AuthRequest): string {
  return provider.authorization.params["redirect_uri"] ?? callbackUri(provider, request)
}

/** The redirect proxy. `undefined`: none is configured, or this deployment is the proxy. */
export function proxyInFront({ redirectProxyUrl }: OAuthProvider, { origin }: AuthRequest): string | undefined {
  if (redirectProxyUrl === undefined || new URL(redirectProxyUrl).origin === origin) return undefined
  return redirectProxyUrl.replace(/\/$/, "")
}
