import { generateKeyPairSync, sign } from "node:crypto"
import { Auth, customFetch } from "@latchkey/core"
import { memoryAdapter } from "@latchkey/adapter-kit/memory"
import type { AuthConfig, Fetch, LoggerInstance, SecurityMode } from "@latchkey/core/types"
import { expect } from "vitest"

/** Everything a provider sends, as text; each part can be replaced. */
export interface Words {
  readonly discovery: string
  readonly keys: string
  /** `@id_token` becomes the ID token made of `header` and `claims`. */
  readonly token: string
  readonly header: string
  /** `@nonce`, `@now` and `@later` become the nonce, the current time and the time of expiry. */
  readonly claims: string
  readonly userinfo: string
}

const { privateKey, publicKey } = generateKeyPairSync("ec", { namedCurve: "P-256" })
const issuer = "https://op.test"

/** What a correct provider sends. */
export const honest = {
  discovery: {
    issuer,
    authorization_endpoint: `${issuer}/authorize`,
    token_endpoint: `${issuer}/token`,
    userinfo_endpoint: `${issuer}/userinfo`,
    jwks_uri: `${issuer}/keys`,
    code_challenge_methods_supported: ["S256"],
    id_token_signing_alg_values_supported: ["ES256"],
    token_endpoint_auth_methods_supported: ["client_secret_basic"],
    authorization_response_iss_parameter_supported: true,
  },
  keys: { keys: [{ ...publicKey.export({ format: "jwk" }), kid: "k", use: "sig", alg: "ES256" }] },
  token: {
    access_token: "access",
    id_token: "@id_token",
    token_type: "Bearer",
    expires_in: 3600,
    refresh_token: "refresh",
    scope: "openid profile",
  },
  header: { alg: "ES256", kid: "k", typ: "JWT" },
  claims: {
    iss: issuer,
    sub: "ada",
    aud: "client",
    nonce: "@nonce",
    iat: "@now",
    exp: "@later",
    auth_time: "@now",
    name: "Ada",
    email: "ada@people.test",
    email_verified: true,
    picture: "https://op.test/ada.png",
  },
  userinfo: { sub: "ada", id: "ada", name: "Ada", email: "ada@people.test", email_verified: true, picture: null },
} as const

const spoken: Words = {
  discovery: JSON.stringify(honest.discovery),
  keys: JSON.stringify(honest.keys),
  token: JSON.stringify(honest.token),
  header: JSON.stringify(honest.header),
  claims: JSON.stringify(honest.claims),
  userinfo: JSON.stringify(honest.userinfo),
}

/** Status and headers of the provider's responses. */
export interface Manner {
  readonly status: number
  readonly type: string
}

export interface Attempt {
  readonly words?: Partial<Words>
  /** Of the endpoint with this path. */
  readonly manner?: { readonly at: string } & Manner
  readonly kind?: "oidc" | "oauth" | "userinfo"
  readonly mode?: SecurityMode
  readonly stored?: boolean
  /** Changes a signed token. */
  readonly tamper?: (idToken: string) => string
  /** Changes the callback. */
  readonly returning?: (params: URLSearchParams) => string
  /** Changes the flow cookie. */
  readonly flow?: (cookie: string) => string
}

export interface Sight {
  readonly responses: readonly Response[]
  readonly errors: readonly Error[]
  /** The final response of the session endpoint. */
  readonly session: unknown
  /** URLs of the requests. */
  readonly asked: readonly string[]
  readonly idToken: string
}

const base64 = (bytes: string | Uint8Array) => Buffer.from(bytes).toString("base64url")

function tokenOf({ header, claims }: Words, nonce: string): string {
  const now = Math.floor(Date.now() / 1000)
  const timed = claims.replaceAll('"@now"', String(now)).replaceAll('"@later"', String(now + 600))
  const text = `${base64(header)}.${base64(timed.replaceAll("@nonce", nonce))}`
  return `${text}.${base64(sign("sha256", Buffer.from(text), { key: privateKey, dsaEncoding: "ieee-p1363" }))}`
}

