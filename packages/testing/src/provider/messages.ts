export type EndpointName = "discovery" | "jwks" | "token" | "userinfo" | "elsewhere"

/** A JSON answer before it is sent. */
export interface Answer {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: Readonly<Record<string, unknown>>
}

/** A request that reached the provider, or that was meant for somebody else but sent with `op.fetch`. */
export interface RecordedRequest {
  readonly endpoint: EndpointName
  readonly method: string
  readonly url: URL
  readonly headers: Headers
  readonly body: string
  /** The body read as a form. */
  readonly form: URLSearchParams
}

/**
 * A token before it is signed. `key: "stray"` signs with a key that is published nowhere; `"published"` makes an
 * HMAC with the public key as its secret (RFC 8725 §2.1).
 */
export interface UnsignedToken {
  readonly header: { readonly alg: string; readonly [parameter: string]: unknown }
  readonly claims: Readonly<Record<string, unknown>>
  readonly key?: "own" | "stray" | "published"
}
