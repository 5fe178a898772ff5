import { calculateJwkThumbprint, exportJWK, generateKeyPair, SignJWT } from "jose"
import { client, type Json } from "../facts.js"
import type { Context, Grant, Received, Reply } from "./context.js"

type Algorithm = "RS256" | "ES256"

const keys = new Map<Algorithm, ReturnType<typeof generateKey>>()

async function generateKey(alg: Algorithm) {
  const { privateKey, publicKey } = await generateKeyPair(alg)
  const jwk = await exportJWK(publicKey)
  const kid = await calculateJwkThumbprint(jwk)
  return { privateKey, kid, published: { ...jwk, kid, alg, use: "sig" } }
}

/** All services share one key, because generating an RSA key is slow. */
function keyFor(alg: Algorithm) {
  const key = keys.get(alg) ?? generateKey(alg)
  keys.set(alg, key)
  return key
}

/** Signs with the published key. */
export async function sign({ facts }: Context, claims: Json): Promise<string> {
  const { alg = "RS256" } = facts
  const { privateKey, kid } = await keyFor(alg)
  return new SignJWT({ ...claims }).setProtectedHeader({ alg, kid }).sign(privateKey)
}

/** The claims of every JWT from this service. */
export function commonClaims({ facts, now }: Context): Json {
  const issuer = facts.discovery?.tokenIssuer ?? facts.discovery?.issuer
  const seconds = Math.floor(now() / 1000)
  return { iss: issuer, aud: client.clientId, iat: seconds, exp: seconds + 300 }
}

/** OpenID Connect Core 1.0 §2. */
export async function idToken(context: Context, grant: Grant): Promise<string> {
  const { facts, quirks } = context
  const profile = quirks.reduce(
    (claims, quirk) => quirk.claims?.(claims, grant) ?? claims,
    facts.claims ?? facts.samples[0].profile,
  )
  const claims = { ...profile, ...commonClaims(context), ...(grant.nonce === undefined ? {} : { nonce: grant.nonce }) }
  return (await quirks.find((quirk) => quirk.sign)?.sign?.(claims, context)) ?? sign(context, claims)
}

/** OpenID Connect Discovery 1.0 §3. It offers both authentication methods, so that the provider's own choice shows. */
export async function discoveryDocument(
  { facts, endpoints, quirks, mismatch }: Context,
  { url }: Received,
): Promise<Reply> {
  if (url.href !== facts.discovery?.at) mismatch(`discovery: requested from ${url.href}`)
  const document = {
    issuer: facts.discovery?.issuer,
    authorization_endpoint: endpoints.authorization.href,
    token_endpoint: endpoints.token.href,
    userinfo_endpoint: endpoints.userinfo?.href,
    jwks_uri: endpoints.jwks.href,
    response_types_supported: ["code"],
    token_endpoint_auth_methods_supported: ["client_secret_basic", "client_secret_post"],
    id_token_signing_alg_values_supported: [facts.alg ?? "RS256"],
    ...(facts.checks.includes("pkce") ? { code_challenge_methods_supported: ["S256"] } : {}),
  }
  const body = quirks.reduce<Json>((rest, quirk) => quirk.document?.(rest) ?? rest, document)
  return { status: 200, headers: {}, body }
}

export async function keySet({ facts }: Context): Promise<Reply> {
  const { published } = await keyFor(facts.alg ?? "RS256")
  return { status: 200, headers: {}, body: { keys: [published] } }
}
