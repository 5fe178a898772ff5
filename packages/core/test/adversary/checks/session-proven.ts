import { type Name, names, origins } from "../world/names.js"
import type { User } from "../world/user.js"
import { readSession } from "../world/shown-session.js"
import { Violation } from "../world/violation.js"
import type { World } from "../world/world.js"

/** Reads the session of each browser, and compares it with what its user proved there. */
export async function sessionProven(world: World): Promise<void> {
  for (const name of names) {
    const user = world.users[name]
    if (cookiesOf(user) === user.checked) continue
    await checkBrowser(world, name)
    user.checked = cookiesOf(user)
  }
}

function cookiesOf({ browser }: User): string {
  const url = new URL("/auth/session", origins.app)
  return browser.jar.header({ url, method: "GET", sameSite: true, navigation: false })
}

async function checkBrowser({ users, ledger }: World, name: Name): Promise<void> {
  const { browser, hasProved } = users[name]
  const { subject } = readSession(await browser.session())
  if (subject === undefined) return
  const owners = ledger.ownersOf(subject)
  if (!hasProved) throw new Violation("session-proven", `The browser of ${name} has a session without a proof`)
  if (!owners.has(name))
    throw new Violation("session-proven", `The browser of ${name} has a session of ${[...owners].join(" and ")}`)
  if (owners.size > 1) throw new Violation("account-consent", `${subject} belongs to ${[...owners].join(" and ")}`)
}
