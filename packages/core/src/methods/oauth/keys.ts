import { platform } from "#crypto"
import { jwksCache, validateApplicationLevelSignature } from "oauth4webapi"
import type { JWKS } from "oauth4webapi"
import { equal, toHex } from "../../crypto/digest.js"
import { AuthError } from "../../errors.js"
import type { AuthContext } from "../../model/auth.js"
import type { OAuthProvider } from "../../model/oauth-provider.js"
import { createDocumentCache } from "./document-cache.js"
import type { CacheKey } from "./document-cache.js"
import { isObject, maxKeySetBytes, parseObject, ProviderError, request } from "./guarded-fetch.js"
import type { Server } from "./server.js"

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
  const { jwks } = server
  if (jwks === undefined) throw new ProviderError("The provider publishes no keys to check its signature with")
  const place: CacheKey = { fetch: provider.fetch, url: jwks.href, now: auth.runtime.now() }
  const load = () => loadKeys(provider, jwks)
  const verify = (keys: JWKS) => {
    // `oauth4webapi` caches keys by this object and by real time, so it gets a new object whose keys never expire.
    const cache = { jwks: keys, uat: Number.MAX_SAFE_INTEGER }
    const as = { issuer: jwks.origin, jwks_uri: jwks.href }
    return validateApplicationLevelSignature(as, signed.answer, { [jwksCache]: cache })
  }
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

async function loadKeys(provider: OAuthProvider, jwks: URL): Promise<JWKS> {
  const headers = { accept: "application/json, application/jwk-set+json" }
  const response = await request(provider, jwks, { headers }, maxKeySetBytes)
  if (response.status !== 200)
    throw new ProviderError(`The keys at ${jwks.href} answered with status ${response.status}`)
  const { keys } = parseObject(await response.text(), "key set")
  if (!Array.isArray(keys)) throw new ProviderError("The key set has no list of keys")
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
