import { platform } from "#crypto"
import {
  type AuthorizationServer,
  type IDToken,
  type JWKS,
  type JWKSCacheOptions,
  jwksCache,
  skipStateCheck,
  validateApplicationLevelSignature,
  validateJwtAuthResponse,
} from "oauth4webapi"
import { equal, toBase64Url, toHex } from "../../crypto/digest.js"
import { AuthError } from "../../errors.js"
import type { AuthContext } from "../../model/auth.js"
import type { OAuthProvider } from "../../model/oauth-provider.js"
import { isObject } from "../../primitives/defined.js"
import { type CacheKey, createDocumentCache } from "./document-cache.js"
import type { Flow } from "./flow.js"
import { maxKeySet, maxSubject } from "../../limits/of-input.js"
import { parseObject, ProviderError, request, brief, asksForJson } from "./guarded-fetch.js"
import { assertAuthentication } from "./required-authentication.js"
import { clientOf, originOf, type Server, serverForCallback } from "./server.js"

export interface Signed {
  /** The response that `oauth4webapi` read the token from. */
  readonly answer: Response
  readonly jwt: string
}

/** A withdrawn key is forgotten after ten minutes. */
const keySets = createDocumentCache<JWKS>(600_000)

/**
 * Verifies that the provider signed a token: with a published key, or with the client secret if the configuration says so.
 *
 * @throws ProviderError or an error of `oauth4webapi` if it didn't
 */
export async function verifySignature(
  auth: AuthContext,
  provider: OAuthProvider,
  server: Server,
  signed: Signed,
): Promise<void> {
  const [header = "", payload = "", signature = ""] = signed.jwt.split(".")
  const alg = String(parseObject(decodeText(header), "JWT header")["alg"])
  if (alg.startsWith("HS")) return verifyMac(provider, alg, { text: `${header}.${payload}`, signature })
  return withKeys(auth, provider, server, (as, cache) => validateApplicationLevelSignature(as, signed.answer, cache))
}

type Verify = (as: AuthorizationServer, cache: JWKSCacheOptions) => Promise<unknown>

async function withKeys(auth: AuthContext, provider: OAuthProvider, server: Server, check: Verify): Promise<void> {
  const { jwks } = server
  if (jwks === undefined) throw new ProviderError("The provider publishes no keys to check its signature with")
  const place: CacheKey = { fetch: provider.fetch, url: jwks.href, now: auth.runtime.now() }
  const load = () => loadKeys(provider, jwks)
  // `oauth4webapi` caches keys by the first object and by real time, so it gets a new object whose keys never expire.
  const verify = (keys: JWKS) =>
    check({ issuer: jwks.origin, jwks_uri: jwks.href }, { [jwksCache]: { jwks: keys, uat: Number.MAX_SAFE_INTEGER } })
  const keys = await keySets.get(place, load)
  try {
    await verify(keys)
  } catch (error) {
    // The provider may have rotated its keys since.
    const renewed = await keySets.renew(place, load)
    if (renewed === undefined) throw error
    await verify(renewed)
  }
}

/**
 * The claims of a token of this provider for this site that isn't an ID token. `oauth4webapi` checks algorithm, issuer, audience, expiry and
 * signature as those of an authorization response, which is a JWT with the same claims. HMAC isn't accepted.
 *
 * @param type what `typ` of the header has to be (RFC 8725 §3.11)
 * @throws Error if it isn't one, or the keys can't be loaded
 */
