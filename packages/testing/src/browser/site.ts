/** Two labels name a site here; hosts without a dot and IP addresses name themselves. No public suffix list. */
export function siteOf(url: URL): string {
  const { hostname } = url
  const isAddress = hostname.startsWith("[") || /^[\d.]+$/.test(hostname)
  const host = isAddress ? hostname : hostname.split(".").slice(-2).join(".")
  return `${url.protocol}//${host}`
}

/** Where a request comes from: `undefined` means the person typed the address. */
export type Initiator = URL | undefined

export function isSameSite(initiator: Initiator, target: URL): boolean {
  return initiator === undefined || siteOf(initiator) === siteOf(target)
}

/** The value of `Sec-Fetch-Site` (Fetch Metadata Request Headers §2.2). */
export function fetchSite(initiator: Initiator, target: URL): "none" | "same-origin" | "same-site" | "cross-site" {
  if (initiator === undefined) return "none"
  if (initiator.origin === target.origin) return "same-origin"
  return isSameSite(initiator, target) ? "same-site" : "cross-site"
}
