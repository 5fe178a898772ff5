import type { Answer, SignInResponse } from "./model.js"
import { httpUrl, ownUrl } from "./target.js"

/** What came of a form, and where the server leads: to the error page, too. */
export interface Verdict extends SignInResponse {
  readonly target: URL | undefined
}

/**
 * Core answers a refusal with 200 and an address that tells the error (spec/http.md §8).
 *
 * @param wanted where to go if the server names no place
 * @param here the page that relative addresses are relative to
 */
export function verdictOf({ ok: answered, status, body }: Answer, wanted: string, here: string): Verdict {
  const url = fieldOf(body, "url")
  const target = url === undefined ? (answered ? ownUrl(wanted, here) : undefined) : httpUrl(url, here)
  const told = url === undefined ? undefined : target?.searchParams.get("error")
  const error = told ?? (answered && target ? undefined : status ? "Configuration" : "ClientFetchError")
  const ok = error === undefined
  return {
    error,
    code: (told && target?.searchParams.get("code")) || undefined,
    status: told && answered ? 401 : status,
    ok,
    url: ok && target ? target.href : null,
    target,
  }
}

export function fieldOf(body: unknown, name: string): unknown {
  return isRecord(body) && Object.hasOwn(body, name) ? (body[name] ?? undefined) : undefined
}

export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value)
}
