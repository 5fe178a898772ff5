import type { JSONWebKeySet } from "jose"
import type { Answer, RecordedRequest, UnsignedToken } from "../provider/messages.js"

type Awaitable<T> = T | PromiseLike<T>

/** Why the token endpoint rejects a request. */
export interface Refusal {
  /** HTTP status. */
  readonly status: number
  /** Error code of RFC 6749 §5.2. */
  readonly error: string
  readonly reason:
    | "method"
    | "content-type"
    | "client-authentication"
    | "grant-type"
    | "code-unknown"
    | "code-expired"
    | "code-used"
    | "redirect-uri"
    | "pkce"
    | "refresh-token-unknown"
    | "refresh-token-used"
}

/**
 * A fault of the fake provider. Each function receives the correct value and returns what the provider sends instead. It
 * can also return a `Response`, throw (a network failure), or return a promise that never resolves (a timeout).
 *
 * @example
 * ```ts
 * import { createProvider } from "@latchkey/testing"
 * const op = createProvider()
 * op.inject({ idToken: (token) => ({ ...token, claims: { ...token.claims, aud: "another-client" } }) })
 * ```
 */
export interface Fault {
  /** Runs before everything else. A returned `Response` is sent; with `undefined`, the provider continues. */
  answer?(request: RecordedRequest): Awaitable<Response | undefined>
  /** Changes the discovery document. */
  discovery?(answer: Answer): Awaitable<Answer | Response>
  /** Changes the key set. */
  jwks?(keys: JSONWebKeySet): Awaitable<JSONWebKeySet | Response>
  /** Changes the parameters of the authorization response. */
  authorize?(params: Readonly<Record<string, string>>): Awaitable<Readonly<Record<string, string>>>
  /** Changes the ID token before it's signed; a returned string is sent as the token. `alg: "none"` isn't signed. */
  idToken?(token: UnsignedToken): Awaitable<UnsignedToken | string>
  /** Changes the success response of the token endpoint. */
  token?(answer: Answer): Awaitable<Answer | Response>
  /** Changes the userinfo response. */
  userinfo?(answer: Answer): Awaitable<Answer | Response>
  /** Changes the userinfo JWT before it's signed. Runs only with `userinfo: "jwt"`. */
  signedUserinfo?(token: UnsignedToken): Awaitable<UnsignedToken | string>
  /** Returns `true` to make the token endpoint accept a request that it would reject. */
  overlook?(refusal: Refusal): boolean
  /** Changes the parameters of the redirect from the end-session endpoint. */
  endSession?(params: Readonly<Record<string, string>>): Awaitable<Readonly<Record<string, string>>>
}

/** Applies the changes in order, until one returns a final `Response` or string. */
export async function applyFaults<T extends object, Final extends Response | string>(
  correct: T,
  changes: readonly ((value: T) => Awaitable<T | Final>)[],
): Promise<T | Final> {
  let value: T | Final = correct
  for (const change of changes) {
    if (!isChangeable<T>(value)) return value
    value = await change(value)
  }
  return value
}

function isChangeable<T extends object>(value: T | Response | string): value is T {
  return typeof value !== "string" && !(value instanceof Response)
}

/** The functions of all faults for one part of the provider. */
export function faultsAt<Part extends keyof Fault>(
  faults: readonly Fault[],
  part: Part,
): readonly NonNullable<Fault[Part]>[] {
  return faults.flatMap((fault) => fault[part] ?? [])
}
