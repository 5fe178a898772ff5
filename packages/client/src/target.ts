/** An absolute http(s) address, `undefined` for everything else: what runs a script is no place to go to. */
export function httpUrl(address: unknown, base: string | undefined): URL | undefined {
  try {
    const url = new URL(String(address), base)
    return /^https?:$/.test(url.protocol) ? url : undefined
  } catch {
    return undefined
  }
}

/** The same for an address that the server did not vouch for: it must be on the origin of `base`. */
export function ownUrl(address: unknown, base: string): URL | undefined {
  const url = httpUrl(address, base)
  return url?.origin === httpUrl(base, undefined)?.origin ? url : undefined
}

/** The present page as the place to come back to, without the error of an earlier attempt, which would look like a new one. */
export function returnTarget(href: string): string {
  const url = new URL(href)
  if (!url.searchParams.has("error")) return href
  url.searchParams.delete("error")
  url.searchParams.delete("code")
  return url.href
}

/** Whether going from one address to the other only moves within the page. */
export function isSamePage(from: string, to: string): boolean {
  return to.includes("#") && from.split("#")[0] === to.split("#")[0]
}
