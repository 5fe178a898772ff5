import { applyFaults, faultsAt } from "../faults/fault.js"
import type { UnsignedToken } from "./messages.js"
import { claimsFor } from "./people.js"
import { type Grant, type ProviderState, secondsNow } from "./state.js"

/** OpenID Connect Core §2. */
export async function idTokenFor(
  op: ProviderState,
  grant: Grant,
  { nonce, accessToken }: { readonly nonce: string | undefined; readonly accessToken: string },
): Promise<string> {
  const issuedAt = secondsNow(op)
  const claims = {
    ...claimsFor(op.people, grant.user, grant.scope),
    iss: op.issuer,
    aud: op.clientId,
    iat: issuedAt,
    exp: issuedAt + op.lifetime,
    sid: grant.sid,
    at_hash: await accessTokenHash(op.algorithm, accessToken),
    ...(nonce === undefined ? {} : { nonce }),
    ...(grant.acr === undefined ? {} : { acr: grant.acr }),
    ...(grant.wantsAuthTime ? { auth_time: grant.authTime } : {}),
  }
  const correct: UnsignedToken = { header: await op.keys.header("JWT"), claims }
  return await sign(op, await applyFaults<UnsignedToken, string>(correct, faultsAt(op.faults, "idToken")))
}

export async function sign(op: ProviderState, token: UnsignedToken | string): Promise<string> {
  return typeof token === "string" ? token : await op.keys.sign(token)
}

/** OpenID Connect Core §3.1.3.6: the left half of the hash that the signature algorithm uses. Ed25519 uses SHA-512. */
async function accessTokenHash(algorithm: string, accessToken: string): Promise<string> {
  const bits = algorithm === "EdDSA" ? "512" : algorithm.slice(2)
  const digest = await crypto.subtle.digest(`SHA-${bits}`, new TextEncoder().encode(accessToken))
  return Buffer.from(digest.slice(0, digest.byteLength / 2)).toString("base64url")
}
