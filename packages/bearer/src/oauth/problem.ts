/** An error that a client gets as JSON (RFC 6749 §5.2), or with a redirect (§4.1.2.1). */
export class OAuthProblem extends Error {
  readonly code: Code
  constructor(code: Code, message: string) {
    super(message)
    this.code = code
  }
}

type Code =
  | "access_denied"
  | "invalid_client"
  | "invalid_grant"
  | "invalid_request"
  | "invalid_scope"
  | "invalid_target"
  | "unsupported_grant_type"
  | "unsupported_response_type"
  | "unsupported_token_type"
