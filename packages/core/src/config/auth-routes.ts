import { isOwnAccountRoute } from "../http/account-path.js"
import type { AuthConfig } from "../model/config.js"
import type { Module } from "../module-kit/model.js"
import { normalPath } from "./defaults.js"
import { isAuthAction } from "./env/action-url.js"

/** Whether a path is one of the auth routes, including those of modules. */
export function isAuthRoute({ basePath = "", modules = [], pages = {} }: AuthConfig, pathname: string): boolean {
  const base = `${normalPath(basePath)}/`
  if (!pathname.startsWith(base)) return false
  const [action = ""] = pathname.slice(base.length).split("/")
  if (action === "account" && isOwnAccountRoute({ basePath: normalPath(basePath), account: pages.account }))
    return false
  return isAuthAction(action) || isModuleRoute(modules, action)
}

/** With modules, a sign-in may wait for a factor. */
function isModuleRoute(modules: readonly Module[], action: string): boolean {
  if (modules.length === 0) return false
  return action === "factor" || modules.some(({ id, paths = [] }) => [id, ...paths].includes(action))
}
