import { type AuthError, errorParams, isClientError, RateLimited } from "../../../errors.js"
import type { Messages } from "../../../i18n/messages.js"
import type { FlowError } from "../../../model/flow.js"
import type { SignInProblem } from "../../../model/signin-problem.js"
import type { Details } from "../../../html/view.js"
import { errorTextOf, problemText, signInErrorText } from "../error-texts.js"

/** Statuses by code. Every other code is a 400: the browser, or the user, can do something about it. */
const statuses: ReadonlyMap<string, number> = new Map([
  ["AccessDenied", 403],
  ["AccountNotLinked", 403],
  ["CaptchaRefused", 403],
  ["Configuration", 503],
  ["CredentialsSignin", 401],
  ["MissingCSRF", 403],
  ["OAuthAccountNotLinked", 403],
  ["RateLimited", 429],
  ["RecentSignInRequired", 403],
  ["SessionRequired", 401],
  ["SignOutError", 503],
  ["Verification", 401],
  ["WebAuthnVerificationError", 401],
])

const problemStatuses: Readonly<Partial<Record<SignInProblem, number>>> = { misconfigured: 503, unreachable: 503 }

export function statusOf(code: string, problem?: SignInProblem): number {
  return (problem && problemStatuses[problem]) ?? statuses.get(code) ?? 400
}

/** The public code of an error. The codes of `authorize` are a detail of `CredentialsSignin`. */
function codeOf(error: AuthError): string {
  const { error: code = "Configuration", code: precise } = errorParams(error)
  return code === "CredentialsSignin" ? code : (precise ?? code)
}

/** @param code a public code, see `errorParams` */
export function errorOfCode(t: Messages, code: string, details: Details = {}): FlowError {
  const { id, field, problem } = details
  const message = messageOf(t, code, details)
  return {
    code,
    message,
    ...(field !== undefined && { field }),
    ...(problem !== undefined && { reason: problem }),
    ...(id !== undefined && { id }),
  }
}

/** An error that was just thrown. */
export function errorOf(t: Messages, error: AuthError, details: Details): FlowError {
  const field = details.field ?? (isClientError(error) ? fieldIn(error.cause?.["field"]) : undefined)
  const shown = errorOfCode(t, codeOf(error), { ...details, id: error.id, field })
  const { code: reason } = errorParams(error)
  return {
    ...shown,
    ...(error instanceof RateLimited && { retryAfter: error.retryAfter }),
    ...(shown.code === "CredentialsSignin" && reason !== undefined && { reason }),
  }
}

function fieldIn(given: unknown): string | undefined {
  return typeof given === "string" && /^[\w.-]{1,64}$/.test(given) ? given : undefined
}

function messageOf(t: Messages, code: string, details: Details): string {
  const { problem, provider, field } = details
  if (code === "EmailSignin" && field === "email") return t.common.invalidEmail
  if (code === "Verification" && field === "code") return t.verifyRequest.wrong
  if (code === "InvalidRequest") return t.passkey.rejected
  if (code === "RecentSignInRequired") return t.account.signInAgain.text
  const text = signInErrorText(t, code, details)
  if (text !== t.signinErrors.unknown) return text
  const { lines } = problem === undefined ? errorTextOf(t, code) : problemText(t, problem, provider)
  return lines.length === 0 ? text : lines.join(" ")
}
