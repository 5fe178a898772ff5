/** Details of an error. `err` is the original error. */
export type ErrorCause = Record<string, unknown> & { err?: Error }

/**
 * Base class of every error that Latchkey throws. `type` names the error in logs and URLs, and stays the same in minified
 * code. `kind` is the page that the error leads to. `cause` has the details.
 *
 * @example
 * ```ts
 * import { AuthError } from "@latchkey/core/errors"
 * const problem = new AuthError("The directory is closed. Try again tomorrow", { office: "north" })
 * console.log(problem.type, problem.cause?.["office"]) // "AuthError" "north"
 * ```
 */
export class AuthError extends Error {
  static type: string = "AuthError"
  static kind: "signIn" | "error" = "error"
  readonly type: string
  readonly kind: "signIn" | "error"
  /** Names this occurrence on the error page and in the log. Set when the error is logged. */
  id?: string
  override cause?: ErrorCause

  /** Also those of another copy of this module, as a bundler makes one, if the class has a type of its own. */
  static override [Symbol.hasInstance](value: unknown): boolean {
    const type = Object.hasOwn(this, "type") ? this.type : undefined
    let Kind: Partial<typeof AuthError> | undefined = value instanceof Error ? value.constructor : undefined
    for (; Kind?.type !== undefined; Kind = Object.getPrototypeOf(Kind))
      if (Kind === this || (Kind.type === type && Kind.kind !== undefined)) return true
    return false
  }

  constructor(message?: string | Error | object, options?: Error | object) {
    super(messageOf(message, options))
    const own = new.target
    this.name = own.name
    this.type = own.type
    this.kind = own.kind
    const cause = { ...causeOf(message), ...causeOf(options) }
    if (Object.keys(cause).length > 0) this.cause = cause
  }
}

function messageOf(message: unknown, options: unknown): string {
  if (typeof message === "string") return message
  if (message instanceof Error) return message.message
  return options instanceof Error ? options.message : ""
}

/** An `Error` becomes `err`, an object its properties, and an object with `cause` also those of its cause. */
function causeOf(given: unknown): ErrorCause {
  if (given instanceof Error) return { ...(isRecord(given.cause) ? given.cause : {}), err: given }
  if (!isRecord(given)) return {}
  const { cause, ...details } = given
  return {
    ...details,
    ...(cause === undefined ? {} : isRecord(cause) || cause instanceof Error ? causeOf(cause) : { cause }),
  }
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !(value instanceof Error)
}

/** Base class of the errors that lead to the sign-in page. */
export class SignInError extends AuthError {
  static override kind: "signIn" | "error" = "signIn"
}

/** A function of the account was called without a session. */
export class SessionRequired extends SignInError {
  static override type = "SessionRequired"
}
/** The user signed in too long ago for what they want to do. Let them sign in again, and then repeat it. */
export class RecentSignInRequired extends SignInError {
  static override type = "RecentSignInRequired"
}
/** Without this account or passkey, the user couldn't sign in anymore. */
export class LastSignInMethod extends AuthError {
  static override type = "LastSignInMethod"
}
/** The user can't remove a passkey that is their second factor, until they stop using it for that. */
export class PasskeyInUse extends AuthError {
  static override type = "PasskeyInUse"
}
/** The user didn't type the email that confirms that they want to delete the account. */
export class NotConfirmed extends AuthError {
  static override type = "NotConfirmed"
}
/** A user can't have this name or image. */
export class InvalidProfile extends AuthError {
  static override type = "InvalidProfile"
}
/** The adapter lacks methods that a function of the account needs. `methods` are their names. */
export class UnsupportedByAdapter extends AuthError {
  static override type = "UnsupportedByAdapter"
  readonly methods: readonly string[]

  constructor(message: string, details: { readonly methods: readonly string[]; readonly [detail: string]: unknown }) {
    super(message, details)
    this.methods = details.methods
  }
}
/** `revoke` couldn't end every credential of a user. `kinds` names those that may still work; `cause.err.errors` has the reasons. */
export class RevokeError extends AuthError {
  static override type = "RevokeError"
  readonly kinds: readonly string[]

