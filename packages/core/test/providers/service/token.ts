import { createHash } from "node:crypto"
import { client, type Facts, type Json, type TokenFacts } from "../facts.js"
import { compare, compareHeaders, type Desk, type Grant, type Seen, type Wire, wrap } from "./desk.js"
import { idToken } from "./openid.js"

/** RFC 6749 §4.1.3 and §5.1: tokens for a code, once, if everything about the request is right. */
export async function exchange(desk: Desk, seen: Seen, grants: Map<string, Grant>): Promise<Wire> {
  const { facts, complain } = desk
  const fields = fieldsOf(desk, seen)
  const code = fields["code"] ?? fields["assertion"] ?? ""
  const grant = grants.get(code)
  grants.delete(code)
  if (grant === undefined) {
    complain(`token: the code ${JSON.stringify(code)} is unknown or was used before`)
    return refuse(desk)
  }
  checkRequest(desk, seen)
  const expected = desk.quirks.reduce(
    (rest, quirk) => quirk.expects?.(rest, fields) ?? rest,
    expectedOf(facts, grant, fields),
  )
  compare(desk, "token", fields, expected)
  grants.set(grant.accessToken, grant)
  return said(desk, { status: 200, headers: {}, body: await granted(desk, grant) }, true)
}

/** In the words of this service. */
export function refuse(desk: Desk): Promise<Wire> {
  const { status, body } = desk.facts.refusal ?? { status: 400, body: { error: "invalid_grant" } }
  return said(desk, { status, headers: {}, body }, false)
}

async function said({ quirks }: Desk, answer: Wire, isGrant: boolean): Promise<Wire> {
  let wire = answer
  for (const quirk of quirks) wire = (await quirk.token?.(wire, isGrant)) ?? wire
  return wire
}

/** What the request says, wherever it says it: of the query only what is not part of the address. */
function fieldsOf({ places }: Desk, { url, text }: Seen): Record<string, string> {
  const own = places.token.searchParams
  const query = [...url.searchParams].filter(([name, value]) => own.get(name) !== value)
  return Object.fromEntries([...query, ...new URLSearchParams(text)])
}

function checkRequest(desk: Desk, seen: Seen): void {
  const { facts, places, complain } = desk
  const { method, url, headers } = seen
  const isForm = headers.get("content-type") === "application/x-www-form-urlencoded"
  // A request whose fields are in the query needs no body.
  if (facts.token.query === undefined && (method !== "POST" || url.search !== places.token.search))
    complain(`token: sent to ${url.href} with ${method}`)
  if (method === "POST" && !isForm) complain(`token: the content type is ${headers.get("content-type")}`)
  if (headers.get("accept")?.includes("application/json") !== true) complain("token: JSON is not asked for")
  if (!authenticates(facts.token, headers.get("authorization")))
    complain("token: the client does not authenticate as agreed")
  compareHeaders(desk, "token", seen, facts.token.headers)
}

/** RFC 6749 §2.3.1. Whoever wants fields of its own passes over the header. */
function authenticates({ auth }: TokenFacts, header: string | null): boolean {
  const basic = `Basic ${btoa(`${client.clientId}:${encodeURIComponent(client.clientSecret)}`)}`
  if (auth === "client_secret_basic") return header === basic
  return header === null || (auth === "own" && header === basic)
}

/** `came` has the verifier, which only its challenge can prove. */
function expectedOf(
  { token }: Facts,
  { code, redirectUri, challenge, asked }: Grant,
  { code_verifier: verifier = "" }: Readonly<Record<string, string>>,
): Record<string, string> {
  const { clientId, clientSecret } = client
  if (token.replaces !== undefined) {
    const entries = Object.entries(token.replaces)
    return Object.fromEntries(
      entries.map(([name, value]) => [name, value.replace("{code}", code).replace("{redirect_uri}", redirectUri)]),
    )
  }
  const proven = (asked["code_challenge_method"] === "plain" ? verifier : hashed(verifier)) === challenge
  return {
    grant_type: "authorization_code",
    code,
    redirect_uri: redirectUri,
    ...(challenge === undefined ? {} : { code_verifier: proven ? verifier : "what was hashed into the challenge" }),
    ...(token.auth === "client_secret_post" ? { client_id: clientId, client_secret: clientSecret } : {}),
    ...(token.auth === "none" ? { client_id: clientId } : {}),
    ...token.query,
    ...token.form,
  }
}

function hashed(verifier: string): string {
  return createHash("sha256").update(verifier).digest("base64url")
}

async function granted(desk: Desk, grant: Grant): Promise<Json> {
  const { token, type } = desk.facts
  const { scope, accessToken } = grant
  const tokens = {
    access_token: accessToken,
    token_type: "Bearer",
    expires_in: 3600,
    ...(scope === undefined || scope === "" ? {} : { scope }),
    ...(type === "oidc" ? { id_token: await idToken(desk, grant) } : {}),
    ...token.answer,
  }
  return { ...token.around, ...Object(wrap(tokens, token.envelope)) }
}
