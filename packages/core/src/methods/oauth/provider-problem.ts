import type { SignInProblem } from "../../model/signin-problem.js"

/** RFC 6749 §4.1.2.1, OpenID Connect Core §3.1.2.6. */
const outOfOrder: ReadonlySet<string> = new Set(["server_error", "temporarily_unavailable"])

/** RFC 6749 §4.1.2.1 and §5.2: the provider doesn't accept what this site is configured to send. */
const refusesSite: ReadonlySet<string> = new Set([
  "invalid_client",
  "unauthorized_client",
  "invalid_request",
  "invalid_scope",
  "unsupported_response_type",
  "unsupported_grant_type",
  "redirect_uri_mismatch",
  "incorrect_client_credentials",
])

/** What the error code of a provider means for the user. */
export function problemOfCode(code: unknown): SignInProblem | undefined {
  if (typeof code !== "string") return undefined
  if (outOfOrder.has(code)) return "unreachable"
  return refusesSite.has(code) ? "misconfigured" : undefined
}

/** The same for the response of an endpoint. */
export function problemOfResponse(details: Readonly<Record<string, unknown>>): SignInProblem | undefined {
  const { status, error } = details as { readonly status?: unknown; readonly error?: unknown }
  const named = problemOfCode(error)
  if (named !== undefined) return named
  if (status === 401 || status === 403) return "misconfigured"
  // A success without what was asked for is the page of a proxy.
  const isUnusable = typeof status === "number" && status >= 200 && status < 300 && error === undefined
  return isOutOfOrder(status) || isUnusable ? "unreachable" : undefined
}

/** RFC 9110 §15.5.9, §15.6, RFC 6585 §4. */
export function isOutOfOrder(status: unknown): boolean {
  return typeof status === "number" && (status >= 500 || status === 429 || status === 408)
}

/** Rejections of `fetch`, so that they aren't confused with errors of code that runs after it. */
const failedRequests = new WeakSet<object>()

export function isFailedRequest(error: unknown): boolean {
  return typeof error === "object" && error !== null && failedRequests.has(error)
}

/** Marks what `work` rejects with as a failed request. */
export async function asRequest<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (cause) {
    if (typeof cause === "object" && cause !== null) failedRequests.add(cause)
    throw cause
  }
}
