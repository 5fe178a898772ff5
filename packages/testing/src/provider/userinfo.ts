import { applyFaults, faultsAt } from "../faults/fault.js"
import { sign } from "./id-token.js"
import type { Answer, RecordedRequest, UnsignedToken } from "./messages.js"
import { claimsFor } from "./people.js"
import { send } from "./send.js"
import type { ProviderState } from "./state.js"

/** OpenID Connect Core §5.3. Accepts the token only in the header, because URLs end up in logs. */
export async function answerUserinfo(op: ProviderState, { headers }: RecordedRequest): Promise<Response> {
  const token = /^bearer (\S+)$/i.exec(headers.get("authorization") ?? "")?.[1]
  const access = op.accessTokens.get(token ?? "")
  if (access === undefined || op.now() >= access.expires) return unauthorized()
  const body = claimsFor(op.people, access.grant.user, access.grant.scope)
  const correct: Answer = { status: 200, headers: {}, body }
  const answer = await applyFaults<Answer, Response>(correct, faultsAt(op.faults, "userinfo"))
  if (answer instanceof Response || op.userinfo === "json") return send(answer)
  return await sendSigned(op, answer.body)
}

function unauthorized(): Response {
  const headers = { "www-authenticate": 'Bearer error="invalid_token"' }
  return send({ status: 401, headers, body: { error: "invalid_token" } })
}

/** OpenID Connect Core §5.3.2: a signed response contains the issuer and the audience. */
async function sendSigned(op: ProviderState, body: Readonly<Record<string, unknown>>): Promise<Response> {
  const claims = { ...body, iss: op.issuer, aud: op.clientId }
  const correct: UnsignedToken = { header: await op.keys.header("JWT"), claims }
  const token = await sign(op, await applyFaults<UnsignedToken, string>(correct, faultsAt(op.faults, "signedUserinfo")))
  return new Response(token, { headers: { "content-type": "application/jwt" } })
}
