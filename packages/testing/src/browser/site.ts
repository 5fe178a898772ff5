/** The last two labels of the host, without a public suffix list. A single label or an IP address is its own site. */
export function siteOf(url: URL): string {
  const { hostname } = url
  const isIp = hostname.startsWith("[") || /^[\d.]+$/.test(hostname)
  const host = isIp ? hostname : hostname.split(".").slice(-2).join(".")
  return `${url.protocol}//${host}`
}

/** The page that causes a request; `undefined` if the user typed the URL. */
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
