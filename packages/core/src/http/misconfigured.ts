import { AuthError, ErrorPageLoop } from "../errors.js"
import { loggerOf } from "../observability/logger.js"
import type { AuthConfig } from "../model/config.js"
import { plainAnswer } from "./respond.js"

/** Actions that a person looks at; everything else is answered for programs (spec/http.md §4). */
const pageActions: ReadonlySet<string> = new Set(["signin", "signout", "error", "verify-request"])

/** What can be answered although the configuration cannot be used. The problem itself stands in the log. */
export function misconfigured(
  request: Request,
  config: Pick<AuthConfig, "pages" | "logger" | "debug">,
  cause: unknown,
): Response {
  const url = new URL(request.url)
  const action = url.pathname.split("/").findLast((segment) => segment !== "") ?? ""
  if (request.method !== "GET" || !pageActions.has(action)) return plainAnswer(500)
  const own = config.pages?.error
  // The page itself may be what is wrong with the configuration.
  if (own === undefined || !URL.canParse(own, url.origin)) return plainAnswer(500, [], errorDocument)
  const target = new URL(own, url.origin)
  if (comesFrom(target, url.searchParams.get("callbackUrl"))) {
    const loop = "The error page itself asks for sign-in: leave it open to everybody"
    loggerOf(config).error(
      new ErrorPageLoop(loop, { cause: cause instanceof Error ? cause : new AuthError(String(cause)) }),
    )
    return plainAnswer(500, [], errorDocument)
  }
  target.searchParams.set("error", "Configuration")
  return plainAnswer(302, [], target)
}

function comesFrom(page: URL, callbackUrl: string | null): boolean {
  return callbackUrl !== null && (callbackUrl.startsWith(page.pathname) || callbackUrl.startsWith(page.href))
}

/** Complete in itself: pages proper need a working configuration. */
const errorDocument = `<!DOCTYPE html><html lang="en"><head><meta charset="utf-8"><title>Error</title></head>
<body><main class="error"><h1>Server error</h1>
<p>There is a problem with the server configuration. Its log says what to do.</p></main></body></html>`