export async function verifiedClaims(
  auth: AuthContext,
  provider: OAuthProvider,
  token: string,
  type: string,
): Promise<Record<string, unknown>> {
  const [header = "", , signature = ""] = token.split(".")
  if (parseObject(decodeText(header), "JWT header")["typ"] !== type)
    throw new ProviderError("The token has another type")
  decodeBytes(signature)
  const server = await serverForCallback(auth, provider)
  const issuer = tenantIssuer(provider, server, token)
  const { id_token_signed_response_alg: alg } = provider.client
  const algorithms = alg === undefined ? publicKeyAlgorithms(server.metadata?.idTokenAlgorithms) : [alg]
  const rules = { issuer, authorization_signing_alg_values_supported: algorithms ?? ["RS256"] }
  const response = new URLSearchParams({ response: token })
  await withKeys(auth, provider, server, (as, cache) =>
    validateJwtAuthResponse({ ...as, ...rules }, clientOf(auth, provider), response, skipStateCheck, cache),
  )
  return claimsOf(token)
}

async function loadKeys(provider: OAuthProvider, jwks: URL): Promise<JWKS> {
  const headers = { ...asksForJson, accept: "application/json, application/jwk-set+json" }
  const response = await request(provider, jwks, { headers }, maxKeySet)
  const { status } = response
  if (status !== 200) throw new ProviderError(`The keys at ${jwks.href} answered with status ${status}`, { status })
  const { keys } = parseObject(await response.text(), "key set")
  if (!Array.isArray(keys)) throw new ProviderError("The key set has no list of keys", { problem: "unreachable" })
  // `oauth4webapi` checks each key and skips those that don't fit.
  return { keys: keys.filter(isObject) }
}

/** RFC 7518 §3.2, OpenID Connect Core §10.1. The algorithm must be configured (RFC 8725 §3.1). */
async function verifyMac(
  { id, client, clientSecret }: OAuthProvider,
  alg: string,
  { text, signature }: { readonly text: string; readonly signature: string },
): Promise<void> {
  const agreed = [client.id_token_signed_response_alg, client.userinfo_signed_response_alg]
  if (alg !== "HS256" || !agreed.includes(alg))
    throw new ProviderError("The token isn't signed with the configured algorithm")
  if (!clientSecret) throw new AuthError(`The provider "${id}" signs with the client secret. Set \`clientSecret\``)
  const expected = await platform.hmacSha256(clientSecret, text)
  if (!equal(expected, toHex(decodeBytes(signature)))) throw new ProviderError("The signature of the token is wrong")
}

export function decodeBytes(text: string): Uint8Array<ArrayBuffer> {
  if (!/^[\w-]*$/.test(text)) throw new ProviderError("The token is not base64url")
  try {
    return Uint8Array.from(atob(text.replaceAll("-", "+").replaceAll("_", "/")), (char) => char.charCodeAt(0))
  } catch {
    throw new ProviderError("The token is not base64url")
  }
}

export function decodeText(text: string): string {
  return new TextDecoder().decode(decodeBytes(text))
}

/** The claims of a token that was verified, with exact integers. */
export function claimsOf(jwt: string): Record<string, unknown> {
  return parseObject(decodeText(jwt.split(".")[1] ?? ""), "token")
}

/** Clock difference that is tolerated. Seconds. */
const skew = 60
/** Maximum age of an ID token. In the code flow it was issued a moment ago. Seconds. */
const oldest = 600

/**
 * The issuer that this ID token must name. A server with several tenants has an issuer for each: `issuerFor` computes it
 * from the claims, which aren't verified yet, and the verification then uses the result.
 *
 * @throws AuthError if the issuer isn't known; ProviderError if the hook returns another origin
 */
export function tenantIssuer({ id, issuerFor, client }: OAuthProvider, { issuer }: Server, idToken: unknown): string {
  if (issuer === undefined)
    throw new AuthError(`The provider "${id}" has no issuer to check its ID tokens against. Set \`issuer\``)
  if (client.id_token_signed_response_alg === "none") {
    throw new AuthError(
      `The provider "${id}" is configured for unsigned ID tokens. Remove \`id_token_signed_response_alg\``,
    )
  }
  if (issuerFor === undefined || typeof idToken !== "string") return issuer
  const expected = issuerFor(parseObject(decodeText(idToken.split(".")[1] ?? ""), "ID token"), issuer)
  if (originOf(expected) !== originOf(issuer)) throw new ProviderError("The ID token names a tenant of another server")
  return expected
}

