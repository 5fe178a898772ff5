import type { Site } from "./site.js"

/**
 * Where somebody returns to who signs in or out without naming a place: the page the form was on, without its query, which
 * may hold what must not travel further. Of the sign-in page it is what that page was asked to return to; whether one
 * may go there is for the engine to decide.
 */
export function returnTarget(
  { basePath, signInPage, origin }: Pick<Site<unknown>, "basePath" | "signInPage" | "origin">,
  headers: Pick<Headers, "get">,
): string {
  const referer = headers.get("referer")
  if (referer === null || !URL.canParse(referer)) return "/"
  const page = new URL(referer)
  const hosts = [headers.get("x-forwarded-host"), headers.get("host")]
  if (page.origin !== origin && !hosts.includes(page.host)) return "/"
  const isSignIn = page.pathname === new URL(signInPage, page).pathname || page.pathname.startsWith(`${basePath}/`)
  return isSignIn ? (page.searchParams.get("callbackUrl") ?? "/") : page.pathname
}
