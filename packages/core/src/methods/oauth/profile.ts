import { processUserInfoResponse } from "oauth4webapi"
import { AuthError, OAuthProfileParseError } from "../../errors.js"
import { canonicalEmail } from "../../http/email-address.js"
import type { RawProfile } from "../../model/provider.js"
import type { OAuthProvider } from "../../model/oauth-provider.js"
import type { AccountProof } from "../../model/signin.js"
import type { Account, TokenSet } from "../../model/user.js"
import { clientOf } from "./client.js"
import { publicKeyAlgorithms } from "./id-token.js"
import { verifySignature } from "./keys.js"
import { contextOf, withParams } from "./exchange-code.js"
import type { CallbackContext, TokenExchange } from "./exchange-code.js"
import { isObject, parseObject, guardedFetch, ProviderError, request } from "./guarded-fetch.js"

/** Who it is, in the provider's words. */
export async function rawProfile(exchange: CallbackContext, { tokens, claims }: TokenExchange): Promise<RawProfile> {
  const { userinfo, userinfoAsProfile } = exchange.provider
  if (claims !== undefined && !userinfoAsProfile) return claims
  if (userinfo.request === undefined) return readUserinfo(exchange, tokens, claims)
  const answer = await userinfo.request({ tokens, provider: contextOf(exchange) })
  if (!isObject(answer)) throw new ProviderError("The provider's `userinfo.request` returned no profile")
  if (claims === undefined) return answer
  if ((answer["sub"] ?? claims.sub) !== claims.sub) throw new ProviderError("The userinfo is about somebody else")
  return { ...answer, sub: claims.sub }
}

/** OpenID Connect Core §5.3; RFC 6750 §2.1: the token goes into the header only. */
async function readUserinfo(
  exchange: CallbackContext,
  tokens: TokenSet,
  claims: TokenExchange["claims"],
): Promise<RawProfile> {
  const { provider, server } = exchange
  if (server.userinfo === undefined) {
    throw new AuthError(`The provider "${provider.id}" has no userinfo endpoint: set \`userinfo\``)
  }
  const headers = {
    accept: "application/json",
    "user-agent": "latchkey",
    authorization: `Bearer ${tokens.access_token}`,
  }
  const response = await request(provider, withParams(server.userinfo, provider.userinfo.params), { headers })
  if (!response.ok) throw new ProviderError("The userinfo endpoint gave no profile", { status: response.status })
  const text = await response.text()
  if (claims === undefined) return parseObject(text, "userinfo answer")
  return checkUserinfo(exchange, claims, { text, type: response.headers.get("content-type") ?? "" })
}

/** OpenID Connect Core §5.3.2 and §5.3.4: the subject must be the ID token's, a signed answer must verify. */
async function checkUserinfo(
  { auth, provider, server }: CallbackContext,
  { iss, sub }: NonNullable<TokenExchange["claims"]>,
  { text, type }: { readonly text: string; readonly type: string },
): Promise<RawProfile> {
  const algorithms = publicKeyAlgorithms(server.metadata?.userinfoAlgorithms)
  const as = { issuer: iss, ...(algorithms === undefined ? {} : { userinfo_signing_alg_values_supported: algorithms }) }
  const answer = new Response(text, { headers: { "content-type": type } })
  const profile = await processUserInfoResponse(as, clientOf(auth, provider), sub, answer)
  if (type.startsWith("application/jwt")) await verifySignature(auth, provider, server, { answer, jwt: text })
  return { ...profile }
}

/**
 * The provider's words in ours.
 *
 * @throws OAuthProfileParseError when `profile()` fails or names no account; never invents an id, which would make
 *   the same person somebody new at each sign-in
 */
export async function toProof(exchange: CallbackContext, tokens: TokenSet, raw: RawProfile): Promise<AccountProof> {
  const { auth, provider, params, flow } = exchange
  const { code: _, state: __, ...others } = params
  const { merged, mapped } = await parsing(provider.id, async () => {
    const whole = provider.mergeCallback?.(raw, others) ?? raw
    return { merged: whole, mapped: await provider.profile(whole, tokens, { fetch: guardedFetch(provider) }) }
  })
  const key = { provider: provider.id, type: provider.type, providerAccountId: accountId(provider.id, mapped) }
  const { email: given, ...rest } = mapped
  const email = canonical(given)
  return {
    kind: "account",
    provider,
    user: { ...rest, ...(email === undefined ? {} : { email }), id: auth.runtime.uuid() },
    // As received: every claim is optional and unproven in this type.
    profile: merged,
    account: { ...withoutUser(tokens), ...key },
    stored: { ...withoutUser(provider.account(tokens) ?? {}), ...key },
    // The claim is about the address beside it, whatever `profile()` made of the rest.
    emailVerified: vouchedFor(provider, raw, email),
    intent: { userId: flow.userId, explicit: flow.link === true },
    callbackUrl: flow.callbackUrl,
  }
}

/** OpenID Connect has a claim for it, so that its absence says no; plain OAuth 2 has none, and says nothing. */
function vouchedFor(provider: OAuthProvider, raw: RawProfile, email: string | undefined): boolean | undefined {
  const claim = raw["email_verified"]
  if (claim === undefined && provider.type === "oauth") return undefined
  return claim === true && email !== undefined && canonical(raw["email"]) === email
}

async function parsing<T>(providerId: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (error instanceof AuthError) throw error
    throw new OAuthProfileParseError(`The \`profile\` callback of the provider "${providerId}" failed: see the cause`, {
      providerId,
      err: error instanceof Error ? error : new Error(String(error)),
    })
  }
}

/** What `String()` makes of a missing id: all strangers would share that account. */
const noIds: ReadonlySet<string> = new Set(["", "undefined", "null", "NaN", "[object Object]"])

function accountId(providerId: string, mapped: unknown): string {
  const id: unknown = isObject(mapped) ? mapped["id"] : undefined
  const text = typeof id === "string" || typeof id === "number" || typeof id === "bigint" ? String(id) : ""
  if (!noIds.has(text) && text.length <= 1024 && !/\p{Cc}/u.test(text)) return text
  throw new OAuthProfileParseError(
    `The provider "${providerId}" named no account: let \`profile()\` return its lasting \`id\``,
    {
      providerId,
    },
  )
}

function canonical(email: unknown): string | undefined {
  if (typeof email !== "string") return undefined
  try {
    return canonicalEmail(email)
  } catch {
    return undefined
  }
}

/** A token answer has no say in whose account it is. */
function withoutUser(tokens: TokenSet | Account): TokenSet {
  const { userId: _, ...rest } = tokens
  return rest
}
