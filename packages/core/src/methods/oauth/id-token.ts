import { platform } from "#crypto"
import type { IDToken } from "oauth4webapi"
import { toBase64Url } from "../../crypto/digest.js"
import { AuthError } from "../../errors.js"
import type { AuthContext } from "../../model/auth.js"
import type { OAuthProvider } from "../../model/oauth-provider.js"
import type { Flow } from "./flow.js"
import { decodeBytes, decodeText } from "./keys.js"
import { parseObject, ProviderError } from "./guarded-fetch.js"
import { originOf } from "./server.js"
import type { Server } from "./server.js"

/** Seconds: clocks differ, but not by more. */
const skew = 60
/** Seconds since it was made: a token of the code flow is minutes old at most. */
const oldest = 600

/**
 * The issuer that this ID token must name. One server of many tenants has an issuer for each: `issuerFor` computes
 * it from the still unproven claims, and everything is then proven against the result.
 *
 * @throws AuthError when the issuer is not known; ProviderFault when the hook leaves the provider's origin
 */
export function tenantIssuer({ id, issuerFor, client }: OAuthProvider, { issuer }: Server, idToken: unknown): string {
  if (issuer === undefined)
    throw new AuthError(`The provider "${id}" has no issuer to check its ID tokens against: set \`issuer\``)
  if (client.id_token_signed_response_alg === "none") {
    throw new AuthError(
      `The provider "${id}" is configured for unsigned ID tokens: remove \`id_token_signed_response_alg\``,
    )
  }
  if (issuerFor === undefined || typeof idToken !== "string") return issuer
  const expected = issuerFor(parseObject(decodeText(idToken.split(".")[1] ?? ""), "ID token"), issuer)
  if (originOf(expected) !== originOf(issuer)) throw new ProviderError("The ID token names a tenant of another server")
  return expected
}

/** Unsigned tokens and shared secrets have to be agreed upon, whatever a server advertises (RFC 8725 §3.1). */
export function publicKeyAlgorithms(advertised: readonly string[] | undefined): string[] | undefined {
  const algorithms = advertised?.filter((alg) => alg !== "none" && !alg.startsWith("HS"))
  return algorithms?.length === 0 ? undefined : algorithms
}

/** What the protocol library leaves open of OpenID Connect Core §2 and §3.1.3.7. */
export async function assertIdToken(exchange: Expected, { claims, jwt, accessToken }: Received): Promise<void> {
  const { auth, provider, flow } = exchange
  // The library overlooks space in a signature; a token has one spelling (RFC 7515 §2).
  decodeBytes(jwt.split(".")[2] ?? "")
  assertAge(Math.floor(auth.runtime.now() / 1000) - claims.iat, provider)
  if (!/^[\x20-\x7E]{1,255}$/.test(claims.sub)) {
    throw new ProviderError("The `sub` of the ID token is not 1 to 255 ASCII characters")
  }
  if (claims.azp !== undefined && claims.azp !== provider.clientId) {
    throw new ProviderError("The ID token was issued to another client")
  }
  if (!auth.security.enforceIssuerChecks) return
  assertAuthentication(flow, claims)
  await assertAccessTokenHash(jwt, claims, accessToken)
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

/** `client.id_token_max_age` (seconds) forgives servers that hand out older tokens. */
function assertAge(age: number, { client }: OAuthProvider): void {
  if (age >= -skew && age <= (client.id_token_max_age ?? oldest)) return
  throw new ProviderError("The ID token was not made just now: compare the clocks")
}

function assertAuthentication({ acr }: Flow, claims: IDToken): void {
  if (acr === undefined || acr.split(" ").some((wanted) => wanted === claims["acr"])) return
  throw new ProviderError("The person was not authenticated in the way that was asked for")
}

/** OpenID Connect Core §3.1.3.8: whether the access token is the one that came with this ID token. */
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
    throw new ProviderError("The access token is not the ID token's")
  }
}

const hashes = [
  [/256$/, "SHA-256"],
  [/512$|^Ed/, "SHA-512"],
] as const
