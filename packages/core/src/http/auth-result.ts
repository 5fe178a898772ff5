import type { AuthError } from "../errors.js"
import type { SetCookie } from "../model/cookie.js"
import type { AuthResult, Page, RedirectMeaning, SafeUrl } from "../model/http.js"

const none: readonly SetCookie[] = []

/** @param meaning what a flow gets instead of the redirect */
export function redirect(to: SafeUrl, cookies: readonly SetCookie[] = none, meaning?: RedirectMeaning): AuthResult {
  return { kind: "redirect", to, cookies, ...(meaning && { meaning }) }
}

export function json(body: unknown, cookies: readonly SetCookie[] = none, status = 200): AuthResult {
  return { kind: "json", body, cookies, status }
}

export function page(page: Page, cookies: readonly SetCookie[] = none, status = 200): AuthResult {
  return { kind: "page", page, cookies, status }
}

export function failure(error: AuthError, cookies: readonly SetCookie[] = none): AuthResult {
  return { kind: "failure", error, cookies }
}
