import type { AuthorizationAnswer } from "@latchkey/testing"
import { client } from "../facts.js"
import { compare, type Context, type Grant } from "./context.js"

/** The authorization endpoint (RFC 6749 §4.1.1 and §4.1.2). Every parameter is expected, and none is missing. */
export function authorize(context: Context, url: URL): { readonly grant: Grant; readonly answer: AuthorizationAnswer } {
  const { facts, endpoints, mismatch } = context
  const params = Object.fromEntries(url.searchParams)
  if (withoutQuery(url) !== withoutQuery(endpoints.authorization))
    mismatch(`authorization: sent to ${withoutQuery(url)}`)
  if (url.search.includes("+")) mismatch("authorization: a space is encoded as +")
  if ([...url.searchParams].length !== Object.keys(params).length) mismatch("authorization: a parameter is repeated")
  const expected = context.quirks.reduce(
    (fields, quirk) => quirk.expects?.(fields, params) ?? fields,
    expectedParams(context, params),
  )
  compare(context, "authorization", params, expected)

  const grant: Grant = {
    code: `code/of ${facts.id}`,
    redirectUri: params["redirect_uri"] ?? "",
    scope: params["scope"],
    challenge: params["code_challenge"],
    nonce: params["nonce"],
    params,
    accessToken: `access-${context.now()}`,
  }
  const accessToken = context.quirks.find((quirk) => quirk.accessToken)?.accessToken?.(grant) ?? grant.accessToken
  return { grant: { ...grant, accessToken }, answer: callback(context, grant) }
}

function expectedParams(
  { facts, endpoints }: Context,
  received: Readonly<Record<string, string>>,
): Record<string, string> {
  return {
    ...Object.fromEntries(endpoints.authorization.searchParams),
    response_type: "code",
    client_id: client.clientId,
    redirect_uri: `https://app.test/auth/callback/${facts.id}`,
    ...facts.authorization.params,
    state: random(received["state"]),
    ...(facts.checks.includes("pkce")
      ? { code_challenge: random(received["code_challenge"]), code_challenge_method: facts.pkce ?? "S256" }
      : {}),
    ...(facts.checks.includes("nonce") ? { nonce: random(received["nonce"]) } : {}),
  }
}

/** Accepts any value with enough randomness. */
function random(value: string | undefined): string {
  return value !== undefined && /^[\w-]{43,}$/.test(value) ? value : "43 random characters"
}

function callback({ facts, quirks }: Context, { params, code, redirectUri }: Grant): AuthorizationAnswer {
  const location = new URL(redirectUri)
  const fields = { code, state: params["state"] ?? "", ...facts.callback }
  for (const [name, value] of Object.entries(fields)) location.searchParams.set(name, value)
  const redirect: AuthorizationAnswer = { method: "GET", location: location.href }
  return quirks.reduce<AuthorizationAnswer>((answer, quirk) => quirk.callback?.(answer) ?? answer, redirect)
}

function withoutQuery(url: URL): string {
  return url.origin + url.pathname + url.hash
}
