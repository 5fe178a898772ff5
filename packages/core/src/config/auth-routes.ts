import { isOwnAccountRoute } from "../http/account-path.js"
import type { AuthConfig } from "../model/config.js"
import { stepUpRoute } from "../model/step-up.js"
import type { Module } from "../module-kit/model.js"
import { normalPath } from "./defaults.js"
import { isAuthAction } from "./env/action-url.js"

/** Whether a path is one of the auth routes, including those of modules. */
export function isAuthRoute(config: AuthConfig, pathname: string): boolean {
  const { basePath = "", pages = {} } = config
  const base = `${normalPath(basePath)}/`
  if (!pathname.startsWith(base)) return false
  const [action = ""] = pathname.slice(base.length).split("/")
  if (action === "account" && isOwnAccountRoute({ basePath: normalPath(basePath), account: pages.account }))
    return false
  return hasAction(config, action)
}

function hasAction(config: AuthConfig, action: string): boolean {
  if (isAuthAction(action) || isModuleRoute(config.modules ?? [], action)) return true
  return action === stepUpRoute && keepsAuthentication(config)
}

/** Whether sessions say when and how their users signed in. */
export function keepsAuthentication({ session, modules = [] }: Pick<AuthConfig, "session" | "modules">): boolean {
  return session?.stepUp === true || modules.some(({ stepUp }) => stepUp === true)
}

/** With modules, a sign-in may wait for a factor. */
function isModuleRoute(modules: readonly Module[], action: string): boolean {
  if (modules.length === 0) return false
  return action === "factor" || modules.some(({ id, paths = [] }) => [id, ...paths].includes(action))
}
