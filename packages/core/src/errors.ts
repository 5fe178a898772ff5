/** Details of an error; the error that led to it is under `err`. */
export type ErrorCause = Record<string, unknown> & { err?: Error }

/**
 * Base of everything the engine throws. `type` names it in logs and URLs, `kind` decides the page it leads to,
 * `cause` keeps what is known (spec/errors.md).
 *
 * @example
 * ```ts
 * import { AuthError } from "@latchkey/core/errors"
 * const problem = new AuthError("The directory is closed: try again tomorrow", { office: "north" })
 * console.log(problem.type, problem.cause?.["office"]) // "AuthError" "north"
 * ```
 */
export class AuthError extends Error {
  static type: string = "AuthError"
  static kind: "signIn" | "error" = "error"
  readonly type: string
  readonly kind: "signIn" | "error"
  override cause?: ErrorCause

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

/** `Error` → `{ err }`, `{ cause }` → what it holds, any other object → itself. Nothing is lost. */
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

/** Base of the errors that lead to the sign-in page. */
export class SignInError extends AuthError {
  static override kind: "signIn" | "error" = "signIn"
}

/** The `signIn` callback or a guard said no. */
export class AccessDenied extends AuthError {
  static override type = "AccessDenied"
}
/** The passkey belongs to another user, or its e-mail address does. */
export class AccountNotLinked extends SignInError {
  static override type = "AccountNotLinked"
}
/** A method of the adapter threw. */
export class AdapterError extends AuthError {
  static override type = "AdapterError"
}
/** Anything else that went wrong during a callback. */
export class CallbackRouteError extends AuthError {
  static override type = "CallbackRouteError"
}
/** `authorize` did not recognise the credentials. Subclass it to send another `code` to the sign-in page. */
export class CredentialsSignin extends SignInError {
  static override type = "CredentialsSignin"
  /** In the URL of the sign-in page: never anything secret. */
  code: string = "credentials"
}
/** Two passkey providers want the browser's autofill. */
export class DuplicateConditionalUI extends AuthError {
  static override type = "DuplicateConditionalUI"
}
/** The message could not be sent. */
export class EmailSignInError extends SignInError {
  static override type = "EmailSignInError"
}
/** The page that shows errors is itself behind sign-in. */
export class ErrorPageLoop extends AuthError {
  static override type = "ErrorPageLoop"
}
/** A handler of `events` threw; the flow went on. */
export class EventError extends AuthError {
  static override type = "EventError"
}
/** A flag under `experimental` is missing. */
export class ExperimentalFeatureNotEnabled extends AuthError {
  static override type = "ExperimentalFeatureNotEnabled"
}
/** The place to return to is not an http(s) URL. */
export class InvalidCallbackUrl extends AuthError {
  static override type = "InvalidCallbackUrl"
}
/** The answer does not belong to a flow that this browser started. */
export class InvalidCheck extends AuthError {
  static override type = "InvalidCheck"
}
/** An OAuth provider without issuer lacks an endpoint. */
export class InvalidEndpoints extends AuthError {
  static override type = "InvalidEndpoints"
}
/** The route names no provider, or one of another type. */
export class InvalidProvider extends AuthError {
  static override type = "InvalidProvider"
}
/** Several problems of a configuration, one a line. */
export class InvalidConfig extends AuthError {
  static override type = "InvalidConfig"
}
/** Reading a sealed session failed. */
export class JWTSessionError extends AuthError {
  static override type = "JWTSessionError"
}
/** E-mail sign-in or database sessions need an adapter. */
export class MissingAdapter extends AuthError {
  static override type = "MissingAdapter"
}
/** The adapter lacks methods that the configuration needs. */
export class MissingAdapterMethods extends AuthError {
  static override type = "MissingAdapterMethods"
}
/** A credentials provider without `authorize`. */
export class MissingAuthorize extends AuthError {
  static override type = "MissingAuthorize"
}
/** The form was not sent from one of our pages. */
export class MissingCSRF extends SignInError {
  static override type = "MissingCSRF"
}
/** No secret is configured. */
export class MissingSecret extends AuthError {
  static override type = "MissingSecret"
}
export { MissingSecret as MissingSecretError }
/** No form field invites the browser's passkey autofill. */
export class MissingWebAuthnAutocomplete extends AuthError {
  static override type = "MissingWebAuthnAutocomplete"
}
/** The account, or its e-mail address, belongs to another user. */
export class OAuthAccountNotLinked extends SignInError {
  static override type = "OAuthAccountNotLinked"
}
/** The provider answered with an error. */
export class OAuthCallbackError extends SignInError {
  static override type = "OAuthCallbackError"
}
/** `profile()` threw or returned nothing usable. */
export class OAuthProfileParseError extends SignInError {
  static override type = "OAuthProfileParseError"
}
/** Sign-in could not start: the provider's metadata are out of reach or wrong. */
export class OAuthSignInError extends SignInError {
  static override type = "OAuthSignInError"
}
/** Too many attempts; `retryAfter`: seconds until one more may be made. */
export class RateLimited extends SignInError {
  static override type = "RateLimited"
  readonly retryAfter: number

