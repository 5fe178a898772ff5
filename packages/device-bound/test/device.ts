import type { Browser } from "@latchkey/testing"

/** A browser's key, and what it does with it by the draft. */
export interface Device {
  /** A proof that answers a challenge. `head` and `claims` replace what it says. */
  proof(challenge: string, head?: object, claims?: object): Promise<string>
  readonly jwk: JsonWebKey
}

const parameters = {
  ES256: { name: "ECDSA", namedCurve: "P-256", hash: "SHA-256" },
  RS256: {
    name: "RSASSA-PKCS1-v1_5",
    modulusLength: 2048,
    publicExponent: new Uint8Array([1, 0, 1]),
    hash: "SHA-256",
  },
} as const

export type Algorithm = keyof typeof parameters

export async function newDevice(alg: Algorithm = "ES256"): Promise<Device> {
  const pair = await crypto.subtle.generateKey(parameters[alg], true, ["sign", "verify"])
  const { kty, crv, x, y, n, e } = await crypto.subtle.exportKey("jwk", pair.publicKey)
  const jwk = (alg === "ES256" ? { kty, crv, x, y } : { kty, n, e }) as JsonWebKey
  return {
    jwk,
    async proof(challenge, head = {}, claims = {}) {
      const text = `${encode({ alg, typ: "dbsc+jwt", ...head })}.${encode({ jti: challenge, ...claims })}`
      const signature = await crypto.subtle.sign(parameters[alg], pair.privateKey, new TextEncoder().encode(text))
      return `${text}.${Buffer.from(signature).toString("base64url")}`
    },
  }
}

export function encode(value: object): string {
  return Buffer.from(JSON.stringify(value)).toString("base64url")
}

/** What a response says in `Secure-Session-Registration`. */
export interface Offer {
  readonly algorithms: readonly string[]
  readonly path: string
  readonly challenge: string
}

export function offerIn(header: string | null): Offer | undefined {
  const [, algorithms, path, challenge] = /^\(([^)]*)\);path="([^"]*)";challenge="([^"]*)"$/.exec(header ?? "") ?? []
  if (algorithms === undefined || path === undefined || challenge === undefined) return undefined
  return { algorithms: algorithms.split(" "), path, challenge }
}

/** The session instructions (§9.6). */
export interface Instructions {
  readonly session_identifier: string
  readonly refresh_url: string
  readonly continue?: boolean
  readonly scope: { readonly include_site: boolean }
  readonly credentials: readonly { readonly type: string; readonly name: string; readonly attributes: string }[]
  readonly allowed_refresh_initiators: readonly string[]
}

type Send = (url: string, headers: Readonly<Record<string, string>>) => Promise<Response>

/** Posts as the browser does, with the cookies of a tab. */
export function posting(tab: Browser): Send {
  return async (url, headers) => tab.fetch(url, { method: "POST", headers })
}

/** Answers the offer that came with a sign-in. */
export async function register(send: Send, device: Device, offer: Offer, head: object = {}): Promise<Response> {
  const proof = await device.proof(offer.challenge, { jwk: device.jwk, ...head })
  return send(offer.path, { "secure-session-response": proof })
}

export async function askRefresh(
  send: Send,
  { refresh_url: url, session_identifier }: Instructions,
): Promise<Response> {
  return send(url, { "sec-secure-session-id": session_identifier })
}

/** Answers a challenge. */
export async function answer(send: Send, { refresh_url, session_identifier }: Instructions, proof: string) {
  return send(refresh_url, { "sec-secure-session-id": session_identifier, "secure-session-response": proof })
}

export function challengeIn(response: Response): string {
  return /^"([^"]*)";id="/.exec(response.headers.get("secure-session-challenge") ?? "")?.[1] ?? ""
}

/** Asks for a challenge and answers it. */
export async function refresh(send: Send, device: Device, instructions: Instructions): Promise<Response> {
  const asked = await askRefresh(send, instructions)
  return asked.status === 403 ? answer(send, instructions, await device.proof(challengeIn(asked))) : asked
}
