import { createHash, randomBytes } from "node:crypto"
import { createLocalJWKSet, type JSONWebKeySet } from "jose"
import type { FakeProvider } from "../src/index.js"

export const redirectUri = "https://app.test/auth/callback/op"

/** A client that is independent of Latchkey. */
export interface Flow {
  readonly url: URL
  readonly verifier: string
  readonly nonce: string
}

export function startFlow(op: FakeProvider, extra: Readonly<Record<string, string>> = {}): Flow {
  const verifier = randomBytes(32).toString("base64url")
  const nonce = randomBytes(16).toString("base64url")
  const url = new URL(`${op.issuer}/authorize`)
  const challenge = createHash("sha256").update(verifier).digest("base64url")
  url.search = new URLSearchParams({
    response_type: "code",
    client_id: op.clientId,
    redirect_uri: redirectUri,
    scope: "openid profile email",
    state: "the-state",
    nonce,
    code_challenge: challenge,
    code_challenge_method: "S256",
    ...extra,
  }).toString()
  return { url, verifier, nonce }
}

export async function codeFor(op: FakeProvider, url: URL, as = "ada"): Promise<string> {
  const answer = await op.authorize(url, { as })
  if (answer.method === "POST") return answer.fields["code"] ?? ""
  return new URL(answer.location).searchParams.get("code") ?? ""
}

/** RFC 6749 §2.3.1. */
export function basic(id: string, secret: string): string {
  const encoded = [id, secret].map((part) => new URLSearchParams({ "": part }).toString().slice(1)).join(":")
  return `Basic ${Buffer.from(encoded).toString("base64")}`
}

export interface Redemption {
  readonly code: string
  readonly verifier: string
  readonly form?: Readonly<Record<string, string>>
  readonly headers?: Readonly<Record<string, string>>
}

export async function redeem(op: FakeProvider, { code, verifier, form, headers }: Redemption): Promise<Response> {
  const fields = {
    grant_type: "authorization_code",
    code,
    code_verifier: verifier,
    redirect_uri: redirectUri,
    ...form,
  }
  return await op.fetch(`${op.issuer}/token`, {
    method: "POST",
    headers: headers ?? { authorization: basic(op.clientId, op.clientSecret) },
    body: new URLSearchParams(fields),
    redirect: "manual",
  })
}

export interface Tokens {
  readonly access_token: string
  readonly refresh_token: string
  readonly id_token: string
  readonly [parameter: string]: unknown
}

export async function tokensOf(response: Response): Promise<Tokens> {
  const body: unknown = await response.json()
  if (!isTokens(body)) throw new Error(`No tokens in ${JSON.stringify(body)}`)
  return body
}

function isTokens(body: unknown): body is Tokens {
  return typeof body === "object" && body !== null && "access_token" in body && "id_token" in body
}

/** Runs the whole flow. */
export async function tokensFor(
  op: FakeProvider,
  extra: Readonly<Record<string, string>> = {},
): Promise<Tokens & Flow> {
  const flow = startFlow(op, extra)
  const code = await codeFor(op, flow.url)
  return { ...(await tokensOf(await redeem(op, { code, verifier: flow.verifier }))), ...flow }
}

export async function reasonOf(response: Response): Promise<string> {
  const body: unknown = await response.json()
  return `${response.status} ${JSON.stringify(body)}`
}

export async function keysOf(op: FakeProvider): Promise<ReturnType<typeof createLocalJWKSet>> {
  const keys: unknown = await (await op.fetch(`${op.issuer}/jwks`)).json()
  if (!isKeySet(keys)) throw new Error(`No keys in ${JSON.stringify(keys)}`)
  return createLocalJWKSet(keys)
}

function isKeySet(value: unknown): value is JSONWebKeySet {
  return typeof value === "object" && value !== null && "keys" in value && Array.isArray(value.keys)
}
