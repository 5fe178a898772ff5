import { normalPath } from "../config/defaults.js"
import { isAuthAction } from "../config/env/action-url.js"
import { isOwnAccountRoute } from "../http/account-path.js"
import type { AuthConfig } from "../model/config.js"

/** Whether a path is one of the auth routes, including those of modules. */
export function isAuthRoute({ basePath = "", modules = [], pages = {} }: AuthConfig, pathname: string): boolean {
  const base = `${normalPath(basePath)}/`
  if (!pathname.startsWith(base)) return false
  const [action = ""] = pathname.slice(base.length).split("/")
  if (action === "account" && isOwnAccountRoute({ basePath: normalPath(basePath), account: pages.account }))
    return false
  if (isAuthAction(action)) return true
  return (
    modules.length > 0 && (action === "factor" || modules.some(({ id, paths = [] }) => [id, ...paths].includes(action)))
  )
}
