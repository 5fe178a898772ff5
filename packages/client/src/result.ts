import type { Answer, SignInResponse } from "./model.js"
import { httpUrl, sameOriginUrl } from "./urls.js"

/** The result of a form, and the URL that the server redirects to. After a failure, that's usually the error page. */
export interface FormResult extends SignInResponse {
  readonly target: URL | undefined
}

/**
 * Reads the response to a form. The server reports a rejected sign-in with status 200 and a `url` whose query has `error`.
 *
 * @param fallbackUrl where to go if the response has no `url`
 * @param pageUrl the base of relative URLs
 */
export function formResult(answer: Answer, fallbackUrl: string, pageUrl: string): FormResult {
  const { ok: hasAnswer, status } = answer
  const { target, query } = targetOf(answer, fallbackUrl, pageUrl)
  const error = query.get("error")
  if (hasAnswer && target && !error)
    return { error: undefined, code: undefined, status, ok: true, url: target.href, target }
  const failed = { ok: false, url: null, target }
  if (error) return { ...failed, error, code: query.get("code") ?? undefined, status: hasAnswer ? 401 : status }
  return { ...failed, error: errorsByStatus.get(status) ?? "Configuration", code: undefined, status }
}

/** Errors without a `url` in the body. */
const errorsByStatus: ReadonlyMap<number, string> = new Map([
  [0, "ClientFetchError"],
  [429, "RateLimited"],
])

/** `query` is empty for the fallback URL, because an `error` there doesn't come from the server. */
function targetOf({ ok, body }: Answer, fallbackUrl: string, pageUrl: string) {
  const url = fieldOf(body, "url")
  const fallback = ok ? sameOriginUrl(fallbackUrl, pageUrl) : undefined
  const target = url === undefined ? fallback : httpUrl(url, pageUrl)
  return { target, query: new URLSearchParams(url === undefined ? "" : target?.search) }
}

export function fieldOf(body: unknown, name: string): unknown {
  return isRecord(body) && Object.hasOwn(body, name) ? (body[name] ?? undefined) : undefined
}

export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value)
}
