import { Violation } from "../world/violation.js"
import type { World } from "../world/world.js"
import { readSession } from "../world/shown-session.js"

const month = 30 * 86_400_000

/** Each session that the site showed ends in time. The step that updates one compares whose it is. */
export function identityFixed({ exchanges, clock }: World): void {
  for (const { url, text } of exchanges) {
    if (!url.pathname.endsWith("/session") || !text.startsWith("{")) continue
    const { expires } = readSession(JSON.parse(text))
    if (expires > clock.now() + month + 60_000)
      throw new Violation("identity-fixed", `A session lasts too long: ${text}`)
  }
}