/** Unsigned tokens and shared secrets must be configured, whatever the metadata lists (RFC 8725 §3.1). */
export function publicKeyAlgorithms(advertised: readonly string[] | undefined): string[] | undefined {
  const algorithms = advertised?.filter((alg) => alg !== "none" && !alg.startsWith("HS"))
  return algorithms?.length === 0 ? undefined : algorithms
}

/** The checks of OpenID Connect Core §2 and §3.1.3.7 that `oauth4webapi` leaves out. */
export async function assertIdToken(context: Expected, { claims, jwt, accessToken }: Received): Promise<void> {
  const { auth, provider, flow } = context
  // `oauth4webapi` ignores spaces in the signature, but a token has one spelling (RFC 7515 §2).
  decodeBytes(jwt.split(".")[2] ?? "")
  const now = Math.floor(auth.runtime.now() / 1000)
  assertAge(now - claims.iat, provider)
  // OpenID Connect Back-Channel Logout 1.0 §4: a logout token has the other claims too.
  if (claims["events"] !== undefined) throw new ProviderError("The ID token is a logout token")
  if (claims.sub.length > maxSubject || !/^[\x20-\x7E]+$/.test(claims.sub)) {
    throw new ProviderError(`The \`sub\` of the ID token isn't 1 to ${maxSubject} ASCII characters`)
  }
  assertAudiences(provider, claims)
  assertAuthentication(provider, { required: flow.requires, claims, startedAt: flow.startedAt ?? now, now })
  if (auth.security.enforceIssuerChecks) await assertAccessTokenHash(jwt, claims, accessToken)
}

interface Expected {
  readonly auth: AuthContext
  readonly provider: OAuthProvider
  readonly flow: Flow
}

interface Received {
  readonly claims: IDToken
  readonly jwt: string
  readonly accessToken: string
}

/**
 * OpenID Connect Core §3.1.3.7 (3): another audience could use the token here, and be attacked with it there. `oauth4webapi`
 * requires our client among several, and `azp`. The issuer itself is no other party.
 */
export function assertAudiences(
  { id, clientId, trustedAudiences }: OAuthProvider,
  { aud, azp, iss }: Readonly<Record<string, unknown>>,
): void {
  const parties = [aud].flat().map(String)
  if (!parties.includes(clientId) || (azp !== undefined && azp !== clientId)) {
    throw new ProviderError("The ID token was issued to another client")
  }
  const unknown = parties.find((each) => each !== clientId && each !== iss && !trustedAudiences(each))
  if (unknown === undefined) return
  throw new ProviderError(
    `The ID token of the provider "${id}" is also for ${JSON.stringify(brief(unknown))}. If you trust it, add it to \`trustedAudiences\` of the provider`,
  )
}

/** `client.id_token_max_age` (seconds) allows for servers that issue older tokens. */
function assertAge(age: number, { client }: OAuthProvider): void {
  if (age >= -skew && age <= (client.id_token_max_age ?? oldest)) return
  throw new ProviderError("The ID token wasn't issued just now. Compare the clocks of both servers")
}

/** OpenID Connect Core §3.1.3.8: the access token must be the one that was issued with this ID token. */
export async function assertAccessTokenHash(
  jwt: string,
  { at_hash: expected }: IDToken,
  accessToken: string,
): Promise<void> {
  const { alg } = parseObject(decodeText(jwt.split(".")[0] ?? ""), "JWT header")
  const hash = hashes.find(([algorithms]) => algorithms.test(String(alg)))?.[1]
  if (typeof expected !== "string" || hash === undefined) return
  const digest = decodeBytes(await platform.digest(hash, accessToken))
  if (toBase64Url(digest.subarray(0, digest.length / 2)) !== expected) {
    throw new ProviderError("The access token doesn't belong to the ID token")
  }
}

const hashes = [
  [/256$/, "SHA-256"],
  [/512$|^Ed/, "SHA-512"],
] as const
