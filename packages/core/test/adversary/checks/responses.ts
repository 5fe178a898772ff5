import { describe, type Exchange, setCookies } from "../world/exchange.js"
import { origins } from "../world/names.js"
import type { Settings } from "../world/settings.js"
import { Violation } from "../world/violation.js"
import type { World } from "../world/world.js"

const allowed: ReadonlySet<string> = new Set([origins.app, origins.op, origins.hub, origins.rogue])

export function redirectAllowed({ exchanges, mail, settings }: World): void {
  for (const { link } of mail.sent)
    if (!isOwn(settings, new URL(link).origin)) throw new Violation("redirect-allowed", `A message links to ${link}`)
  for (const exchange of exchanges) {
    const to = exchange.answer.get("location")
    if (to === null) continue
    const { origin } = new URL(to, exchange.url)
    if (!allowed.has(origin) && !isOwn(settings, origin)) throw new Violation("redirect-allowed", describe(exchange))
  }
}

/** A host that is configured without a scheme is the site over http too. */
function isOwn(settings: Settings, origin: string): boolean {
  return origin === origins.app || (settings.origin === "bare" && origin === origins.plain)
}

/**
 * A failure of the database or of the mail server isn't the visitor's doing. The page about a misconfiguration, to which a
 * wrong ID token leads, has status 500 as in Auth.js v5.
 */
export function noServerError({ exchanges, store, mail }: World): void {
  if (store?.hasFailed === true || mail.hasFailed) return
  for (const exchange of exchanges)
    if (exchange.status >= 500 && exchange.url.pathname !== "/auth/error")
      throw new Violation("no-server-error", describe(exchange))
}

export function notCacheable({ exchanges }: World): void {
  for (const exchange of exchanges)
    if (setCookies(exchange).length > 0 || exchange.url.pathname.endsWith("/session"))
      if (isStorable(exchange)) throw new Violation("not-cacheable", describe(exchange))
}

/** Whether a shared cache may store the response (RFC 9111 §3). It may choose the lifetime itself. */
export function isStorable({ method, status, answer }: Exchange): boolean {
  if (method !== "GET" && method !== "HEAD") return false
  const directives = (answer.get("cache-control") ?? "").toLowerCase().split(/\s*,\s*/)
  if (directives.some((directive) => /^(?:no-store|private)\b/.test(directive))) return false
  const isHeuristic = [200, 203, 204, 206, 300, 301, 308, 404, 405, 410, 414, 501].includes(status)
  return (
    isHeuristic ||
    answer.has("expires") ||
    directives.some((directive) => /^(?:public|s-maxage|max-age)\b/.test(directive))
  )
}
