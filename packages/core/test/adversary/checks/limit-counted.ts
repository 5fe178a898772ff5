import { ownerOfEmail, victims } from "../world/names.js"
import { Violation } from "../world/violation.js"
import type { World } from "../world/world.js"

const window = 900_000
/** docs/rate-limiting.md: 30 for one user from any address, and what the user types. */
const maxGuesses = 30 + 10
/** docs/rate-limiting.md: messages to one mailbox. */
const maxMessages = 10 + 10

export function limitCounted({ guesses, mail, clock }: World): void {
  for (const victim of victims) {
    const made = guesses.filter(({ name, at }) => name === victim && at > clock.now() - window)
    if (made.length > maxGuesses) throw new Violation("limit-counted", `${made.length} guesses for ${victim}`)
    const sent = mail.sent.filter(({ to, at }) => ownerOfEmail(to) === victim && at > clock.now() - window)
    if (sent.length > maxMessages) throw new Violation("limit-counted", `${sent.length} messages to ${victim}`)
  }
}
