import type { RefusalReason, RefusedKey } from "./index.js"

interface Answer {
  readonly status: RefusedKey["status"]
  /** RFC 6750 §3.1. A request without credentials gets none. */
  readonly error?: string
  readonly description?: string
}

const wrong = { status: 401, error: "invalid_token", description: "The API key is invalid" } as const

/** What the program sees. Why a key is invalid is for the server alone: whether it exists, or has an owner. */
const answers: Readonly<Record<RefusalReason, Answer>> = {
  missing: { status: 401 },
  malformed: wrong,
  invalid: wrong,
  owner: wrong,
  host: wrong,
  expired: { ...wrong, description: "The API key has expired" },
  scope: { status: 403, error: "insufficient_scope", description: "The API key doesn't allow this" },
  limited: { status: 429 },
}

interface Details {
  /** Seconds. */
  readonly retryAfter?: number
  /** Scopes that are needed. */
  readonly scope?: readonly string[]
}

export function refuse(prefix: string, reason: RefusalReason, { retryAfter, scope }: Details = {}): RefusedKey {
  const { status, error, description } = answers[reason]
  const params = [
    `realm="${prefix}"`,
    ...(error === undefined ? [] : [`error="${error}"`]),
    ...(description === undefined ? [] : [`error_description="${description}"`]),
    ...(scope === undefined ? [] : [`scope="${scope.join(" ")}"`]),
  ]
  const headers = {
    "cache-control": "no-store",
    ...(status === 429
      ? { "retry-after": String(retryAfter ?? 60) }
      : { "www-authenticate": `Bearer ${params.join(", ")}` }),
  }
  const body = { error: error ?? (status === 429 ? "rate_limited" : "missing_token") }
  return { ok: false, reason, status, headers, toResponse: () => Response.json(body, { status, headers }) }
}
