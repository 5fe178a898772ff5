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
export function verdictOf(answer: Answer, wanted: string, here: string): Verdict {
  const { ok: answered, status } = answer
  const { target, told } = placeIn(answer, wanted, here)
  const error = told.get("error")
  if (answered && target && !error)
    return { error: undefined, code: undefined, status, ok: true, url: target.href, target }
  const failed = { ok: false, url: null, target }
  if (error) return { ...failed, error, code: told.get("code") ?? undefined, status: answered ? 401 : status }
  return { ...failed, error: status === 0 ? "ClientFetchError" : "Configuration", code: undefined, status }
}

/** Where the server leads, and what it tells there; a place that only the page asked for tells nothing. */
function placeIn({ ok, body }: Answer, wanted: string, here: string) {
  const place = fieldOf(body, "url")
  const target = place === undefined ? (ok ? ownUrl(wanted, here) : undefined) : httpUrl(place, here)
  return { target, told: new URLSearchParams(place === undefined ? "" : target?.search) }
}

export function fieldOf(body: unknown, name: string): unknown {
  return isRecord(body) && Object.hasOwn(body, name) ? (body[name] ?? undefined) : undefined
}

export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value)
}
