import { createHash, generateKeyPairSync, randomBytes, sign } from "node:crypto"
import { ada, origin } from "./fixtures.mjs"

const issuer = "https://op.test"
const client = { id: "bench", secret: "bench-client-secret" }
const json = (body, status = 200) =>
  new Response(JSON.stringify(body), { status, headers: { "content-type": "application/json" } })
const base64url = (value) => Buffer.from(value).toString("base64url")
const seconds = () => Math.floor(Date.now() / 1000)

/**
 * A small OpenID provider as a fetch function, the same for every engine. Its work is synchronous, and `aside` sums up its
 * time so that the benchmark can subtract it: the provider signs the token, the engine verifies it.
 */
export function fakeProvider() {
  const { privateKey, publicKey } = generateKeyPairSync("rsa", { modulusLength: 2048 })
  const jwk = { ...publicKey.export({ format: "jwk" }), kid: "1", use: "sig", alg: "RS256" }
  const grants = new Map()
  const aside = { ms: 0 }

  const discovery = {
    issuer,
    authorization_endpoint: `${issuer}/authorize`,
    token_endpoint: `${issuer}/token`,
    userinfo_endpoint: `${issuer}/userinfo`,
    jwks_uri: `${issuer}/jwks`,
    response_types_supported: ["code"],
    subject_types_supported: ["public"],
    id_token_signing_alg_values_supported: ["RS256"],
    code_challenge_methods_supported: ["S256"],
    authorization_response_iss_parameter_supported: true,
  }
  const profile = { sub: ada.id, name: ada.name, email: ada.email, email_verified: true, picture: ada.image }

  function idToken(nonce) {
    const claims = {
      iss: issuer,
      aud: client.id,
      iat: seconds(),
      exp: seconds() + 300,
      ...profile,
      ...(nonce && { nonce }),
    }
    const input = `${base64url('{"alg":"RS256","kid":"1"}')}.${base64url(JSON.stringify(claims))}`
    return `${input}.${sign("sha256", input, privateKey).toString("base64url")}`
  }

  function token(form, authorization) {
    const grant = grants.get(form.get("code"))
    grants.delete(form.get("code"))
    const expected = `Basic ${btoa(`${client.id}:${client.secret}`)}`
    const known = authorization === expected || form.get("client_secret") === client.secret
    const verifier = createHash("sha256")
      .update(form.get("code_verifier") ?? "")
      .digest("base64url")
    if (!known || grant === undefined) return json({ error: "invalid_client" }, 401)
    if (verifier !== grant.challenge || form.get("redirect_uri") !== grant.redirectUri)
      return json({ error: "invalid_grant" }, 400)
    return json({
      access_token: "at",
      token_type: "Bearer",
      expires_in: 300,
      scope: "openid",
      id_token: idToken(grant.nonce),
    })
  }

  function answer(url, init) {
    const { pathname } = new URL(url)
    if (pathname === "/.well-known/openid-configuration") return json(discovery)
    if (pathname === "/jwks") return json({ keys: [jwk] })
    if (pathname === "/userinfo") return json(profile)
    if (pathname !== "/token") return json({ error: "not_found" }, 404)
    return token(new URLSearchParams(String(init.body)), new Headers(init.headers).get("authorization"))
  }

  /** Runs work that isn't the engine's. */
  function apart(work) {
    const start = performance.now()
    const result = work()
    aside.ms += performance.now() - start
    return result
  }

  /** Approves the request without asking. @returns {string} the URL that the browser is redirected to */
  function authorize(location) {
    const asked = new URL(location).searchParams
    const code = randomBytes(16).toString("hex")
    const redirectUri = asked.get("redirect_uri") ?? ""
    if (!redirectUri.startsWith(`${origin}/`))
      throw new Error(`The provider doesn't know the redirect URI ${redirectUri}`)
    grants.set(code, { challenge: asked.get("code_challenge"), nonce: asked.get("nonce"), redirectUri })
    const back = { code, iss: issuer, ...(asked.has("state") && { state: asked.get("state") }) }
    return `${redirectUri}?${new URLSearchParams(back)}`
  }

  return {
    issuer,
    client,
    aside,
    apart,
    authorize,
    fetch: async (url, init = {}) => apart(() => answer(String(url?.url ?? url), init)),
  }
}
