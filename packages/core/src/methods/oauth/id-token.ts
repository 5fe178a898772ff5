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
  assertAge(Math.floor(auth.runtime.now() / 1000) - claims.iat, provider)
  if (!/^[\x20-\x7E]{1,255}$/.test(claims.sub)) {
    throw new ProviderError("The `sub` of the ID token isn't 1 to 255 ASCII characters")
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

/** `client.id_token_max_age` (seconds) allows for servers that issue older tokens. */
function assertAge(age: number, { client }: OAuthProvider): void {
  if (age >= -skew && age <= (client.id_token_max_age ?? oldest)) return
  throw new ProviderError("The ID token wasn't issued just now. Compare the clocks of both servers")
}

function assertAuthentication({ acr }: Flow, claims: IDToken): void {
  if (acr === undefined || acr.split(" ").some((wanted) => wanted === claims["acr"])) return
  throw new ProviderError("The user wasn't authenticated at the requested level (`acr`)")
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
