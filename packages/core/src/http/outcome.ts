import type { AuthError } from "../errors.js"
import type { SetCookie } from "../model/cookie.js"
import type { Outcome, Page, SafeUrl } from "../model/http.js"

const none: readonly SetCookie[] = []

export function redirect(to: SafeUrl, cookies: readonly SetCookie[] = none): Outcome {
  return { kind: "redirect", to, cookies }
}

export function json(body: unknown, cookies: readonly SetCookie[] = none, status = 200): Outcome {
  return { kind: "json", body, cookies, status }
}

export function page(page: Page, cookies: readonly SetCookie[] = none, status = 200): Outcome {
  return { kind: "page", page, cookies, status }
}

export function denied(error: AuthError, cookies: readonly SetCookie[] = none): Outcome {
  return { kind: "denied", error, cookies }
}
