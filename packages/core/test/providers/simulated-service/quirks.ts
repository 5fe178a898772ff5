import { generateKeyPairSync, verify } from "node:crypto"
import { SignJWT } from "jose"
import { client, isObject, type Json } from "../facts.js"
import type { Quirk, Reply } from "./context.js"
import { commonClaims, sign } from "./documents.js"

/** The quirks that take code to simulate. A service plays the ones that its facts name. */
export const quirks: Readonly<Record<string, Quirk>> = {
  /** Dots and length must make no difference. */
  "access-token-is-jwt": {
    accessToken: ({ accessToken }) => [{ alg: "RS256" }, { sub: accessToken }, "signature"].map(encoded).join("."),
  },
  /** The documented scheme is `OAuth`. `Bearer` works too. */
  "authorization-scheme-oauth": {
    carries: ({ headers }, accessToken) => headers.get("authorization") === `OAuth ${accessToken}`,
  },
  /** OAuth 2.0 Form Post Response Mode. */
  "callback-form-post": {
    callback: (answer) => {
      if (answer.method === "POST") return answer
      const url = new URL(answer.location)
      return { method: "POST", action: url.origin + url.pathname, fields: Object.fromEntries(url.searchParams) }
    },
  },
  /** The ID token has only the claims requested with `claims` (OpenID Connect Core 1.0 §5.5). */
  "claims-parameter": {
    claims: (claims, { params }) => {
      const wanted: unknown = JSON.parse(params["claims"] ?? "{}")
      const names = isObject(wanted) && isObject(wanted["id_token"]) ? Object.keys(wanted["id_token"]) : []
      return Object.fromEntries(Object.entries(claims).filter(([name]) => name === "sub" || names.includes(name)))
    },
  },
  /** The client id has another name. The service ignores the usual one. */
  "client-key-naming": {
    expects: (fields, received) => {
      const { client_id: id, ...rest } = fields
      return id === undefined || received["client_id"] === undefined ? rest : fields
    },
  },
  /** The client secret can be a JWT that the developer's key signed for this client. */
  "client-secret-jwt": {
    expects: (fields, { client_secret: secret }) =>
      secret !== undefined && isClientSecret(secret) ? { ...fields, client_secret: secret } : fields,
  },
  "discovery-without-userinfo": {
    document: (document) => ({ ...document, userinfo_endpoint: undefined }),
  },
  "expires-in-string": {
    token: (reply, granted) => (granted ? changed(reply, { expires_in: "3600" }) : reply),
  },
  /** Signed with the client secret, while the discovery document announces a public key. */
  "id-token-hs256": {
    sign: (claims) =>
      new SignJWT({ ...claims })
        .setProtectedHeader({ alg: "HS256", typ: "JWT" })
        .sign(new TextEncoder().encode(client.clientSecret)),
    document: (document) => ({ ...document, id_token_signing_alg_values_supported: ["ES256"] }),
  },
  /** An unrequested ID token from an unknown issuer. */
  "id-token-on-oauth2": {
    token: (reply, granted) => {
      const parts = [{ alg: "RS256", kid: "unknown" }, { iss: "https://unknown.test", sub: "another user" }, {}]
      return granted ? changed(reply, { id_token: parts.map(encoded).join(".") }) : reply
    },
  },
  "scope-array": {
    token: (reply, granted) => (granted ? changed(reply, { scope: String(field(reply, "scope")).split(" ") }) : reply),
  },
  "scope-null": {
    token: (reply, granted) => (granted ? changed(reply, { scope: null, expires_in: 0 }) : reply),
  },
  /** A form, whatever `accept` says. */
  "token-form-encoded": {
    token: (reply) => {
      const fields = isObject(reply.body) ? Object.entries(reply.body) : []
      return {
        ...reply,
        headers: { ...reply.headers, "content-type": "application/x-www-form-urlencoded; charset=utf-8" },
        body: new URLSearchParams(Object.fromEntries(fields.map(([name, value]) => [name, String(value)]))).toString(),
      }
    },
  },
  "token-in-query": {
    carries: ({ url }, accessToken) => url.search === `?access_token=${accessToken}`,
  },
  "token-status-201": {
    token: (reply, granted) => (granted ? { ...reply, status: 201 } : reply),
  },
  "token-type-missing": {
    token: (reply, granted) => (granted ? changed(reply, { token_type: undefined, expires_in: undefined }) : reply),
  },
  /** A GraphQL query, and a response with just the requested fields. */
  "userinfo-graphql": {
    userinfo: (reply, { text }, { mismatch }) => {
      const sent: unknown = JSON.parse(text)
      const query = isObject(sent) ? sent["query"] : undefined
      const words = typeof query === "string" ? (query.match(/\w+|[{}]/g) ?? []) : []
      const [selected] = selection(words[0] === "query" ? words.slice(1) : words)
      if (selected === undefined) mismatch(`userinfo: ${text} is no GraphQL query`)
      const data = isObject(reply.body) ? pick(reply.body["data"], selected ?? {}) : undefined
      return { ...reply, body: { data } }
    },
  },
  /** The ID token has the subject and nothing else. */
  "userinfo-instead-of-id-token": {
    claims: ({ sub }) => ({ sub }),
  },
  /** OpenID Connect Core 1.0 §5.3.2. */
  "userinfo-signed-jwt": {
    userinfo: async (reply, _request, context) => ({
      ...reply,
      headers: { "content-type": "application/jwt" },
      body: await sign(context, { ...(isObject(reply.body) ? reply.body : {}), ...commonClaims(context) }),
    }),
  },
  "www-authenticate-on-success": {
    token: (reply) => ({ ...reply, headers: { ...reply.headers, "www-authenticate": 'Basic realm="token"' } }),
  },
}

