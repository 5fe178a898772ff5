import { InvalidCheck } from "../../errors.js"
import type { OAuthProvider } from "../../model/oauth-provider.js"
import type { TokenPayload } from "../../model/session-strategy.js"
import { clearCookie, setCookie } from "../../http/cookie.js"
import type { AuthContext } from "../../model/auth.js"
import type { SetCookie } from "../../model/cookie.js"
import type { AuthRequest, Params } from "../../model/http.js"
import { redirectUri } from "./redirect-uri.js"
import { unseal } from "./unseal.js"

/** One attempt to sign in: what we sent, and what an answer has to fit. Lives sealed in a cookie of its own. */
export interface Flow {
  /** `undefined`: the provider's checks are switched off and no attempt was found. */
  readonly state: string | undefined
  readonly redirectUri: string
  readonly verifier?: string | undefined
  readonly nonce?: string | undefined
  readonly callbackUrl?: string | undefined
  /** Who was signed in when the attempt began. */
  readonly userId?: string | undefined
  readonly link?: boolean | undefined
  /** Seconds; what was asked of the provider. */
  readonly maxAge?: number | undefined
  readonly acr?: string | undefined
}

/** Seconds. */
const lifetime = 900
const maxFlows = 5
/** Browsers drop cookies over 4096 bytes, name and attributes included. */
export const maxCookieLength = 3800

/** What ends otherwise is no state of ours, and may not even be fit for the name of a cookie. */
const endOfState = /^[\w-]{10}$/

/** The end of a state is random whether it is plain or sealed, so it can name the cookie. */
export function cookieName({ scheme }: AuthRequest, state: string): string {
  return `${scheme.cookies.state.name}.${state.slice(-10)}`
}

/** The cookie of a new attempt, and the removal of those that are too many. */
export async function writeFlowCookie(
  request: AuthRequest,
  provider: OAuthProvider,
  flow: Flow & { readonly state: string },
  crossSite: boolean,
): Promise<readonly SetCookie[]> {
  const payload = { ...flow, ...binding(provider) }
  const sealed = await seal(request, payload)
  // A place to return to is worth less than a sign-in.
  const value = sealed.length > maxCookieLength ? await seal(request, { ...payload, callbackUrl: undefined }) : sealed
  const { options } = request.scheme.cookies.state
  const name = cookieName(request, flow.state)
  const sameSite = crossSite ? { sameSite: "none" as const, secure: true } : {}
  return [
    ...(await surplus(request)),
    setCookie({ name, options: { ...options, ...sameSite } }, value, { maxAge: lifetime }),
  ]
}

/** The same provider id may stand for another server or client by the time of the answer. */
function binding(provider: OAuthProvider): Record<string, string> {
  const { id, clientId, issuer, wellKnown, authorization, token, userinfo, jwksEndpoint } = provider
  const endpoints = [authorization.url?.href, token.url?.href, userinfo.url?.href, jwksEndpoint]
  return { provider: id, server: [issuer, wellKnown, ...endpoints].join(" "), client: clientId }
}

async function seal(request: AuthRequest, payload: TokenPayload): Promise<string> {
  return request.scheme.sealer.seal(purpose(request), payload, lifetime)
}

function open(request: AuthRequest, name: string): Promise<TokenPayload | undefined> {
  return unseal(request, purpose(request), request.cookies.get(name))
}

function purpose({ scheme }: AuthRequest): string {
  return `${scheme.cookies.state.name} flow`
}

function flowNames({ cookies, scheme }: AuthRequest): string[] {
  const prefix = `${scheme.cookies.state.name}.`
  return [...cookies.keys()].filter((name) => name.startsWith(prefix) && endOfState.test(name.slice(prefix.length)))
}

/** With the new one there are never more than five: unreadable ones go first, then the oldest. */
async function surplus(request: AuthRequest): Promise<readonly SetCookie[]> {
  const names = flowNames(request)
  if (names.length < maxFlows) return []
  const aged = await Promise.all(
    names.map(async (name) => ({ name, at: Number((await open(request, name))?.["iat"] ?? 0) })),
  )
  const spare = aged.toSorted((a, b) => a.at - b.at).slice(0, names.length - maxFlows + 1)
  return spare.map(({ name }) => clearCookie(request.scheme.cookies.state, name))
}

