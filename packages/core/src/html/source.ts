/** The host-source grammar of CSP 3 §2.3.1. It has no IPv6 hosts, and a `;` in a host would start another directive. */
const hostSource = /^https?:\/\/[a-z0-9-]+(?:\.[a-z0-9-]+)*(?::\d+)?$/
const schemeSource = /^[a-z][a-z0-9+.-]*:$/

export const thisSite = "'self'"

/** The CSP source that matches a URL: its origin, or its scheme for a link to a native app. */
export function sourceOf(url: string): string | undefined {
  if (!URL.canParse(url)) return undefined
  const { origin, protocol } = new URL(url)
  if (protocol === "http:" || protocol === "https:") return hostSource.test(origin) ? origin : undefined
  return schemeSource.test(protocol) ? protocol : undefined
}

/** The CSP source that matches a URL on another site; `undefined` for a URL on this site. */
export function externalSource(origin: string, target: string | undefined): string | undefined {
  if (target === undefined || !URL.canParse(target, origin)) return undefined
  const url = new URL(target, origin)
  return url.origin === origin ? undefined : sourceOf(url.href)
}
