import type { JSONWebKeySet } from "jose"
import type { Answer, RecordedRequest, UnsignedToken } from "../provider/messages.js"

type Awaitable<T> = T | PromiseLike<T>

/** Why the token endpoint says no. */
export interface Refusal {
  readonly status: number
  /** RFC 6749 §5.2 */
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
 * Lies, one function a place: the truth goes in, what is told comes out. A function may return a promise it never
 * resolves (a hanging provider), throw (a network failure), or return a `Response` that is sent as it is.
 *
 * @example
 * ```ts
 * import { createProvider } from "@latchkey/testing"
 * const op = createProvider()
 * op.lie({ idToken: (token) => ({ ...token, claims: { ...token.claims, aud: "somebody-else" } }) })
 * ```
 */
export interface Lies {
  /** Before anything else: a `Response` is sent instead of the honest answer. */
  answer?(request: RecordedRequest): Awaitable<Response | undefined>
  discovery?(answer: Answer): Awaitable<Answer | Response>
  jwks?(keys: JSONWebKeySet): Awaitable<JSONWebKeySet | Response>
  /** The parameters of the authorization response. */
  authorize?(params: Readonly<Record<string, string>>): Awaitable<Readonly<Record<string, string>>>
  /** Gets the token before it is signed; a string is the token. A header with `alg: "none"` is not signed. */
  idToken?(token: UnsignedToken): Awaitable<UnsignedToken | string>
  /** The success answer of the token endpoint. */
  token?(answer: Answer): Awaitable<Answer | Response>
  userinfo?(answer: Answer): Awaitable<Answer | Response>
  /** Only with `userinfo: "jwt"`. */
  signedUserinfo?(token: UnsignedToken): Awaitable<UnsignedToken | string>
  /** `true`: the token endpoint lets this one pass. */
  overlook?(refusal: Refusal): boolean
  /** The parameters the browser brings back from the end-session endpoint. */
  endSession?(params: Readonly<Record<string, string>>): Awaitable<Readonly<Record<string, string>>>
}

/** Lets every liar have its say, in order, until one answers with something final. */
export async function tell<T extends object, Final extends Response | string>(
  truth: T,
  liars: readonly ((truth: T) => Awaitable<T | Final>)[],
): Promise<T | Final> {
  let told: T | Final = truth
  for (const liar of liars) {
    if (!canBeToldOn<T>(told)) return told
    told = await liar(told)
  }
  return told
}

function canBeToldOn<T extends object>(told: T | Response | string): told is T {
  return typeof told !== "string" && !(told instanceof Response)
}

/** The functions that lie about one place, with their `this`. */
export function liarsAbout<Place extends keyof Lies>(
  lies: readonly Lies[],
  place: Place,
): readonly NonNullable<Lies[Place]>[] {
  return lies.flatMap((lie) => {
    const liar = lie[place]
    return liar === undefined ? [] : [liar]
  })
}
