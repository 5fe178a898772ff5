import { type AnyConfig, compile } from "./config/compile.js"
import { AuthError, RateLimited, UnknownAction, UntrustedHost } from "./errors.js"
import { noBody, readBody, UnreadableBody } from "./http/body.js"
import { type Address, addressOf, toIncoming } from "./http/incoming.js"
import { denied } from "./http/outcome.js"
import { misconfigured } from "./http/misconfigured.js"
import { plainAnswer, respond, toInternal } from "./http/respond.js"
import type { Auth as Compiled } from "./model/auth.js"
import type { Incoming, Outcome, ResponseInternal } from "./model/http.js"
import { raw } from "./model/symbols.js"
import { match, type Route } from "./routes.js"

/** A configuration that wants data instead of a `Response`. */
export type RawConfig = AnyConfig & { readonly raw: typeof raw }

/**
 * Answers one request to the routes below `basePath`.
 *
 * @example
 * ```ts
 * import { Auth } from "@latchkey/core"
 * import credentials from "@latchkey/core/providers/credentials"
 *
 * const config = {
 *   secret: "k0Wc5v2uYl1u8mQ7o3nT9xZ4hB6sD1fG",
 *   trustHost: true,
 *   providers: [credentials({ credentials: { name: {} }, authorize: ({ name }) => ({ id: String(name) }) })],
 * }
 * const response: Response = await Auth(new Request("https://app.example/auth/session"), config)
 * ```
 *
 * Never throws, and answers every stranger with a status below 500; problems of the configuration are logged and
 * answered as spec/http.md §4 says. With `raw` the result is data, and `AuthError`s are thrown.
 */
export async function Auth(request: Request, config: RawConfig): Promise<ResponseInternal>
export async function Auth(request: Request, config: AnyConfig): Promise<Response>
export async function Auth(request: Request, config: AnyConfig): Promise<Response | ResponseInternal> {
  let auth: Compiled
  try {
    auth = compile(config)
  } catch (cause) {
    return misconfigured(request, config, cause)
  }
  return answer(auth, request)
}

/** The same for a configuration that is compiled already. */
export async function answer(auth: Compiled, request: Request, peer?: string): Promise<Response | ResponseInternal> {
  try {
    const located = locate(auth, request)
    if (located instanceof Response) return located
    const { url, method, address, route } = located
    const body = method === "POST" ? await readBody(request) : noBody
    const incoming = toIncoming(auth, { url, method, address, headers: request.headers, body, peer })
    const outcome = await run(auth, incoming, route)
    if (outcome.kind === "denied") log(auth, outcome.error)
    return auth.config.raw === raw ? rawAnswer(auth, incoming, outcome) : await respond(auth, incoming, outcome)
  } catch (cause) {
    return refuse(auth, request, cause)
  }
}

/** That a limit did its work is no fault, and an attacker must not fill the log of errors with it. */
function log({ logger }: Compiled, error: AuthError): void {
  if (error instanceof RateLimited) logger.warn("rate-limited", error.message)
  else logger.error(error)
}

interface Located {
  readonly url: URL
  readonly method: Incoming["method"]
  readonly address: Address
  readonly route: Route
}

/** What is asked for, or the refusal of what nobody answers. */
function locate(auth: Compiled, request: Request): Located | Response {
  const url = new URL(request.url)
  const address = addressOf(auth.basePath, url.pathname)
  if (address === undefined) return plainAnswer(404)
  const { method } = request
  if (method === "OPTIONS") return plainAnswer(204)
  if (method !== "GET" && method !== "POST" && method !== "HEAD") return plainAnswer(405, ["GET", "POST"])
  const found = match(auth, method, address)
  if (found === undefined) return plainAnswer(404)
  if ("allowed" in found) return plainAnswer(405, found.allowed)
  // Looking at a callback must not use it up: scanners look.
  if (method === "HEAD" && address.action === "callback") return plainAnswer(200)
  return { url, method, address, route: found }
}

function rawAnswer(auth: Compiled, incoming: Incoming, outcome: Outcome): ResponseInternal {
  if (outcome.kind === "denied" && !incoming.headers.has("x-auth-return-redirect")) throw outcome.error
  return toInternal(auth, incoming, outcome)
}

/** Finds the route of what the application itself asks for, and runs it. */
export async function handle(auth: Compiled, incoming: Incoming): Promise<Outcome> {
  const found = match(auth, incoming.method, incoming)
  if (found === undefined || "allowed" in found) return denied(new UnknownAction("There is no such action"))
  return run(auth, incoming, found)
}

/** The one place where what was thrown becomes an outcome. */
async function run(auth: Compiled, incoming: Incoming, route: Route): Promise<Outcome> {
  try {
    return await route.handle(auth, incoming)
  } catch (cause) {
    return denied(cause instanceof AuthError ? cause : new AuthError(cause instanceof Error ? cause : String(cause)))
  }
}

function refuse(auth: Compiled, request: Request, cause: unknown): Response {
  if (cause instanceof UnreadableBody) return plainAnswer(cause.status)
  if (auth.config.raw === raw && cause instanceof AuthError) throw cause
  if (cause instanceof UntrustedHost) {
    auth.logger.error(cause)
    // Where hosts are trusted, an impossible or foreign one is the stranger's mistake; without any trust it is ours.
    return auth.config.trustHost ? plainAnswer(400) : misconfigured(request, auth.config, cause)
  }
  auth.logger.error(cause instanceof Error ? cause : new AuthError(String(cause)))
  return plainAnswer(500)
}
