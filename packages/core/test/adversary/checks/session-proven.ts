import { setCookies } from "../world/exchange.js"
import { type Name, names } from "../world/names.js"
import { Violation } from "../world/violation.js"
import type { World } from "../world/world.js"

/** Reads the session of each browser, and compares it with what its user proved there. */
export async function sessionProven(world: World): Promise<void> {
  if (!world.exchanges.some((exchange) => setCookies(exchange).length > 0)) return
  for (const name of names) await checkBrowser(world, name)
}

async function checkBrowser({ people, ledger }: World, name: Name): Promise<void> {
  const { browser, hasProved } = people[name]
  const session = await browser.session()
  const subject = subjectOf(session)
  if (subject === undefined) return
  const owners = ledger.ownersOf(subject)
  if (!hasProved) throw new Violation("session-proven", `The browser of ${name} has a session without a proof`)
  if (!owners.has(name))
    throw new Violation("session-proven", `The browser of ${name} has a session of ${[...owners].join(" and ")}`)
  if (owners.size > 1) throw new Violation("account-consent", `${subject} belongs to ${[...owners].join(" and ")}`)
}

export function subjectOf(session: unknown): string | undefined {
  if (typeof session !== "object" || session === null || !("user" in session)) return undefined
  const { user } = session
  if (typeof user !== "object" || user === null || !("id" in user)) return undefined
  return String(user.id)
}
