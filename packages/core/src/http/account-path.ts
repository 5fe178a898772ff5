interface Paths {
  /** A leading slash and no trailing one. */
  readonly basePath: string
  /** `pages.account` */
  readonly account: string | undefined
}

/**
 * Whether `pages.account` is the path of the built-in page, which is then a route of the application. Auth.js has no action of
 * this name, so an application may have such a route.
 */
export function isOwnAccountRoute({ basePath, account }: Paths): boolean {
  if (account === undefined || !URL.canParse(account, "http://localhost")) return false
  const { origin, pathname } = new URL(account, "http://localhost")
  return origin === "http://localhost" && pathname.replace(/\/+$/, "") === `${basePath}/account`
}
