/**
 * For every response: it's about one user, so no cache may keep it; its URL may contain a token, so no referrer is sent; and
 * no frame or other site may load it.
 */
export const common = {
  "cache-control": "private, no-cache, no-store",
  expires: "0",
  pragma: "no-cache",
  vary: "Cookie",
  "x-content-type-options": "nosniff",
  "referrer-policy": "no-referrer",
  "content-security-policy": "default-src 'none'; frame-ancestors 'none'; form-action 'none'; base-uri 'none'",
  "x-frame-options": "DENY",
  "cross-origin-opener-policy": "same-origin",
  "cross-origin-resource-policy": "same-origin",
} as const

type WithContent = typeof common & { readonly "content-type": string }

export const json: WithContent = { ...common, "content-type": "application/json" }

export const pageHeaders: WithContent = { ...common, "content-type": "text/html; charset=utf-8" }
