import { compactVerify, createLocalJWKSet } from "jose"
import { applyFaults, faultsAt } from "../faults/fault.js"
import { withQuery } from "./authorize.js"
import { endpointsOf } from "./endpoints.js"
import { sign } from "./id-token.js"
import type { UnsignedToken } from "./messages.js"
import type { LogoutSubject } from "./model.js"
import { type ProviderState, randomToken, secondsNow } from "./state.js"

type Params = Readonly<Record<string, string>>

/** OpenID Connect RP-Initiated Logout 1.0 §2 and §3. */
export async function endSession(
  op: ProviderState,
  endSessionUrl: string | URL,
): Promise<{ readonly location: string | undefined }> {
  const url = new URL(endSessionUrl)
  const { endSession: endpoint } = endpointsOf(op.issuer)
  if (`${url.origin}${url.pathname}` !== endpoint)
    throw new Error(`${url.origin}${url.pathname} isn't the end-session endpoint. Use ${endpoint}.`)
  const hint = url.searchParams.get("id_token_hint")
  if (hint !== null) await checkHint(op, hint)
  const target = url.searchParams.get("post_logout_redirect_uri")
  if (target === null) return { location: undefined }
  if (hint === null && url.searchParams.get("client_id") !== op.clientId) {
    throw new Error("A post_logout_redirect_uri needs an id_token_hint or the client_id. Add one.")
  }
  const state = url.searchParams.get("state")
  const correct: Params = state === null ? {} : { state }
  const sent = await applyFaults<Params, never>(correct, faultsAt(op.faults, "endSession"))
  return { location: withQuery(target, sent) }
}

/** The hint may have expired, but this provider must have signed it. */
async function checkHint(op: ProviderState, hint: string): Promise<void> {
  if (op.algorithm === "HS256") await compactVerify(hint, new TextEncoder().encode(op.clientSecret))
  else await compactVerify(hint, createLocalJWKSet(await op.keys.published()))
}

/** OpenID Connect Back-Channel Logout 1.0 §2.4. */
export async function logoutToken(
  op: ProviderState,
  { as, sid }: LogoutSubject,
  change: (token: UnsignedToken) => UnsignedToken | string = (token) => token,
): Promise<string> {
  const issuedAt = secondsNow(op)
  const claims = {
    iss: op.issuer,
    aud: op.clientId,
    iat: issuedAt,
    exp: issuedAt + 120,
    jti: randomToken("jti"),
    events: { "http://schemas.openid.net/event/backchannel-logout": {} },
    ...(as === undefined ? {} : { sub: op.people[as]?.sub ?? as }),
    ...(sid === undefined ? {} : { sid }),
  }
  return await sign(op, change({ header: await op.keys.header("logout+jwt"), claims }))
}
