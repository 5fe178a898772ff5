import { type Env, type FrameworkRequest, isNavigation } from "@latchkey/core/integration"

/** A request, and what a call says about it. */
export interface StartRequest {
  readonly request: Request
  /** Path and query of the page that asks for the session. */
  readonly page?: string | undefined
}

/** Requests for server functions, as far as the middleware knows. */
const functionCalls = new WeakSet<Request>()

export function markFunctionCall(request: Request): void {
  functionCalls.add(request)
}

export function read({ request, page }: StartRequest): FrameworkRequest {
  const { method, headers } = request
  const url = new URL(request.url)
  // The URL of a function isn't that of a page, and the router follows its redirects as if it had opened a page.
  const isFunctionCall = functionCalls.has(request) || headers.has("x-tsr-serverfn")
  return {
    method,
    url,
    headers,
    page: page ?? (isFunctionCall ? pageOf(headers.get("referer")) : url.pathname + url.search),
    opensPage: isFunctionCall || isNavigation(headers),
  }
}

function pageOf(referer: string | null): string {
  const { pathname, search } = URL.canParse(referer ?? "") ? new URL(referer ?? "") : { pathname: "/", search: "" }
  // Several slashes at the start would name another host.
  return pathname.replace(/^\/+/, "/") + search
}

/** Whether a build makes this page. It has no visitor, and a build has no secret. */
export function isPrerendered(env: Env): boolean {
  return env["TSS_PRERENDERING"] === "true"
}