  constructor(message: string, details: { readonly kinds: readonly string[]; readonly [detail: string]: unknown }) {
    super(message, details)
    this.kinds = details.kinds
  }
}
/** The `signIn` callback or a guard refused the sign-in. */
export class AccessDenied extends AuthError {
  static override type = "AccessDenied"
}
/** The CAPTCHA of a form wasn't solved, or its service can't be asked. */
export class CaptchaRefused extends SignInError {
  static override type = "CaptchaRefused"
}
/** The passkey, or its email, belongs to another user. */
export class AccountNotLinked extends SignInError {
  static override type = "AccountNotLinked"
}
/** A method of the adapter threw. */
export class AdapterError extends AuthError {
  static override type = "AdapterError"
}
/** An unexpected error during a callback, such as a token endpoint that fails. */
export class CallbackRouteError extends AuthError {
  static override type = "CallbackRouteError"
}
/** `authorize` returned no user. Throw a subclass to send another `code` to the sign-in page. */
export class CredentialsSignin extends SignInError {
  static override type = "CredentialsSignin"
  /** Appears in the URL of the sign-in page, so it must not be secret. */
  code: string = "credentials"
}
/** Two passkey providers use the browser's autofill. */
export class DuplicateConditionalUI extends AuthError {
  static override type = "DuplicateConditionalUI"
}
/** The email was refused, or the message couldn't be sent. */
export class EmailSignInError extends SignInError {
  static override type = "EmailSignInError"
}
/** `pages.error` itself requires a sign-in. */
export class ErrorPageLoop extends AuthError {
  static override type = "ErrorPageLoop"
}
/** A function of `events` threw. The request continued. */
export class EventError extends AuthError {
  static override type = "EventError"
}
/** An option of `experimental` is missing. */
export class ExperimentalFeatureNotEnabled extends AuthError {
  static override type = "ExperimentalFeatureNotEnabled"
}
/** The callback URL isn't an http(s) URL. */
export class InvalidCallbackUrl extends AuthError {
  static override type = "InvalidCallbackUrl"
}
/** The callback doesn't belong to a sign-in that this browser started. */
export class InvalidCheck extends AuthError {
  static override type = "InvalidCheck"
}
/** A provider has neither an issuer nor the endpoint, or a URL that can't be used. */
export class InvalidEndpoints extends AuthError {
  static override type = "InvalidEndpoints"
}
/** The route names no configured provider. */
export class InvalidProvider extends AuthError {
  static override type = "InvalidProvider"
}
/** A wrong answer to the second factor. The sign-in still waits for it. */
export class FactorRefused extends AuthError {
  static override type = "FactorRefused"
}
/** The configuration has several problems, or one without a class of its own. */
export class InvalidConfig extends AuthError {
  static override type = "InvalidConfig"
}
/** A sealed session couldn't be read. */
export class JWTSessionError extends AuthError {
  static override type = "JWTSessionError"
}
/** Email sign-in, passkeys or database sessions need an adapter. */
export class MissingAdapter extends AuthError {
  static override type = "MissingAdapter"
}
/** The adapter lacks methods that the configuration needs. */
export class MissingAdapterMethods extends AuthError {
  static override type = "MissingAdapterMethods"
}
/** A credentials provider has no `authorize` function. */
export class MissingAuthorize extends AuthError {
  static override type = "MissingAuthorize"
}
/** A form wasn't sent from one of the application's own pages. */
export class MissingCSRF extends SignInError {
  static override type = "MissingCSRF"
}
/** No secret is set. */
export class MissingSecret extends AuthError {
  static override type = "MissingSecret"
}
export { MissingSecret as MissingSecretError }
/** No form field allows the autofill of passkeys. */
export class MissingWebAuthnAutocomplete extends AuthError {
  static override type = "MissingWebAuthnAutocomplete"
}
/** The account, or its email, belongs to another user. */
export class OAuthAccountNotLinked extends SignInError {
  static override type = "OAuthAccountNotLinked"
}
/** The provider refused the sign-in. */
export class OAuthCallbackError extends SignInError {
  static override type = "OAuthCallbackError"
}
/** `profile()` threw, or returned no `id`. */
export class OAuthProfileParseError extends SignInError {
  static override type = "OAuthProfileParseError"
}
/** The sign-in couldn't start: the provider can't be reached, or its metadata is invalid. */
export class OAuthSignInError extends AuthError {
  static override type = "OAuthSignInError"
}
/** Too many attempts. `retryAfter` is the number of seconds until the next one is allowed. */
export class RateLimited extends SignInError {
  static override type = "RateLimited"
  readonly retryAfter: number

