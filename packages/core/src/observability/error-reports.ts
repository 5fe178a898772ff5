import { toHex } from "../crypto/digest.js"
import { type AuthError, RateLimited, errorParams, isClientError } from "../errors.js"
import { maxUserAgent } from "../limits/of-input.js"
import type { AuthContext } from "../model/auth.js"
import type { AuthRequest, Retry } from "../model/http.js"
import { type SignInProblem, isSignInProblem } from "../model/signin-problem.js"
import { createBoundedMap, stateOfClock } from "../primitives/state.js"
import { causesOf, titleOf } from "./causes.js"
import { printable } from "./clean.js"

/** What a page shows about an error that happened a moment ago. */
export interface ErrorReport {
  /** Also in the log. `undefined`: the site did nothing wrong. */
  readonly id: string | undefined
  /** Only in development. */
  readonly detail: string | undefined
  readonly problem: SignInProblem | undefined
  /** The name of the provider. */
  readonly provider: string | undefined
  /** Names the session that couldn't be ended, sealed. */
  readonly ending: string | undefined
  readonly retry: Retry | undefined
  /** The ids of the providers that the user can sign in with. `undefined`: the error isn't about that. */
  readonly ways?: readonly string[] | undefined
}

const retries = new WeakMap<AuthRequest, Retry>()

/** If the provider turns out to be down, the page offers to start this sign-in again. */
export function keepForRetry(request: AuthRequest, retry: Retry): void {
  retries.set(request, retry)
}

interface Entry extends ErrorReport {
  /** The public code that the page has to be opened with. */
  readonly error: string | undefined
}

/** How long a browser may take to open the page. Milliseconds. */
const lifetimeMs = 60_000

const reportsOf = stateOfClock("error-reports", () => createBoundedMap<string, Entry>(1000))

/** Names this occurrence of an error, so that the page and the log have the same ID. */
export function giveId(error: AuthError, random: (bytes: number) => Uint8Array): void {
  error.id = toHex(random(4))
}

/**
 * Whether the site is at fault, or may be: then the page shows an ID. An error of `authorize` gets none, so that every
 * failed sign-in with credentials looks the same.
 */
export function isServerFault(error: AuthError): boolean {
  if (!isClientError(error)) return true
  // The user typed something else than the field is for.
  if (error.cause?.["field"] !== undefined) return false
  return error.type !== "CredentialsSignin" && (error.cause?.err !== undefined || problemOf(error) === "misconfigured")
}

/** Where Auth.js has no counterpart, a request that is refused is no error, so visitors can't fill the error log. */
export function logFailure(
  { logger }: Pick<AuthContext, "logger">,
  error: AuthError,
  request?: Pick<AuthRequest, "action" | "wantsFlow">,
): void {
  const isOwn = request?.action === "account" || request?.wantsFlow === true || ofAccount.has(error.type)
  if (isTrippedLimit(error)) logger.warn("rate-limited", error.message || titleOf(error))
  else if (isOwn && isRefusal(error)) logger.warn("request-refused", titleOf(error))
  else logger.error(error)
}

function isTrippedLimit(error: AuthError): boolean {
  return error instanceof RateLimited && error.cause?.err === undefined
}

const ofAccount: ReadonlySet<string> = new Set([
  "LastSignInMethod",
  "NotConfirmed",
  "PasskeyInUse",
  "RecentSignInRequired",
  "SessionRequired",
])

/** The request doesn't fit, whatever the configuration is. */
const unfit: ReadonlySet<string> = new Set(["InvalidCallbackUrl", "InvalidCheck", "InvalidProvider", "UnknownAction"])

function isRefusal(error: AuthError): boolean {
  return unfit.has(error.type) || !isServerFault(error)
}

function problemOf({ cause }: AuthError): SignInProblem | undefined {
  const problem = cause?.["problem"]
  return isSignInProblem(problem) ? problem : undefined
}

/**
 * Keeps what the page shows in the memory of this process. The redirect to that page stays as in Auth.js v5, so nothing of
 * this can be in its URL.
 */
export function remember(auth: AuthContext, request: AuthRequest, error: AuthError, ending?: string): void {
  const { id } = error
  const problem = problemOf(error)
  const ways = waysOf(request, error)
  if (id === undefined && problem === undefined && ways === undefined) return
  const isHidden = isClientError(error) || !auth.development
  const detail = isHidden ? undefined : describeError(auth.logger.redacted(error))
  const provider = auth.providers.get(request.providerId ?? "")?.name
  const now = auth.runtime.now()
  const retry = problem === "unreachable" ? retries.get(request) : undefined
  const entry = { id, detail, problem, provider, ending, retry, ways, error: errorParams(error)["error"] }
  reportsOf(auth).set(keyOf(auth, request), entry, { expires: now + lifetimeMs, now })
}

/** Without the cookie, another visitor at the same address might see them. */
function waysOf({ scheme, cookies }: AuthRequest, { cause }: AuthError): readonly string[] | undefined {
  const ways: unknown = cause?.["ways"]
  if (!Array.isArray(ways) || !cookies.has(scheme.cookies.csrfToken.name)) return undefined
  return ways.filter((way) => typeof way === "string")
}

/** @param error the public code in the URL of the page */
export function reportFor(auth: AuthContext, request: AuthRequest, error: string | undefined): ErrorReport | undefined {
  const report = reportsOf(auth).get(keyOf(auth, request), auth.runtime.now())
  return report?.error === error ? report : undefined
}

/** The CSRF cookie is different in each browser. Without one, the error may not be the one of this visitor. */
function keyOf(auth: AuthContext, { headers, cookies, scheme, origin, peer }: AuthRequest): string {
  const cookie = cookies.get(scheme.cookies.csrfToken.name)
  const names = ["user-agent", "accept-language", "x-forwarded-for"].map((name) =>
    headers.get(name)?.slice(0, maxUserAgent),
  )
  return JSON.stringify([
    auth.site.id,
    origin,
    auth.basePath,
    ...(cookie === undefined ? [peer, ...names] : [cookie.slice(0, 64)]),
  ])
}

/** Characters. */
const maxLength = 4000

/** What happened and what to do, with the messages of all causes and without stacks. The error has no secrets anymore. */
export function describeError(error: Error): string {
  const causes = causesOf(error).map((text) => `Caused by ${text.split("\n    at ", 1)[0]}`)
  return printable([titleOf(error), ...causes].join("\n")).slice(0, maxLength)
}
