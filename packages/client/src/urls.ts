/** An absolute `http:` or `https:` URL. `undefined` for anything else, such as `javascript:`, which would run a script. */
export function httpUrl(url: unknown, base: string | undefined): URL | undefined {
  try {
    const parsed = new URL(String(url), base)
    return /^https?:$/.test(parsed.protocol) ? parsed : undefined
  } catch {
    return undefined
  }
}

/** A URL on the origin of `base`. For URLs that the server didn't check, to prevent open redirects. */
export function sameOriginUrl(url: unknown, base: string): URL | undefined {
  const parsed = httpUrl(url, base)
  return parsed?.origin === httpUrl(base, undefined)?.origin ? parsed : undefined
}

/** The current page as a callback URL, without the error of an earlier attempt, which would look like a new one. */
export function withoutError(href: string): string {
  const url = new URL(href)
  if (!url.searchParams.has("error")) return href
  url.searchParams.delete("error")
  url.searchParams.delete("code")
  return url.href
}

/** Whether a navigation only changes the fragment, which doesn't reload the page. */
export function isSamePage(from: string, to: string): boolean {
  return to.includes("#") && from.split("#")[0] === to.split("#")[0]
}