/**
 * The attempt that these parameters answer.
 *
 * @throws InvalidCheck when this browser began none, or another one
 */
export async function findFlow(provider: OAuthProvider, request: AuthRequest, { state }: Params): Promise<Flow> {
  if (state === undefined && !provider.stateOptional) throw invalidCheck(provider, "the answer carries no state")
  const payload =
    state === undefined ? await onlyAttempt(provider, request) : await open(request, cookieName(request, state))
  if (payload === undefined) return withoutAttempt(provider, request)
  if (state === undefined && !isBound(provider, payload))
    throw invalidCheck(provider, "nothing but its state could prove it")
  if (state !== undefined && payload["state"] !== state)
    throw invalidCheck(provider, "the state is that of another attempt")
  return toFlow(provider, request, payload)
}

/** A list of checks without `state` counts on another proof; the server or the type may have left none. */
function isBound({ checks }: OAuthProvider, { verifier, nonce }: TokenPayload): boolean {
  return checks.size === 0 || verifier !== undefined || nonce !== undefined
}

async function onlyAttempt({ id }: OAuthProvider, request: AuthRequest): Promise<TokenPayload | undefined> {
  const opened = await Promise.all(flowNames(request).map((name) => open(request, name)))
  const [only, ...others] = opened.filter((payload) => payload?.["provider"] === id)
  return others.length === 0 ? only : undefined
}

/** Only `checks: ["none"]` takes an answer that nobody here asked for. */
function withoutAttempt(provider: OAuthProvider, request: AuthRequest): Flow {
  if (provider.stateOptional && provider.checks.size === 0) {
    return { state: undefined, redirectUri: redirectUri(provider, request) }
  }
  throw invalidCheck(provider, "this browser holds no attempt, or several, that it could belong to")
}

function toFlow(provider: OAuthProvider, request: AuthRequest, payload: TokenPayload): Flow {
  for (const [name, value] of Object.entries(binding(provider))) {
    if (payload[name] !== value) throw invalidCheck(provider, `the attempt was made with another ${name}`)
  }
  const text = (name: string) => (typeof payload[name] === "string" ? payload[name] : undefined)
  if (text("redirectUri") !== redirectUri(provider, request))
    throw invalidCheck(provider, "the attempt returns to another address")
  return {
    state: text("state"),
    redirectUri: redirectUri(provider, request),
    verifier: text("verifier"),
    nonce: text("nonce"),
    callbackUrl: text("callbackUrl"),
    userId: text("userId"),
    link: payload["link"] === true,
    maxAge: typeof payload["maxAge"] === "number" ? payload["maxAge"] : undefined,
    acr: text("acr"),
  }
}

/** Of the whole process: a configuration may be made anew for each request, and no two attempts share a state. */
const used = new Map<string, number>()
const maxUsed = 100_000

/**
 * A copied cookie could be played back: each attempt is answered once by this process, parallel repetitions included
 * (RFC 9700 §4.5).
 *
 * @throws InvalidCheck
 */
export function useOnce(auth: AuthContext, provider: OAuthProvider, { state }: Flow): void {
  if (state === undefined) return
  const now = auth.runtime.now()
  if (used.has(state)) throw invalidCheck(provider, "the answer was used before")
  for (const [oldest, expires] of used) {
    if (expires > now && used.size < maxUsed) break
    used.delete(oldest)
  }
  used.set(state, now + lifetime * 1000)
}

/** Cookies of the attempt that this callback names; of all attempts where a provider may leave the name out. */
export function consumedCookies(provider: OAuthProvider, request: AuthRequest): readonly SetCookie[] {
  const state = request.method === "POST" ? request.body["state"] : request.query["state"]
  if (typeof state === "string" && !endOfState.test(state.slice(-10))) return []
  const named =
    typeof state === "string" ? [cookieName(request, state)] : provider.stateOptional ? flowNames(request) : []
  return named
    .flatMap((name) => [name, `${name}.p`])
    .filter((name) => request.cookies.has(name))
    .map((name) => clearCookie(request.scheme.cookies.state, name))
}

export function invalidCheck({ id }: OAuthProvider, reason: string): InvalidCheck {
  return new InvalidCheck(`The answer of the provider "${id}" was refused: ${reason}. Start the sign-in again`, {
    providerId: id,
  })
}
