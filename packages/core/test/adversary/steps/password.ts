import fc from "fast-check"
import { failingPassword, names, passwordOf } from "../world/names.js"
import { hasPasswords } from "../world/settings.js"
import { submit } from "./forms.js"
import { steps } from "./step.js"

export const password = steps({
  does: "a user signs in with a password",
  data: fc.record({
    user: fc.constantFrom(...names),
    typed: fc.constantFrom("right" as const, "right" as const, "wrong" as const, "failing" as const),
  }),
  async run({ settings, users }, { user: name, typed }) {
    if (!hasPasswords(settings)) return
    const user = users[name]
    if (typed === "right") user.hasProved = true
    const password = { right: passwordOf(name), wrong: "mistyped-0123456789", failing: failingPassword }[typed]
    await submit(user, "/auth/callback/password", { username: name, password })
  },
})
