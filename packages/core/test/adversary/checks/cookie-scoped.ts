import { setCookies } from "../world/exchange.js"
import { isHostBound } from "../world/settings.js"
import { Violation } from "../world/violation.js"
import type { World } from "../world/world.js"

/** Bytes of one cookie, name and attributes included (RFC 6265bis §5.6). */
const maxCookie = 4096
const maxParts = 5

/** The site is only served over https. */
export function cookieScoped({ exchanges }: World): void {
  for (const exchange of exchanges) {
    const lines = setCookies(exchange)
    for (const line of lines) {
      const problem = problemWith(line, isHostBound(exchange.settings), exchange.settings.plainCsrf)
      if (problem !== undefined) throw new Violation("cookie-scoped", `${problem}: ${line}`)
    }
    const parts = lines.filter((line) => /session-token\.\d+=[^;]/.test(line))
    if (parts.length > maxParts) throw new Violation("cookie-scoped", `The session has ${parts.length} parts`)
  }
}

function problemWith(line: string, isHost: boolean, plainCsrf: boolean): string | undefined {
  const [pair = "", ...attributes] = line.toLowerCase().split(/;\s*/)
  const missing = ["secure", "httponly", "path=/"].find((attribute) => !attributes.includes(attribute))
  if (missing !== undefined) return `The cookie isn't ${missing}`
  if (attributes.some((attribute) => attribute.startsWith("domain="))) return "The cookie has a domain"
  if (line.length > maxCookie) return "The cookie is too long"
  if (plainCsrf && pair.startsWith("csrf=")) return undefined
  // Cookies with former names are cleared.
  const prefix = isHost && !attributes.includes("max-age=0") ? /^__host-/ : /^__(?:host|secure)-/
  return prefix.test(pair) ? undefined : "The cookie has no prefix"
}
