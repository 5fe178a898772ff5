import fc from "fast-check"
import { type Name, names } from "../world/names.js"
import { isRevocable } from "../world/settings.js"
import type { World } from "../world/world.js"
import { isHindered, submit } from "./forms.js"
import { steps } from "./step.js"

export const signOut = steps({
  does: "a user signs out",
  data: fc.constantFrom(...names),
  run: leave,
})

export async function leave(world: World, name: Name): Promise<void> {
  const user = world.users[name]
  await submit(user, "/auth/signout")
  const mayFail = isHindered(user, world.store)
  if (mayFail && (await user.browser.session()) !== null) return
  user.hasProved = false
  if (isRevocable(world.settings) && !mayFail) endCopies(world, name)
}

function endCopies({ loot, clock }: World, name: Name): void {
  for (const copy of loot) if (copy.from === name) copy.endedAt ??= clock.now()
}

export const read = steps({
  does: "a page reads the session",
  data: fc.constantFrom(...names),
  async run({ users }, name) {
    await users[name].browser.session()
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
  async run({ users }, { user, path }) {
    await users[user].browser.get(`/auth/${path}`)
  },
})
