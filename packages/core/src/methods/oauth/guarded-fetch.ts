import { AuthError, type ErrorCause } from "../../errors.js"
import { maxProviderResponse } from "../../limits/of-input.js"
import type { OAuthProvider } from "../../model/oauth-provider.js"
import type { Fetch } from "../../model/provider.js"
import { isSignInProblem, type SignInProblem } from "../../model/signin-problem.js"
import { ExactResponse, parseExactJson } from "../../primitives/exact-json.js"
import { asRequest, isFailedRequest, problemOfResponse } from "./provider-problem.js"
import { isLoopback, isSpecialPurposeIp } from "../../primitives/ip-address.js"
import { readAtMost } from "../../primitives/read-at-most.js"

/** For a whole request, body included. Milliseconds. */
const timeoutMs = 10_000

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
  if (provider.allowInsecureRequests) return
  const isTransportAllowed =
    url.protocol === "https:" || (url.protocol === "http:" && provider.plainHttpHosts.has(url.host))
  const isPublic = isTransportAllowed && !isSpecialPurposeIp(url.hostname.replace(/^\[|\]$/g, ""))
  if (isLoopback(url) ? provider.reachesLoopback : isPublic) return
  throw new AuthError(
    `The provider "${provider.id}" has a URL at ${url.protocol}//${url.host}. Use https and a public host, or set \`allowInsecureRequests\` on a network you trust`,
  )
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

export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value)
}
