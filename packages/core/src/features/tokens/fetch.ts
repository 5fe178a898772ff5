import type { AuthContext } from "../../model/auth.js"
import type { ProviderToken, TokenOptions, TokenProblem, TokenUser } from "../../model/provider-token.js"
import type { ProviderRequest } from "../../model/vault.js"
import type { Place } from "./place.js"
import { placeOf, tokenAt } from "./token.js"

/** Calls an API with the access token of a user. After a 401, the token is renewed once, and the call is made again. */
export async function fetchWithToken(
  auth: AuthContext,
  owner: TokenUser,
  { provider, url: given, init: { account, scopes, hosts = [], ...init } }: ProviderRequest,
): Promise<Response | TokenProblem> {
  const place = await placeOf(auth, owner, provider)
  if ("problem" in place) return place
  const url = URL.canParse(given) ? new URL(given) : undefined
  if (url === undefined || !(await place.grants.allows(auth, place.provider, url, hosts))) return refused(place, url)
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

function send({ grants, provider }: Place, url: URL, init: RequestInit, token: ProviderToken): Promise<Response> {
  const headers = new Headers(init.headers)
  headers.set("authorization", `Bearer ${token.accessToken}`)
  return grants.send(provider, url, { ...init, headers })
}

/** A stream is gone after the first request. */
function canRepeat({ body }: RequestInit): boolean {
  return !(body instanceof ReadableStream)
}

function refused({ provider }: Place, url: URL | undefined): TokenProblem {
  const host = url === undefined ? "a URL that isn't valid" : url.host
  const message = `The token of the provider "${provider.id}" isn't for ${host}. If it may have the token, add it to \`tokens.hosts\` of the provider`
  return { problem: "host-not-allowed", message }
}
