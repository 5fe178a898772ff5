import { calculateJwkThumbprint, exportJWK, generateKeyPair, SignJWT } from "jose"
import { client, type Json } from "../facts.js"
import type { Desk, Grant, Seen, Wire } from "./desk.js"

type Algorithm = "RS256" | "ES256"

const made = new Map<Algorithm, ReturnType<typeof makeKey>>()

async function makeKey(alg: Algorithm) {
  const { privateKey, publicKey } = await generateKeyPair(alg)
  const jwk = await exportJWK(publicKey)
  const kid = await calculateJwkThumbprint(jwk)
  return { privateKey, kid, published: { ...jwk, kid, alg, use: "sig" } }
}

/** One for all services, which take long to make. */
function keyOf(alg: Algorithm) {
  const key = made.get(alg) ?? makeKey(alg)
  made.set(alg, key)
  return key
}

/** Signs with the published key. */
export async function sign({ facts }: Desk, claims: Json): Promise<string> {
  const { alg = "RS256" } = facts
  const { privateKey, kid } = await keyOf(alg)
  return new SignJWT({ ...claims }).setProtectedHeader({ alg, kid }).sign(privateKey)
}

/** What every JWT of this service says of itself. */
export function envelope({ facts, now }: Desk): Json {
  const issuer = facts.discovery?.tokenIssuer ?? facts.discovery?.issuer
  const seconds = Math.floor(now() / 1000)
  return { iss: issuer, aud: client.clientId, iat: seconds, exp: seconds + 300 }
}

/** OpenID Connect Core §2: the claims about the person, for this client and this attempt. */
export async function idToken(desk: Desk, grant: Grant): Promise<string> {
  const { facts, quirks } = desk
  const about = quirks.reduce(
    (rest, quirk) => quirk.claims?.(rest, grant) ?? rest,
    facts.claims ?? facts.samples[0].profile,
  )
  const claims = { ...about, ...envelope(desk), ...(grant.nonce === undefined ? {} : { nonce: grant.nonce }) }
  return (await quirks.find((quirk) => quirk.sign)?.sign?.(claims, desk)) ?? sign(desk, claims)
}

/** OpenID Connect Discovery 1.0 §3. Both ways to authenticate, so that the facts decide and not the document. */
export async function discoveryDocument({ facts, places, quirks, complain }: Desk, { url }: Seen): Promise<Wire> {
  if (url.href !== facts.discovery?.at) complain(`discovery: asked for at ${url.href}`)
  const document = {
    issuer: facts.discovery?.issuer,
    authorization_endpoint: places.authorization.href,
    token_endpoint: places.token.href,
    userinfo_endpoint: places.userinfo?.href,
    jwks_uri: places.jwks.href,
    response_types_supported: ["code"],
    token_endpoint_auth_methods_supported: ["client_secret_basic", "client_secret_post"],
    id_token_signing_alg_values_supported: [facts.alg ?? "RS256"],
    ...(facts.checks.includes("pkce") ? { code_challenge_methods_supported: ["S256"] } : {}),
  }
  const body = quirks.reduce<Json>((rest, quirk) => quirk.document?.(rest) ?? rest, document)
  return { status: 200, headers: {}, body }
}

export async function keySet({ facts }: Desk): Promise<Wire> {
  const { published } = await keyOf(facts.alg ?? "RS256")
  return { status: 200, headers: {}, body: { keys: [published] } }
}