  constructor(message: string, details: { readonly retryAfter: number; readonly [detail: string]: unknown }) {
    super(message, details)
    this.retryAfter = details.retryAfter
  }
}
/** A session in the database couldn't be read. */
export class SessionTokenError extends AuthError {
  static override type = "SessionTokenError"
}
/** The session couldn't be ended in the database. */
export class SignOutError extends AuthError {
  static override type = "SignOutError"
}
/** The route or method is unknown. */
export class UnknownAction extends AuthError {
  static override type = "UnknownAction"
}
/** The session strategy doesn't work with the configured providers. */
export class UnsupportedStrategy extends AuthError {
  static override type = "UnsupportedStrategy"
}
/** The request names a host that the configuration doesn't trust. */
export class UntrustedHost extends AuthError {
  static override type = "UntrustedHost"
}
/** The email link or code is unknown, used or expired. */
export class Verification extends AuthError {
  static override type = "Verification"
}
/** The passkey couldn't be verified. */
export class WebAuthnVerificationError extends AuthError {
  static override type = "WebAuthnVerificationError"
}

/** Codes for the URL of a page, by error type. Every other type becomes `Configuration`, to reveal nothing. */
const publicCodes: ReadonlyMap<string, string> = new Map([
  ["AccessDenied", "AccessDenied"],
  ["AccountNotLinked", "AccountNotLinked"],
  ["CaptchaRefused", "CaptchaRefused"],
  ["CredentialsSignin", "CredentialsSignin"],
  ["EmailSignInError", "EmailSignin"],
  ["MissingCSRF", "MissingCSRF"],
  ["NotConfirmed", "NotConfirmed"],
  ["InvalidProfile", "InvalidProfile"],
  ["OAuthAccountNotLinked", "OAuthAccountNotLinked"],
  ["OAuthCallbackError", "OAuthCallbackError"],
  ["OAuthProfileParseError", "OAuthCallbackError"],
  ["LastSignInMethod", "LastSignInMethod"],
  ["PasskeyInUse", "PasskeyInUse"],
  ["RateLimited", "RateLimited"],
  ["RecentSignInRequired", "RecentSignInRequired"],
  ["SessionRequired", "SessionRequired"],
  ["Verification", "Verification"],
  ["WebAuthnVerificationError", "WebAuthnVerificationError"],
])

/** Whether the browser may see the type of this error. */
export function isClientError(error: Error): error is AuthError {
  return error instanceof AuthError && publicCodes.has(error.type)
}

/** Codes that only applications and integrations put into the URL of a page. */
const otherCodes: ReadonlySet<string> = new Set([
  "Callback",
  "Configuration",
  "Default",
  "EmailCreateAccount",
  "InvalidCheck",
  "OAuthCreateAccount",
  "OAuthSignin",
  "Signin",
])
const knownCodes: ReadonlySet<string> = new Set([...publicCodes.values(), ...otherCodes])

/** Whether a page has a text for this code. */
export function isKnownCode(code: string): boolean {
  return knownCodes.has(code)
}

/** The parameters that name this error in the URL of a page. */
export function errorParams(error: AuthError): Record<string, string> {
  const params = { error: publicCodes.get(error.type) ?? "Configuration" }
  if (error instanceof CredentialsSignin) return { ...params, code: error.code }
  if (error instanceof SignOutError) return { ...params, code: error.type }
  // The page then offers to start again. The configuration isn't at fault.
  return error instanceof InvalidCheck ? { ...params, code: "InvalidCheck" } : params
}
