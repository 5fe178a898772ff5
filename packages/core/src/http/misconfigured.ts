import { AuthError, ErrorPageLoop } from "../errors.js"
import type { AuthContext } from "../model/auth.js"
import type { BuiltInPages, RefusalSite } from "../model/built-in-pages.js"
import type { AuthConfig } from "../model/config.js"
import type { PlainResponse } from "../model/http.js"
import { describeError } from "../observability/error-reports.js"
import { type Secretive, loggerOf } from "../observability/logger.js"
import { systemRuntime } from "../primitives/runtime.js"
import { acceptsPage } from "./auth-request.js"
import { documentFor, plainAnswer } from "./refusal.js"
import { toConfiguredPage } from "./respond.js"

/** Actions that show a page. All others respond to programs. */
const pageActions: ReadonlySet<string> = new Set(["signin", "signout", "error", "verify-request"])

/** The response if the configuration can't be used. The log has the problem. */
export async function misconfigured(
  request: Pick<Request, "method" | "url" | "headers">,
  config: Pick<AuthConfig, "pages" | "logger" | "debug" | "environment"> & Secretive,
  cause: unknown,
  pages: BuiltInPages<AuthContext> | undefined,
): Promise<PlainResponse> {
  const url = new URL(request.url)
  const action = url.pathname.split("/").findLast((segment) => segment !== "") ?? ""
  if (request.method !== "GET" || !pageActions.has(action))
    return acceptsPage(request.headers) ? errorDocument(request, config, cause, pages) : plainAnswer(500)
  const own = config.pages?.error
  // The configured page may be the problem.
  if (own === undefined || !URL.canParse(own, url.origin)) return errorDocument(request, config, cause, pages)
  const target = new URL(own, url.origin)
  if (comesFrom(target, url.searchParams.get("callbackUrl"))) {
    const loop = "The error page itself requires sign-in. Make it public"
    loggerOf(config)
      .forRequest(request)
      .error(new ErrorPageLoop(loop, { cause: cause instanceof Error ? cause : new AuthError(String(cause)) }))
    return errorDocument(request, config, cause, pages)
  }
  target.searchParams.set("error", "Configuration")
  return toConfiguredPage(target)
}

function comesFrom(page: URL, callbackUrl: string | null): boolean {
  return callbackUrl !== null && (callbackUrl.startsWith(page.pathname) || callbackUrl.startsWith(page.href))
}

/** The configuration can't be used, so the page has no theme. It has the ID and, in development, the problems. */
async function errorDocument(
  request: Pick<Request, "method" | "headers">,
  config: Pick<AuthConfig, "environment"> & Secretive,
  cause: unknown,
  pages: BuiltInPages<AuthContext> | undefined,
): Promise<PlainResponse> {
  if (pages === undefined) return plainAnswer(500)
  const isDevelopment = config.environment === "development" && cause instanceof Error
  const detail = isDevelopment ? describeError(loggerOf(config).forRequest(request).redacted(cause)) : undefined
  const id = cause instanceof AuthError ? cause.id : undefined
  return documentFor(pages, unconfigured, request, { refusal: plainAnswer(500), status: 500, id, detail })
}

const unconfigured: RefusalSite = {
  theme: {},
  i18n: {},
  logger: loggerOf({}),
  nonce: undefined,
  runtime: systemRuntime,
  origin: undefined,
  basePath: "",
}