/** The reply with other fields. `undefined` removes one. */
function changed(reply: Reply, fields: Json): Reply {
  return { ...reply, body: { ...(isObject(reply.body) ? reply.body : {}), ...fields } }
}

function field({ body }: Reply, name: string): unknown {
  return isObject(body) ? body[name] : undefined
}

function encoded(part: unknown): string {
  return Buffer.from(JSON.stringify(part)).toString("base64url")
}

const { privateKey, publicKey } = generateKeyPairSync("ec", { namedCurve: "P-256" })

/** Apple's replacement for a client secret. */
export const developerKey = {
  teamId: "TEAM123456",
  keyId: "KEY1234567",
  privateKey: privateKey.export({ type: "pkcs8", format: "pem" }).toString(),
}

function isClientSecret(jwt: string): boolean {
  const [header = "", payload = "", signature = ""] = jwt.split(".")
  const [head = "", claims = ""] = [header, payload].map((part) => Buffer.from(part, "base64url").toString())
  if (!claims.startsWith("{")) return false
  const key = { key: publicKey, dsaEncoding: "ieee-p1363" } as const
  const isSigned = verify("sha256", Buffer.from(`${header}.${payload}`), key, Buffer.from(signature, "base64url"))
  const { iss, sub, aud } = Object(JSON.parse(claims))
  const { alg, kid } = Object(JSON.parse(head))
  const expected = { alg: "ES256", kid: developerKey.keyId, iss: developerKey.teamId, sub: client.clientId }
  return isSigned && JSON.stringify({ alg, kid, iss, sub, aud }) === JSON.stringify({ ...expected, aud: appleIssuer })
}

const appleIssuer = "https://appleid.apple.com"

/** The tree of a GraphQL `{ … }`, and the words after it. */
function selection(words: readonly string[]): [selected: Json | undefined, rest: readonly string[]] {
  if (words[0] !== "{") return [undefined, words]
  const selected: Record<string, unknown> = {}
  let rest: readonly string[] = words.slice(1)
  while (rest[0] !== undefined && rest[0] !== "}") {
    const [name, ...after] = rest
    const [inner, left] = selection(after)
    selected[name] = inner ?? true
    rest = left
  }
  return [selected, rest.slice(1)]
}

function pick(value: unknown, selected: unknown): unknown {
  if (Array.isArray(value)) return value.map((each) => pick(each, selected))
  if (!isObject(value) || !isObject(selected)) return value
  return Object.fromEntries(Object.entries(selected).map(([name, inner]) => [name, pick(value[name] ?? null, inner)]))
}
