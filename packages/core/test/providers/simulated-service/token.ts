import { createHash } from "node:crypto"
import { client, type Facts, type Json, type TokenFacts } from "../facts.js"
import { compare, compareHeaders, type Context, type Grant, type Received, type Reply, wrap } from "./context.js"
import { idToken } from "./documents.js"

/** The token endpoint (RFC 6749 §4.1.3 and §5.1). A code works once. */
export async function exchangeCode(context: Context, request: Received, grants: Map<string, Grant>): Promise<Reply> {
  const { facts, mismatch } = context
  const fields = fieldsOf(context, request)
  const code = fields["code"] ?? fields["assertion"] ?? ""
  const grant = grants.get(code)
  grants.delete(code)
  if (grant === undefined) {
    mismatch(`token: the code ${JSON.stringify(code)} is unknown or was used before`)
    return refusal(context)
  }
  checkRequest(context, request)
  const expected = context.quirks.reduce(
    (rest, quirk) => quirk.expects?.(rest, fields) ?? rest,
    expectedFields(facts, grant, fields),
  )
  compare(context, "token", fields, expected)
  grants.set(grant.accessToken, grant)
  return withQuirks(context, { status: 200, headers: {}, body: await tokens(context, grant) }, true)
}

/** The error response, in the format of this service. */
export function refusal(context: Context): Promise<Reply> {
  const { status, body } = context.facts.refusal ?? { status: 400, body: { error: "invalid_grant" } }
  return withQuirks(context, { status, headers: {}, body }, false)
}

async function withQuirks({ quirks }: Context, reply: Reply, granted: boolean): Promise<Reply> {
  let changed = reply
  for (const quirk of quirks) changed = (await quirk.token?.(changed, granted)) ?? changed
  return changed
}

/** The fields of the body and of the query, without the query of the endpoint itself. */
function fieldsOf({ endpoints }: Context, { url, text }: Received): Record<string, string> {
  const own = endpoints.token.searchParams
  const query = [...url.searchParams].filter(([name, value]) => own.get(name) !== value)
  return Object.fromEntries([...query, ...new URLSearchParams(text)])
}

function checkRequest(context: Context, request: Received): void {
  const { facts, endpoints, mismatch } = context
  const { method, url, headers } = request
  const isForm = headers.get("content-type") === "application/x-www-form-urlencoded"
  // A request with its fields in the query needs no body.
  if (facts.token.query === undefined && (method !== "POST" || url.search !== endpoints.token.search))
    mismatch(`token: sent to ${url.href} with ${method}`)
  if (method === "POST" && !isForm) mismatch(`token: the content type is ${headers.get("content-type")}`)
  if (headers.get("accept")?.includes("application/json") !== true) mismatch("token: `accept` doesn't include JSON")
  if (!authenticates(facts.token, headers.get("authorization")))
    mismatch("token: the client authenticates with another method")
  compareHeaders(context, "token", request, facts.token.headers)
}

/** RFC 6749 §2.3.1. A service with fields of its own ignores the header. */
function authenticates({ auth }: TokenFacts, header: string | null): boolean {
  const basic = `Basic ${btoa(`${client.clientId}:${encodeURIComponent(client.clientSecret)}`)}`
  if (auth === "client_secret_basic") return header === basic
  return header === null || (auth === "own" && header === basic)
}

function expectedFields(
  { token }: Facts,
  { code, redirectUri, challenge, params }: Grant,
  { code_verifier: verifier = "" }: Readonly<Record<string, string>>,
): Record<string, string> {
  const { clientId, clientSecret } = client
  if (token.replaces !== undefined) {
    const entries = Object.entries(token.replaces)
    return Object.fromEntries(
      entries.map(([name, value]) => [name, value.replace("{code}", code).replace("{redirect_uri}", redirectUri)]),
    )
  }
  const matches = (params["code_challenge_method"] === "plain" ? verifier : hashed(verifier)) === challenge
  return {
    grant_type: "authorization_code",
    code,
    redirect_uri: redirectUri,
    ...(challenge === undefined ? {} : { code_verifier: matches ? verifier : "the verifier of the challenge" }),
    ...(token.auth === "client_secret_post" ? { client_id: clientId, client_secret: clientSecret } : {}),
    ...(token.auth === "none" ? { client_id: clientId } : {}),
    ...token.query,
    ...token.form,
  }
}

function hashed(verifier: string): string {
  return createHash("sha256").update(verifier).digest("base64url")
}

async function tokens(context: Context, grant: Grant): Promise<Json> {
  const { token, type } = context.facts
  const { scope, accessToken } = grant
  const fields = {
    access_token: accessToken,
    token_type: "Bearer",
    expires_in: 3600,
    ...(scope === undefined || scope === "" ? {} : { scope }),
    ...(type === "oidc" ? { id_token: await idToken(context, grant) } : {}),
    ...token.answer,
  }
  return { ...token.around, ...Object(wrap(fields, token.envelope)) }
}
