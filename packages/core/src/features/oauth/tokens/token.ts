import { InvalidProvider, JWTSessionError, SessionTokenError, UntrustedHost } from "../../../errors.js"
import { toSessionRequest } from "../../../http/origin.js"
import type { AuthContext } from "../../../model/auth.js"
import type { Visitor } from "../../../model/http.js"
import type {
  ProviderToken,
  TokenOptions,
  TokenProblem,
  TokenResult,
  TokenUser,
} from "../../../model/provider-token.js"
import type { ProviderRequest } from "../../../model/vault.js"
import { liveSession } from "../../../session/current.js"
import { idText } from "../../../session/live-session.js"
import { callApi, mayHaveToken, oauthProvider } from "./grants.js"
import { type Kept, obstacle, storeOf } from "./records.js"
import { type Place, isFresh, renew, toToken } from "./renew.js"

/** @throws InvalidProvider if there is no such OAuth provider */
async function placeOf(auth: AuthContext, owner: TokenUser, providerId: string): Promise<Place | TokenProblem> {
  const provider = oauthProvider(auth, providerId)
  if (provider === undefined)
    throw new InvalidProvider(`There is no OAuth provider with the id ${JSON.stringify(providerId.slice(0, 100))}`)
  const message = obstacle(auth)
  if (message !== undefined) return { problem: "no-records", message }
  const userId = "userId" in owner ? owner.userId : await userOf(auth, owner.visitor)
  if (typeof userId === "object") return userId
  if (typeof userId !== "string" || userId === "") return { problem: "not-signed-in" }
  return { auth, store: storeOf(auth), userId, provider }
}

/** As `auth()` does: without a readable session, no user is signed in. */
async function userOf(auth: AuthContext, visitor: Visitor): Promise<string | TokenProblem | undefined> {
  try {
    return (await liveSession(auth, toSessionRequest(auth, visitor)))?.userId
  } catch (cause) {
    if (cause instanceof UntrustedHost || cause instanceof JWTSessionError) return undefined
    if (!(cause instanceof SessionTokenError)) throw cause
    auth.logger.error(cause)
    return { problem: "unavailable", retryAfter: 1 }
  }
}

/** The access token of a user, renewed if it's about to expire. */
export async function token(
  auth: AuthContext,
  owner: TokenUser,
  providerId: string,
  options: TokenOptions = {},
): Promise<TokenResult> {
  const place = await placeOf(auth, owner, providerId)
  return "problem" in place ? place : tokenAt(place, options)
}

/** A token of a few seconds ago is refused for another reason than its age, and a new one would be, too. Milliseconds. */
const minAge = 10_000

/** @param rejected an access token that an API has refused */
async function tokenAt(place: Place, options: TokenOptions, rejected?: string): Promise<TokenResult> {
  const kept = await find(place, options.account)
  if (kept === null || !(await isLinked(place, kept))) return notConnected(place, options.scopes)
  const missing = (options.scopes ?? []).filter((scope) => !kept.scopes.includes(scope))
  if (missing.length > 0) return needsConsent(place, [...kept.scopes, ...missing])
  const result = isGood(place, kept, rejected) ? toToken(kept) : await renew(place, kept, rejected)
  if (result.problem === "needs-consent") return needsConsent(place, kept.scopes)
  return result.problem === "not-connected" ? notConnected(place, options.scopes) : result
}

function isGood(place: Place, kept: Kept, rejected: string | undefined): boolean {
  const isYoung = rejected !== undefined && kept.issuedAt > place.auth.runtime.now() - minAge
  return isYoung || isFresh(place, kept, rejected)
}

async function find({ store: { accounts }, userId, provider }: Place, accountId?: string): Promise<Kept | null> {
  if (accountId !== undefined) return accounts.get({ userId, provider: provider.id, accountId })
  const { items } = await accounts.find({ userId })
  const own = items.filter((each) => each.provider === provider.id)
  return own.toSorted((one, other) => other.connectedAt - one.connectedAt)[0] ?? null
}

/** An account may have been unlinked past this library, or the owner of the email took it over. */
async function isLinked({ auth: { adapter }, userId }: Place, kept: Kept): Promise<boolean> {
  if (adapter?.getUserByAccount === undefined) return true
  const { provider, accountId, isNumber } = kept
  // Numbers are stored as numbers, whatever the type says.
  const providerAccountId = isNumber ? (Number(accountId) as never) : accountId
  const user = await adapter.getUserByAccount({ provider, providerAccountId })
  return user !== null && user !== undefined && idText(user.id) === userId
}

function notConnected(place: Place, scopes: readonly string[] = []): TokenProblem {
  return { problem: "not-connected", url: connectUrl(place, scopes) }
}

function needsConsent(place: Place, scopes: readonly string[]): TokenProblem {
  return { problem: "needs-consent", url: connectUrl(place, scopes), scopes }
}

/** The account page, which has the button that leads to the provider. */
function connectUrl({ auth, provider }: Place, scopes: readonly string[]): string {
  const scope = scopes.length === 0 ? {} : { scope: scopes.join(" ") }
  const query = new URLSearchParams({ connect: provider.id, ...scope }).toString()
  return `${auth.origin ?? ""}${auth.basePath}/account?${query}`
}

/** Calls an API with the access token of a user. After a 401, the token is renewed once, and the call is made again. */
export async function fetchWithToken(
  auth: AuthContext,
  owner: TokenUser,
  { provider, url: given, init: { account, scopes, hosts = [], ...init } }: ProviderRequest,
): Promise<Response | TokenProblem> {
  const place = await placeOf(auth, owner, provider)
  if ("problem" in place) return place
  const url = URL.canParse(given) ? new URL(given) : undefined
  if (url === undefined || !(await mayHaveToken(auth, place.provider, url, hosts))) return forOtherHost(place, url)
  return call(place, url, init, { account, scopes })
}

async function call(
  place: Place,
  url: URL,
  init: RequestInit,
  options: TokenOptions,
): Promise<Response | TokenProblem> {
  const found = await tokenAt(place, options)
  if (found.problem !== undefined) return found
  const response = await send(place, url, init, found)
  if (response.status !== 401 || !canRepeat(init)) return response
  const renewed = await tokenAt(place, { ...options, account: found.account }, found.accessToken)
  if (renewed.problem === "unavailable") return response
  if (renewed.problem !== undefined) return renewed
  if (renewed.accessToken === found.accessToken) return response
  await response.body?.cancel()
  return send(place, url, init, renewed)
}

function send({ provider }: Place, url: URL, init: RequestInit, token: ProviderToken): Promise<Response> {
  const headers = new Headers(init.headers)
  headers.set("authorization", `Bearer ${token.accessToken}`)
  return callApi(provider, url, { ...init, headers })
}

/** A stream is gone after the first request. */
function canRepeat({ body }: RequestInit): boolean {
  return !(body instanceof ReadableStream)
}

function forOtherHost({ provider }: Place, url: URL | undefined): TokenProblem {
  const host = url === undefined ? "a URL that isn't valid" : url.host
  const message = `The token of the provider "${provider.id}" isn't for ${host}. If it may have the token, add it to \`tokens.hosts\` of the provider`
  return { problem: "host-not-allowed", message }
}
