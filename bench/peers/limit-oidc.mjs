import { createHash, createPublicKey, timingSafeEqual, verify } from "node:crypto"
import { basePath, origin, secret, sessionCookie } from "../fixtures.mjs"
import { attributes, pushToken, random, sealerOf, seconds, sha256, valueAfter } from "./limit-tokens.mjs"

// The limit of an OpenID sign-in, and what it has in common with the other forms.

export const month = 30 * 86_400
export const csrfCookie = "__Host-authjs.csrf-token"
export const callbackCookie = "__Secure-authjs.callback-url"
export const customFetch = Symbol("fetch of a provider")
export const session = sealerOf(secret, sessionCookie)

/** The CSRF token that a cookie holds, if its hash is right. */
export function csrfIn(header) {
  const [token = "", hash = ""] =
    (header === null ? undefined : valueAfter(header, `${csrfCookie}=`))?.split("%7C") ?? []
  const expected = sha256(token + secret)
  return hash.length === expected.length && timingSafeEqual(Buffer.from(hash), Buffer.from(expected))
    ? token
    : undefined
}

export const hasToken = (header, sent) => sent !== undefined && csrfIn(header) === sent

export const redirect = (location, headers = []) =>
  new Response(null, { status: 302, headers: [["location", location], ...headers] })
export const refuse = (error) => redirect(`${origin}${basePath}/signin?error=${error}`)

const checks = ["state", "code_verifier", "nonce"].map((kind) => {
  const name = `__Secure-authjs.${kind}`
  return { kind, name, sealer: sealerOf(secret, name) }
})
const checkAge = 900

/** Discovery and the key of the provider are read once. Its ID tokens are verified, as Latchkey does. */
export function oidcRoutes({ issuer, clientId, clientSecret, [customFetch]: fetch }) {
  const redirectUri = `${origin}${basePath}/callback/op`
  const basic = `Basic ${Buffer.from(`${clientId}:${clientSecret}`).toString("base64")}`
  const parameters = new URLSearchParams({
    response_type: "code",
    client_id: clientId,
    redirect_uri: redirectUri,
    scope: "openid profile email",
    code_challenge_method: "S256",
  })
  let known
  const server = async () => {
    const found = await (await fetch(`${issuer}/.well-known/openid-configuration`)).json()
    const { keys } = await (await fetch(found.jwks_uri)).json()
    return {
      ...found,
      key: createPublicKey({ key: keys[0], format: "jwk" }),
      start: `${found.authorization_endpoint}?${parameters}`,
    }
  }

  return {
    async start(request) {
      const form = new URLSearchParams(await request.text())
      if (!hasToken(request.headers.get("cookie"), form.get("csrfToken"))) return refuse("MissingCSRF")
      known ??= await server()
      const [state, verifier, nonce] = checks.map(() => random(32).toString("base64url"))
      const challenge = createHash("sha256").update(verifier).digest("base64url")
      const headers = []
      for (const [index, value] of [state, verifier, nonce].entries()) {
        const { name, sealer } = checks[index]
        pushToken(headers, name, sealer.seal({ value, provider: "op" }, checkAge), checkAge)
      }
      headers.push(["set-cookie", `${callbackCookie}=${encodeURIComponent(form.get("callbackUrl"))}${attributes}`])
      return redirect(`${known.start}&state=${state}&nonce=${nonce}&code_challenge=${challenge}`, headers)
    },

    async finish(request) {
      const query = new URL(request.url).searchParams
      const header = request.headers.get("cookie")
      const [state, verifier, nonce] = checks.map(
        ({ name, sealer }) => sealer.open(valueAfter(header, `${name}=`) ?? "")?.value,
      )
      if (state === undefined || state !== query.get("state") || query.get("iss") !== issuer)
        return refuse("OAuthCallbackError")
      const body = new URLSearchParams({
        grant_type: "authorization_code",
        code: query.get("code"),
        redirect_uri: redirectUri,
        code_verifier: verifier,
      })
      const headers = { authorization: basic, "content-type": "application/x-www-form-urlencoded" }
      const { id_token } = await (await fetch(known.token_endpoint, { method: "POST", headers, body })).json()
      const end = id_token.lastIndexOf(".")
      const content = id_token.slice(0, end)
      if (!verify("sha256", content, known.key, Buffer.from(id_token.slice(end + 1), "base64url")))
        return refuse("OAuthCallbackError")
      const claims = JSON.parse(Buffer.from(content.slice(content.indexOf(".") + 1), "base64url"))
      const isOurs =
        claims.iss === issuer && claims.aud === clientId && claims.nonce === nonce && claims.exp > seconds()
      if (!isOurs) return refuse("OAuthCallbackError")
      const { name, email, picture, sub } = claims
      const set = checks.map((check) => ["set-cookie", `${check.name}=; Max-Age=0${attributes}`])
      pushToken(set, sessionCookie, session.seal({ name, email, picture, sub }, month), month)
      return redirect(decodeURIComponent(valueAfter(header, `${callbackCookie}=`)), set)
    },
  }
}
