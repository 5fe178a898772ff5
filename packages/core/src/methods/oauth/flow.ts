import { InvalidCheck } from "../../errors.js"
import type { Payload } from "../../crypto/vault.js"
import { clearCookie, setCookie } from "../../http/cookie.js"
import type { Auth } from "../../model/auth.js"
import type { SetCookie } from "../../model/cookie.js"
import type { Incoming, Params } from "../../model/http.js"
import type { OAuthProvider } from "../../model/resolved-provider.js"
import { redirectUri } from "./address.js"
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
const mostFlows = 5
/** Browsers drop cookies over 4096 bytes, name and attributes included. */
export const longestCookie = 3800

/** What ends otherwise is no state of ours, and may not even be fit for the name of a cookie. */
const endOfState = /^[\w-]{10}$/

/** The end of a state is random whether it is plain or sealed, so it can name the cookie. */
export function cookieName({ realm }: Incoming, state: string): string {
  return `${realm.cookies.state.name}.${state.slice(-10)}`
}

/** The cookie of a new attempt, and the removal of those that are too many. */
export async function keepFlow(
  incoming: Incoming,
  provider: OAuthProvider,
  flow: Flow & { readonly state: string },
  crossSite: boolean,
): Promise<readonly SetCookie[]> {
  const payload = { ...flow, ...binding(provider) }
  const sealed = await seal(incoming, payload)
  // A place to return to is worth less than a sign-in.
  const value = sealed.length > longestCookie ? await seal(incoming, { ...payload, callbackUrl: undefined }) : sealed
  const { options } = incoming.realm.cookies.state
  const name = cookieName(incoming, flow.state)
  const sameSite = crossSite ? { sameSite: "none" as const, secure: true } : {}
  return [
    ...(await surplus(incoming)),
    setCookie({ name, options: { ...options, ...sameSite } }, value, { maxAge: lifetime }),
  ]
}

/** The same provider id may stand for another server or client by the time of the answer. */
function binding(provider: OAuthProvider): Record<string, string> {
  const { id, clientId, issuer, wellKnown, authorization, token, userinfo, jwksEndpoint } = provider
  const endpoints = [authorization.url?.href, token.url?.href, userinfo.url?.href, jwksEndpoint]
  return { provider: id, server: [issuer, wellKnown, ...endpoints].join(" "), client: clientId }
}

async function seal(incoming: Incoming, payload: Payload): Promise<string> {
  return incoming.realm.vault.seal(purpose(incoming), payload, lifetime)
}

function open(incoming: Incoming, name: string): Promise<Payload | undefined> {
  return unseal(incoming, purpose(incoming), incoming.cookies.get(name))
}

function purpose({ realm }: Incoming): string {
  return `${realm.cookies.state.name} flow`
}

function flowNames({ cookies, realm }: Incoming): string[] {
  const prefix = `${realm.cookies.state.name}.`
  return [...cookies.keys()].filter((name) => name.startsWith(prefix) && endOfState.test(name.slice(prefix.length)))
}

/** With the new one there are never more than five: unreadable ones go first, then the oldest. */
async function surplus(incoming: Incoming): Promise<readonly SetCookie[]> {
  const names = flowNames(incoming)
  if (names.length < mostFlows) return []
  const aged = await Promise.all(
    names.map(async (name) => ({ name, at: Number((await open(incoming, name))?.["iat"] ?? 0) })),
  )
  const spare = aged.toSorted((a, b) => a.at - b.at).slice(0, names.length - mostFlows + 1)
  return spare.map(({ name }) => clearCookie(incoming.realm.cookies.state, name))
}

/**
 * The attempt that these parameters answer.
 *
 * @throws InvalidCheck when this browser began none, or another one
 */
export async function findFlow(provider: OAuthProvider, incoming: Incoming, { state }: Params): Promise<Flow> {
  if (state === undefined && !provider.stateOptional) throw lost(provider, "the answer carries no state")
  const payload =
    state === undefined ? await onlyAttempt(provider, incoming) : await open(incoming, cookieName(incoming, state))
  if (payload === undefined) return withoutAttempt(provider, incoming)
  if (state === undefined && !isBound(provider, payload)) throw lost(provider, "nothing but its state could prove it")
  if (state !== undefined && payload["state"] !== state) throw lost(provider, "the state is that of another attempt")
  return toFlow(provider, incoming, payload)
}

/** A list of checks without `state` counts on another proof; the server or the type may have left none. */
function isBound({ checks }: OAuthProvider, { verifier, nonce }: Payload): boolean {
  return checks.size === 0 || verifier !== undefined || nonce !== undefined
}

async function onlyAttempt({ id }: OAuthProvider, incoming: Incoming): Promise<Payload | undefined> {
  const opened = await Promise.all(flowNames(incoming).map((name) => open(incoming, name)))
  const [only, ...others] = opened.filter((payload) => payload?.["provider"] === id)
  return others.length === 0 ? only : undefined
}

/** Only `checks: ["none"]` takes an answer that nobody here asked for. */
function withoutAttempt(provider: OAuthProvider, incoming: Incoming): Flow {
  if (provider.stateOptional && provider.checks.size === 0) {
    return { state: undefined, redirectUri: redirectUri(provider, incoming) }
  }
  throw lost(provider, "this browser holds no attempt, or several, that it could belong to")
}

function toFlow(provider: OAuthProvider, incoming: Incoming, payload: Payload): Flow {
  for (const [name, value] of Object.entries(binding(provider))) {
    if (payload[name] !== value) throw lost(provider, `the attempt was made with another ${name}`)
  }
  const text = (name: string) => (typeof payload[name] === "string" ? payload[name] : undefined)
  if (text("redirectUri") !== redirectUri(provider, incoming))
    throw lost(provider, "the attempt returns to another address")
  return {
    state: text("state"),
    redirectUri: redirectUri(provider, incoming),
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
const mostUsed = 100_000

/**
 * A copied cookie could be played back: each attempt is answered once by this process, parallel repetitions included
 * (RFC 9700 §4.5).
 *
 * @throws InvalidCheck
 */
export function useOnce(auth: Auth, provider: OAuthProvider, { state }: Flow): void {
  if (state === undefined) return
  const now = auth.runtime.now()
  if (used.has(state)) throw lost(provider, "the answer was used before")
  for (const [oldest, expires] of used) {
    if (expires > now && used.size < mostUsed) break
    used.delete(oldest)
  }
  used.set(state, now + lifetime * 1000)
}

/** Cookies of the attempt that this callback names; of all attempts where a provider may leave the name out. */
export function spent(provider: OAuthProvider, incoming: Incoming): readonly SetCookie[] {
  const state = incoming.method === "POST" ? incoming.body["state"] : incoming.query["state"]
  if (typeof state === "string" && !endOfState.test(state.slice(-10))) return []
  const named =
    typeof state === "string" ? [cookieName(incoming, state)] : provider.stateOptional ? flowNames(incoming) : []
  return named
    .flatMap((name) => [name, `${name}.p`])
    .filter((name) => incoming.cookies.has(name))
    .map((name) => clearCookie(incoming.realm.cookies.state, name))
}

export function lost({ id }: OAuthProvider, reason: string): InvalidCheck {
  return new InvalidCheck(`The answer of the provider "${id}" was refused: ${reason}. Start the sign-in again`, {
    providerId: id,
  })
}