  constructor(message: string, details: { readonly retryAfter: number; readonly [detail: string]: unknown }) {
    super(message, details)
    this.retryAfter = details.retryAfter
  }
}
/** Reading a stored session failed. */
export class SessionTokenError extends AuthError {
  static override type = "SessionTokenError"
}
/** The session could not be ended in the store. */
export class SignOutError extends AuthError {
  static override type = "SignOutError"
}
/** No such action, or not with this method. */
export class UnknownAction extends AuthError {
  static override type = "UnknownAction"
}
/** The strategy cannot carry the configured providers. */
export class UnsupportedStrategy extends AuthError {
  static override type = "UnsupportedStrategy"
}
/** The host of the request is not one that the configuration trusts. */
export class UntrustedHost extends AuthError {
  static override type = "UntrustedHost"
}
/** The link was used, has expired, or never existed. */
export class Verification extends AuthError {
  static override type = "Verification"
}
/** The authenticator's answer did not verify. */
export class WebAuthnVerificationError extends AuthError {
  static override type = "WebAuthnVerificationError"
}

/** What the URL of a page may say of an error; every other type becomes `Configuration` (spec/errors.md). */
const publicCodes: ReadonlyMap<string, string> = new Map([
  ["AccessDenied", "AccessDenied"],
  ["AccountNotLinked", "AccountNotLinked"],
  ["CredentialsSignin", "CredentialsSignin"],
  ["EmailSignInError", "EmailSignin"],
  ["MissingCSRF", "MissingCSRF"],
  ["OAuthAccountNotLinked", "OAuthAccountNotLinked"],
  ["OAuthCallbackError", "OAuthCallbackError"],
  ["OAuthProfileParseError", "OAuthCallbackError"],
  ["OAuthSignInError", "OAuthSignin"],
  ["RateLimited", "RateLimited"],
  ["Verification", "Verification"],
  ["WebAuthnVerificationError", "WebAuthnVerificationError"],
])

/** Whether the type of this error may be told to the browser. */
export function isClientError(error: Error): error is AuthError {
  return error instanceof AuthError && publicCodes.has(error.type)
}

/** Codes that only applications and integrations put into the address of a page (spec/pages.md). */
const otherCodes: ReadonlySet<string> = new Set([
  "Callback",
  "Configuration",
  "Default",
  "EmailCreateAccount",
  "InvalidCheck",
  "OAuthCreateAccount",
  "SessionRequired",
  "Signin",
])
const knownCodes: ReadonlySet<string> = new Set([...publicCodes.values(), ...otherCodes])

/** Whether a page may be told this code. */
export function isKnownCode(code: string): boolean {
  return knownCodes.has(code)
}

/** The parameters that name this error in the URL of a page. */
export function errorParams(error: AuthError): Record<string, string> {
  const params = { error: publicCodes.get(error.type) ?? "Configuration" }
  if (error instanceof CredentialsSignin) return { ...params, code: error.code }
  if (error instanceof SignOutError) return { ...params, code: error.type }
  // A lost or late flow is nobody's misconfiguration: the page offers to start again.
  return error instanceof InvalidCheck ? { ...params, code: "InvalidCheck" } : params
}
