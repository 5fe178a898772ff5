import fc from "fast-check"
import { describe, startsSession } from "../world/exchange.js"
import { failingPassword, type Name, names, passwordOf } from "../world/names.js"
import { hasPasswords } from "../world/settings.js"
import { Violation } from "../world/violation.js"
import type { World } from "../world/world.js"
import { isHindered, submit } from "./forms.js"
import { steps } from "./step.js"

const path = "/auth/callback/password"

export const password = steps({
  does: "a user signs in with a password",
  data: fc.record({
    user: fc.constantFrom(...names),
    typed: fc.constantFrom("right" as const, "right" as const, "wrong" as const, "failing" as const),
  }),
  async run(world, { user: name, typed }) {
    if (!hasPasswords(world.settings)) return
    if (typed === "right") return typeRightPassword(world, name)
    const user = world.users[name]
    user.mistakes += 1
    const password = { wrong: "mistyped-0123456789", failing: failingPassword }[typed]
    await submit(user, path, { username: name, password })
  },
})

/** docs/rate-limiting.md: 10 on a known device. */
const maxMistakes = 9

/** On a known device the user is admitted, whatever others tried. */
export async function typeRightPassword({ users, exchanges, store }: World, name: Name): Promise<void> {
  const user = users[name]
  user.hasProved = true
  await submit(user, path, { username: name, password: passwordOf(name) })
  const answer = exchanges.findLast(({ url }) => url.pathname === path)
  const isAdmitted = answer !== undefined && startsSession(answer)
  const isExcused = isHindered(user, store) || user.mistakes > maxMistakes
  if (user.isKnown && !isAdmitted && !isExcused)
    throw new Violation("owner-admitted", `${name} was refused: ${answer === undefined ? "" : describe(answer)}`)
  user.isKnown ||= isAdmitted
}
