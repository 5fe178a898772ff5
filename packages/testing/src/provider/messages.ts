/** An endpoint of the provider; `elsewhere` is any other URL. */
export type EndpointName = "discovery" | "jwks" | "token" | "userinfo" | "elsewhere"

/** A JSON response before it's sent. */
export interface Answer {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: Readonly<Record<string, unknown>>
}

/** A request sent with `op.fetch`, also to other hosts. */
export interface RecordedRequest {
  readonly endpoint: EndpointName
  readonly method: string
  readonly url: URL
  readonly headers: Headers
  readonly body: string
  /** The body, parsed as a form. */
  readonly form: URLSearchParams
}

/**
 * A token before it's signed. `key: "stray"` signs with a key that isn't published. `key: "published"` computes an HMAC
 * with the public key as its secret (RFC 8725 §2.1). Default: `"own"`, the provider's signing key.
 */
export interface UnsignedToken {
  readonly header: { readonly alg: string; readonly [parameter: string]: unknown }
  readonly claims: Readonly<Record<string, unknown>>
  readonly key?: "own" | "stray" | "published"
}
