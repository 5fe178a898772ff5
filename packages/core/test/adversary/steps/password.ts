import fc from "fast-check"
import { names, passwordOf } from "../world/names.js"
import { hasPasswords } from "../world/settings.js"
import { submit } from "./forms.js"
import { steps } from "./step.js"

export const password = steps({
  does: "a user signs in with a password",
  data: fc.record({ user: fc.constantFrom(...names), mistyped: fc.boolean() }),
  async run({ settings, users }, { user: name, mistyped }) {
    if (!hasPasswords(settings)) return
    const user = users[name]
    if (!mistyped) user.hasProved = true
    await submit(user, "/auth/callback/password", {
      username: name,
      password: mistyped ? "mistyped-0123456789" : passwordOf(name),
    })
  },
})
