import type { Cookie } from "../model/cookie.js"
import { saidBy } from "../model/authentication.js"
import type { LiveSession, SchemeContext } from "../model/session-strategy.js"
import type { Authentication } from "../model/step-up.js"
import type { CompanionCookie } from "./model.js"

/** The cookie that a module knows by this name. */
export function moduleCookie({ secure }: Pick<SchemeContext, "secure">, module: string, name: string): Cookie {
  const options = { httpOnly: true, sameSite: "lax", path: "/", secure } as const
  return { name: `${secure ? "__Host-" : ""}authjs.${module}.${name}`, options }
}

/** What a module seals is for itself. */
export function modulePurpose(module: string): string {
  return `module ${module}`
}

/**
 * A cookie that has to come with a session, for `needsCookie`. On the routes of the module it may be missing: they renew it.
 *
 * @example
 * ```ts
 * import { companionCookie, defineModule } from "@latchkey/core/module"
 * export const bound = () => defineModule({ id: "bound", stepUp: true, needsCookie: companionCookie("pass") })
 * ```
 */
export function companionCookie(name: string): CompanionCookie {
  return {
    name,
    async accepts({ https }, request, live, module) {
      const id = idOf(live)
      if (id === undefined || request.action === module) return true
      const token = request.cookies.get(moduleCookie(request.scheme, module, name).name) ?? ""
      try {
        return (await https.sealer.open(modulePurpose(module), token)).payload["accompanies"] === id
      } catch {
        return false
      }
    },
  }
}

/** Of a session that began before the module was configured, or of a visitor who proved nothing, there is none. */
function idOf(live: LiveSession): string | undefined {
  const { id, tag } = Object(saidBy(live)) as Partial<Authentication>
  return typeof tag === "string" && typeof id === "string" ? id : undefined
}
