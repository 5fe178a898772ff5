export type WarningCode =
  | "debug-enabled"
  | "records-not-atomic"
  | "csrf-disabled"
  | "env-url-basepath-redundant"
  | "env-url-basepath-mismatch"
  | "experimental-webauthn"
  | "weak-secret"
  | "redirect-refused"
  | "redirect-proxy-hosts"
  | "redirect-proxy-open"
  | "image-too-long"
  | "profile-field-dropped"
  | "large-session"
  | "user-without-id"
  | "user-not-limited"
  | "user-columns-omitted"
  | "insecure-endpoint"
  | "invalid-option"
  | "unknown-option"
  | "duplicate-provider"
  | "pkce-unsupported"
  | "checks-disabled"
  | "provider-deprecated"
  | "store-capability-missing"
  | "rate-limited"
  | "request-refused"
  | "weakened-settings"
  | "nothing-protected"
  | "version4-ended"
  | "former-sessions"
  | "insecure-request"
  | "insecure-url"
  | "passkey-library-old"
  | "passkey-unproven-email"
  | "revocation-unchecked"
  | "sessions-not-revocable"
  | "update-fields-removed"
  | "jwt-claims-restored"

/** Where messages go. */
export interface LoggerInstance {
  /** Details are in `error.cause`. */
  error(error: Error): void
  warn(code: WarningCode, detail?: string): void
  /** Called only with `debug: true`. `metadata` is redacted. */
  debug(message: string, metadata?: unknown): void
}

/** The logger that the engine calls. Its implementation redacts and never throws. */
export interface Logger extends Pick<LoggerInstance, "error" | "warn"> {
  /** `metadata` is called only with `debug: true`. */
  debug(message: string, metadata?: () => unknown): void
  /** The same logger, which also removes the secrets of this request. */
  forRequest(request: { readonly headers: Headers }): Logger
  /** A copy of an error without secrets, or the error itself if it has none. */
  redacted(error: Error): Error
}
