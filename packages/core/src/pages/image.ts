import type { Incoming } from "../model/http.js"
import { sourceOf } from "./source.js"

export interface Image {
  readonly src: string
  /** The other site it comes from, as the content security policy names it. */
  readonly source?: string
}

/** An image that was configured, if a page may show it: inline, of this site, or of one https site. */
export function imageOf(incoming: Incoming, address: unknown): Image | undefined {
  if (typeof address !== "string" || address === "") return undefined
  if (/^data:image\/[a-z0-9.+-]+[;,]/i.test(address)) return { src: address }
  if (!URL.canParse(address, incoming.origin)) return undefined
  const url = new URL(address, incoming.origin)
  if (url.origin === incoming.origin) return { src: url.href }
  const source = sourceOf(url.href)
  return url.protocol === "https:" && source !== undefined ? { src: url.href, source } : undefined
}
