import { describe, type Exchange } from "../world/exchange.js"
import { origins } from "../world/names.js"
import type { SecretKind } from "../world/secrets.js"
import { Violation } from "../world/violation.js"
import type { World } from "../world/world.js"

export function secretNotLogged({ log, secrets }: World): void {
  for (const entry of log.entries) {
    const kind = secrets.foundIn(entry)
    if (kind !== undefined) throw new Violation("secret-not-logged", `The log has a ${kind}: ${entry.slice(0, 2000)}`)
  }
}

/** Pages that continue a sign-in carry the code or the token that their own request brought. */
const carried: ReadonlySet<SecretKind> = new Set(["token of a link", "authorization code"])

export function secretNotShown({ exchanges, secrets }: World): void {
  for (const exchange of exchanges) {
    const page = secrets.foundIn(exchange.text)
    if (page !== undefined && !carried.has(page))
      throw new Violation("secret-not-shown", `${page} at ${describe(exchange)}`)
    const away = redirectAway(exchange)
    const sent = away === undefined ? undefined : secrets.foundIn(away)
    if (sent !== undefined) throw new Violation("secret-not-shown", `${sent} in ${describe(exchange)}`)
  }
}

function redirectAway({ answer, url }: Exchange): string | undefined {
  const to = answer.get("location")
  return to === null || new URL(to, url).origin === origins.app ? undefined : to
}