/** A whole sign-in at such a provider: the visible responses, the log and the final session. */
export async function signIn(attempt: Attempt): Promise<Sight> {
  const words = { ...spoken, ...attempt.words }
  const asked: string[] = []
  let idToken = ""
  let nonce = ""
  const fetch: Fetch = async (input) => {
    const { pathname, href } = new URL(input instanceof Request ? input.url : input)
    asked.push(href)
    const { status, type } =
      pathname === attempt.manner?.at ? attempt.manner : { status: 200, type: "application/json" }
    if (pathname === "/token") idToken = (attempt.tamper ?? String)(tokenOf(words, nonce))
    const { discovery, keys, token, userinfo } = words
    const said = { "/token": token.replaceAll("@id_token", idToken), "/userinfo": userinfo, "/keys": keys }[pathname]
    return new Response(status === 204 ? null : (said ?? discovery), { status, headers: { "content-type": type } })
  }
  const { config, errors } = application(attempt, fetch)
  const first = await Auth(post("/auth/signin/op", csrf.cookie, { csrfToken: csrf.token }), config)
  const to = new URL(first.headers.get("location") ?? "https://app.test")
  nonce = to.searchParams.get("nonce") ?? ""
  const params = new URLSearchParams({ code: "code", state: to.searchParams.get("state") ?? "", iss: issuer })
  const flow = (attempt.flow ?? String)(cookiesOf(first))
  const query = attempt.returning?.(params) ?? params.toString()
  const back = await Auth(
    new Request(`https://app.test/auth/callback/op?${query}`, { headers: { cookie: flow } }),
    config,
  )
  const seen = await Auth(
    new Request("https://app.test/auth/session", { headers: { cookie: cookiesOf(back) } }),
    config,
  )
  const session: unknown = await seen.json()
  return { responses: [first, back, seen], errors, session, asked, idToken }
}

const secret = "kV3b9QmT7xZ1cW5yR8nL2pD6fH4jS0gAeUiOqBtMvXs"

function application({ kind = "oidc", mode = "compatible", stored = false }: Attempt, fetch: Fetch) {
  const errors: Error[] = []
  const logger: Partial<LoggerInstance> = { error: (error) => void errors.push(error), warn: () => {}, debug: () => {} }
  const common = { id: "op", name: "Op", clientId: "client", clientSecret: "secret", [customFetch]: fetch }
  const endpoints = { authorization: `${issuer}/authorize`, token: `${issuer}/token`, userinfo: `${issuer}/userinfo` }
  const provider: AuthConfig["providers"][number] =
    kind === "oauth"
      ? { ...common, type: "oauth", issuer, ...endpoints }
      : {
          ...common,
          type: "oidc",
          issuer,
          checks: ["pkce", "state", "nonce"],
          ...(kind === "userinfo" ? { idToken: false } : {}),
        }
  const config: AuthConfig = {
    secret,
    security: mode,
    url: "https://app.test/auth",
    providers: [provider],
    rateLimit: false,
    logger,
    ...(stored || mode === "strict" ? { adapter: memoryAdapter() } : {}),
  }
  return { config, errors }
}

export function post(path: string, cookie: string, fields: Readonly<Record<string, string>>): Request {
  return new Request(`https://app.test${path}`, {
    method: "POST",
    headers: { cookie },
    body: new URLSearchParams(fields),
  })
}

export function cookiesOf(response: Response): string {
  return response.headers
    .getSetCookie()
    .map((line) => line.split(";", 1)[0])
    .join("; ")
}

/** A secret that both modes accept. */
const csrf = await csrfOf()

async function csrfOf(): Promise<{ readonly token: string; readonly cookie: string }> {
  const { config } = application({}, () => Promise.reject(new Error("No response")))
  const response = await Auth(new Request("https://app.test/auth/csrf"), config)
  const body: unknown = await response.json()
  const token = typeof body === "object" && body !== null && "csrfToken" in body ? String(body.csrfToken) : ""
  expect(token).not.toBe("")
  return { token, cookie: cookiesOf(response) }
}
