import { AuthError, type ErrorCause } from "../../errors.js"
import { maxProviderResponse } from "../../limits/of-input.js"
import type { OAuthProvider } from "../../model/oauth-provider.js"
import type { Fetch } from "../../model/provider.js"
import { type SignInProblem, isSignInProblem } from "../../model/signin-problem.js"
import { isObject } from "../../primitives/defined.js"
import { ExactResponse, parseExactJson } from "../../primitives/exact-json.js"
import { isLoopback, isSpecialPurposeIp } from "../../primitives/ip-address.js"
import { readAtMost } from "../../primitives/read-at-most.js"

/** For a whole request, body included. Milliseconds. */
const timeoutMs = 10_000

/** Headers of a request for JSON. Some runtimes have no `User-Agent` of their own, and firewalls refuse requests without one. */
export const asksForJson = { accept: "application/json", "user-agent": "latchkey" } as const

/** The provider violated the protocol or couldn't be reached. Details must not contain secrets. */
export class ProviderError extends Error {
  readonly details: ErrorCause
  constructor(message: string, details: ErrorCause = {}) {
    super(message)
    this.details = details
  }
}

/**
 * The only way to send a request to a provider: https, no redirects (a redirected token request would hand over the code
 * and the secret, RFC 9700 §4.12), limited in time and size. The body has arrived when the response is returned.
 */
export async function request(
  provider: OAuthProvider,
  input: string | URL | Request,
  init: RequestInit = {},
  limit: number = maxProviderResponse,
): Promise<Response> {
  const url = new URL(input instanceof Request ? input.url : input)
  assertAllowedUrl(provider, url)
  const timeout = AbortSignal.timeout(timeoutMs)
  const signal = init.signal ? AbortSignal.any([init.signal, timeout]) : timeout
  // A custom fetch may ignore the signal.
  return Promise.race([
    send(provider.fetch, input, { ...init, signal, redirect: "manual" }, limit),
    rejected(signal, url),
  ])
}

/** `request` in the shape of `fetch`, for the hooks of a provider. */
export function guardedFetch(provider: OAuthProvider): Fetch {
  return (input, init) => request(provider, input, init)
}

async function send(fetch: Fetch, input: string | URL | Request, init: RequestInit, limit: number): Promise<Response> {
  const response = await asRequest(() => fetch(input instanceof URL ? input.href : input, init))
  const { status, headers } = response
  if (response.type === "opaqueredirect" || response.redirected || (status > 299 && status < 400)) {
    throw new ProviderError("The provider answered with a redirect, which isn't followed. Configure the final URL", {
      status,
    })
  }
  const stream = response.body
  // The connection may also break while the body arrives.
  const body = stream === null ? null : await asRequest(() => readAtMost(stream, limit))
  if (body === undefined)
    throw new ProviderError(`The provider's response is longer than ${limit} bytes`, { problem: "unreachable" })
  return new ExactResponse(status === 204 || status === 205 ? null : body, { status, headers })
}

function rejected(signal: AbortSignal, { host }: URL): Promise<never> {
  return new Promise((_, reject) => {
    const give = () => reject(new ProviderError(`${host} didn't answer in time`, { problem: "unreachable" }))
    if (signal.aborted) give()
    signal.addEventListener("abort", give)
  })
}

/** @throws AuthError if the URL isn't https, or points into a private network (server-side request forgery) */
export function assertAllowedUrl(provider: OAuthProvider, url: URL): void {
  if (isAllowedUrl(provider, url)) return
  throw new AuthError(
    `The provider "${provider.id}" has a URL at ${url.protocol}//${url.host}. Use https and a public host, or set \`allowInsecureRequests\` on a network you trust`,
  )
}

export function isAllowedUrl(provider: OAuthProvider, url: URL): boolean {
  if (provider.allowInsecureRequests) return true
  const isTransportAllowed =
    url.protocol === "https:" || (url.protocol === "http:" && provider.plainHttpHosts.has(url.host))
  const isPublic = isTransportAllowed && !isSpecialPurposeIp(url.hostname.replace(/^\[|\]$/g, ""))
  return isLoopback(url) ? provider.reachesLoopback : isPublic
}

type ErrorClass = new (message: string, details: ErrorCause) => AuthError

/** Runs requests to a provider. Whatever goes wrong becomes an error of this kind. */
export async function withProviderErrors<T>(
  provider: OAuthProvider,
  Kind: ErrorClass,
  work: () => Promise<T>,
): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (error instanceof AuthError) throw error
    const details = error instanceof ProviderError ? error.details : {}
    const problem = problemOf(error)
    const reason = error instanceof Error ? error.message : "a value that isn't an Error was thrown"
    throw new Kind(`The requests to the provider "${provider.id}" failed: ${reason}`, {
      provider: provider.id,
      ...details,
      ...(problem === undefined ? {} : { problem }),
      err: withoutSecrets(error),
    })
  }
}

/** What the user can be told about an error of a request to a provider, or of a hook that made one. */
export function problemOf(error: unknown): SignInProblem | undefined {
  if (isFailedRequest(error)) return "unreachable"
  // `fetchJson` in provider-kit sets `status`.
  const details = error instanceof ProviderError ? error.details : { status: Reflect.get(Object(error), "status") }
  const { problem } = details as { readonly problem?: unknown }
  return isSignInProblem(problem) ? problem : problemOfResponse(details)
}

/**
 * A copy with name, message, code and stack only. Errors of `oauth4webapi` have the whole response as their cause, tokens
 * included, and errors of other transports have the request.
 */
function withoutSecrets(error: unknown, depth = 0): Error {
  if (!(error instanceof Error)) return new Error(String(error))
  const code = "code" in error ? String(error.code) : undefined
  const deeper = error.cause instanceof Error && code?.startsWith("OAUTH_") !== true && depth < deepest
  const bare = new Error(error.message, deeper ? { cause: withoutSecrets(error.cause, depth + 1) } : {})
  return Object.assign(bare, { name: error.name, stack: error.stack ?? "" }, code === undefined ? {} : { code })
}

const deepest = 4

/**
 * Integers that a number would round become text.
 *
 * @throws ProviderError; never quotes the text, which may hold a token
 */
export function parseObject(
  text: string,
  what: string,
  parse: (text: string) => unknown = parseExactJson,
): Record<string, unknown> {
  try {
    const value = parse(text)
    if (isObject(value)) return value
  } catch {
    // Not JSON, so the error below is the right one.
  }
  throw new ProviderError(`The ${what} is not a JSON object`, { problem: "unreachable" })
}

/** Text from a provider, shortened to printable ASCII for a log line. */
export function brief(value: unknown): string {
  return String(value)
    .replace(/[^\x20-\x7E]+/g, " ")
    .slice(0, 300)
}

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
function problemOfResponse(details: Readonly<Record<string, unknown>>): SignInProblem | undefined {
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

function isFailedRequest(error: unknown): boolean {
  return typeof error === "object" && error !== null && failedRequests.has(error)
}

/** Marks what `work` rejects with as a failed request. */
async function asRequest<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (cause) {
    if (typeof cause === "object" && cause !== null) failedRequests.add(cause)
    throw cause
  }
}
