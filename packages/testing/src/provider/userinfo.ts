import { liarsAbout, tell } from "../lies/lie.js"
import { seal } from "./id-token.js"
import type { Answer, RecordedRequest, UnsignedToken } from "./messages.js"
import { claimsFor } from "./people.js"
import { send } from "./send.js"
import type { ProviderState } from "./state.js"

/** OpenID Connect Core §5.3. The token is taken from the header only: in a URL it would end up in logs. */
export async function answerUserinfo(op: ProviderState, { headers }: RecordedRequest): Promise<Response> {
  const token = /^bearer (\S+)$/i.exec(headers.get("authorization") ?? "")?.[1]
  const access = op.accessTokens.get(token ?? "")
  if (access === undefined || op.now() >= access.expires) return unauthorized()
  const claims = claimsFor(op.people, access.grant.person, access.grant.scope)
  const told = await tell<Answer, Response>({ status: 200, headers: {}, body: claims }, liarsAbout(op.lies, "userinfo"))
  if (told instanceof Response || op.userinfo === "json") return send(told)
  return await sendSigned(op, told.body)
}

function unauthorized(): Response {
  const headers = { "www-authenticate": 'Bearer error="invalid_token"' }
  return send({ status: 401, headers, body: { error: "invalid_token" } })
}

/** OpenID Connect Core §5.3.2: a signed answer names issuer and audience. */
async function sendSigned(op: ProviderState, body: Readonly<Record<string, unknown>>): Promise<Response> {
  const claims = { ...body, iss: op.issuer, aud: op.clientId }
  const truth: UnsignedToken = { header: await op.keys.header("JWT"), claims }
  const token = await seal(op, await tell<UnsignedToken, string>(truth, liarsAbout(op.lies, "signedUserinfo")))
  return new Response(token, { headers: { "content-type": "application/jwt" } })
}
