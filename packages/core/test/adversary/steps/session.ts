import fc from "fast-check"
import { names } from "../world/names.js"
import { isRevocable } from "../world/settings.js"
import { submit } from "./forms.js"
import { steps } from "./step.js"

export const signOut = steps({
  does: "a user signs out",
  data: fc.constantFrom(...names),
  async run({ settings, people, loot }, name) {
    const person = people[name]
    await submit(person, "/auth/signout")
    person.hasProved = false
    if (!isRevocable(settings)) return
    for (const copy of loot) if (copy.from === name) copy.hasEnded = true
  },
})

export const read = steps({
  does: "a page reads the session",
  data: fc.constantFrom(...names),
  async run({ people }, name) {
    await people[name].browser.session()
  },
})

export const wait = steps({
  does: "time passes (minutes)",
  data: fc.constantFrom(1, 10, 16, 60 * 25),
  async run({ clock }, minutes) {
    clock.advance({ minutes })
  },
})

export const openPage = steps({
  does: "a user opens a page",
  data: fc.record({
    user: fc.constantFrom(...names),
    path: fc.constantFrom("signin", "signout", "error?error=Verification", "verify-request", "providers", "csrf"),
  }),
  async run({ people }, { user, path }) {
    await people[user].browser.get(`/auth/${path}`)
  },
})
