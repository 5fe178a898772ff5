import type { NextRequest } from "next/server.js"
import type { Instance } from "./instance.js"

type RequestUrl = Pick<NextRequest, "headers" | "nextUrl">

/**
 * The request URL on the origin of `AUTH_URL`, or else on the one Next.js knows. If a middleware redirects to the latter,
 * Next.js sends the browser only the path, so forged headers can't redirect to another host.
 */
export function ownUrl<S>({ origin }: Instance<S>, { nextUrl }: RequestUrl): URL {
  return withOrigin(new URL(nextUrl.href), origin)
}

/** Not `new URL(path, origin)`: a path that starts with `//` would replace the host. */
export function withOrigin(url: URL, origin: string | undefined): URL {
  if (origin === undefined) return url
  const { protocol, hostname, port } = new URL(origin)
  return Object.assign(new URL(url), { protocol, hostname, port })
}

/**
 * The sign-in page for a proxy or middleware redirect. Next.js puts the locale of the Pages Router between its `basePath`
 * and the path of a custom page. The built-in page has no locale.
 */
export function signInUrl<S>(instance: Instance<S>, request: NextRequest): URL {
  const { origin } = ownUrl(instance, request)
  const { signInPage, basePath, nextBasePath } = instance
  if (!signInPage.startsWith("/") || signInPage.startsWith(`${basePath}/`)) return new URL(signInPage, origin)
  const custom = new URL(signInPage, origin)
  const page = request.nextUrl.clone()
  page.pathname = custom.pathname.slice(nextBasePath.length)
  page.search = custom.search
  return new URL(new URL(page.href).pathname + custom.search, origin)
}

export function isSignInPage<S>(instance: Instance<S>, request: NextRequest): boolean {
  const page = signInUrl(instance, request)
  const own = ownUrl(instance, request)
  return page.origin === own.origin && isSamePath(page, own)
}

/** Compares paths without their trailing slash, which `trailingSlash` in next.config adds. */
export function isSamePath(one: URL, other: URL): boolean {
  return withoutTrailingSlash(one.pathname) === withoutTrailingSlash(other.pathname)
}

function withoutTrailingSlash(path: string): string {
  return path.length > 1 && path.endsWith("/") ? path.slice(0, -1) : path
}

/** The sign-in page for `redirect` from next/navigation, which adds the Next.js `basePath` itself. */
export function signInPath<S>({ signInPage, nextBasePath }: Instance<S>, callbackUrl: string | undefined): string {
  const placeholder = "https://latchkey.invalid"
  const page = new URL(signInPage, placeholder)
  if (callbackUrl !== undefined) page.searchParams.set("callbackUrl", callbackUrl)
  if (page.origin !== placeholder) return page.href
  return (page.pathname + page.search).slice(nextBasePath.length)
}

type RefererContext = Pick<Instance<unknown>, "basePath" | "signInPage" | "origin" | "isStrict">

/**
 * The default callback URL of a Server Action: the page that sent the form, with its query. Strict mode drops the query,
 * which may contain secrets such as a password reset token. If the page has a `callbackUrl`, as a sign-in page does, it's
 * that one; the engine checks it.
 */
export function defaultCallbackUrl(instance: RefererContext, headers: Pick<Headers, "get">): string {
  const { isStrict, origin } = instance
  const referer = headers.get("referer")
  if (referer === null || !URL.canParse(referer)) return "/"
  const page = new URL(referer)
  const hosts = [headers.get("x-forwarded-host"), headers.get("host")]
  if (page.origin !== origin && !hosts.includes(page.host)) return "/"
  if (!isSignIn(instance, page)) return isStrict ? page.pathname : page.pathname + page.search
  const fallback = isStrict || isAuthRoute(instance, page) ? "/" : page.pathname + page.search
  return page.searchParams.get("callbackUrl") ?? fallback
}

function isSignIn(instance: RefererContext, page: URL): boolean {
  const isConfigured = page.pathname === new URL(instance.signInPage, page).pathname
  return isConfigured || isAuthRoute(instance, page) || page.searchParams.has("callbackUrl")
}

function isAuthRoute({ basePath }: RefererContext, { pathname }: URL): boolean {
  return pathname.startsWith(`${basePath}/`)
}

/**
 * Restores the path the browser requested. Next.js removes its `basePath` from the URL of a Route Handler, but the auth
 * routes and their redirect URIs include it.
 */
export function withBasePath(basePath: string, request: NextRequest): Request {
  const url = new URL(request.url)
  const segments = basePath.split("/")
  for (let removed = 1; removed < segments.length; removed++) {
    if (url.pathname.startsWith(`${basePath}/`)) return request
    const rest = `/${segments.slice(removed + 1).join("/")}`
    if (rest !== "/" && url.pathname.startsWith(`${rest}/`)) {
      url.pathname = segments.slice(0, removed + 1).join("/") + url.pathname
      return new Request(url, request)
    }
  }
  return request
}
