/** CSP 3 §2.3.1: URLs may hold hosts that this grammar cannot say (IPv6) or that would begin another directive (`;`). */
const hostSource = /^https?:\/\/[a-z0-9-]+(?:\.[a-z0-9-]+)*(?::\d+)?$/
const schemeSource = /^[a-z][a-z0-9+.-]*:$/

/** The site that serves the page. */
export const thisSite = "'self'"

/** How a policy names where this URL leads: its origin, or its scheme if that is an application's own. */
export function sourceOf(url: string): string | undefined {
  if (!URL.canParse(url)) return undefined
  const { origin, protocol } = new URL(url)
  if (protocol === "http:" || protocol === "https:") return hostSource.test(origin) ? origin : undefined
  return schemeSource.test(protocol) ? protocol : undefined
}

/** The source of an address that is not on this site. */
export function sourceBeyond(origin: string, address: string | undefined): string | undefined {
  if (address === undefined || !URL.canParse(address, origin)) return undefined
  const url = new URL(address, origin)
  return url.origin === origin ? undefined : sourceOf(url.href)
}
