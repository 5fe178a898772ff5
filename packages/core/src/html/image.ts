import type { AuthRequest } from "../model/http.js"
import { sourceOf } from "./source.js"

export interface Image {
  readonly src: string
  /** CSP source of the image if it's on another site. */
  readonly source?: string
}

/** Accepts a data URL, a URL on this site or an https URL. Returns `undefined` for anything else. */
export function imageOf(request: Pick<AuthRequest, "base" | "origin">, value: unknown): Image | undefined {
  if (typeof value !== "string" || value === "") return undefined
  if (/^data:image\/[a-z0-9.+-]+[;,]/i.test(value)) return { src: value }
  // A relative path is relative to the page, as it would be without a server.
  const base = `${request.base}/`
  if (!URL.canParse(value, base)) return undefined
  const url = new URL(value, base)
  if (url.origin === request.origin) return { src: url.href }
  const source = sourceOf(url.href)
  return url.protocol === "https:" && source !== undefined ? { src: url.href, source } : undefined
}
