import fc from "fast-check"
import { type Name, names } from "../world/names.js"
import type { World } from "../world/world.js"
import { submit } from "./forms.js"
import { steps } from "./step.js"

export const federated = steps({
  does: "a user signs in at a provider",
  data: fc.record({ user: fc.constantFrom(...names), provider: fc.constantFrom("op" as const, "hub" as const) }),
  async run(world, { user, provider }) {
    await signInAtProvider(world, user, provider)
  },
})

export async function signInAtProvider({ users, providers }: World, name: Name, at: "op" | "hub"): Promise<void> {
  const user = users[name]
  const { browser } = user
  await submit(user, `/auth/signin/${at}`)
  if (!browser.location.startsWith(providers[at].issuer)) return
  user.hasProved = true
  await browser.consentAt(providers[at], { as: name })
}

export const abandoned = steps({
  does: "a user starts a sign-in at a provider, and cancels or leaves",
  data: fc.record({ user: fc.constantFrom(...names), cancels: fc.boolean() }),
  async run({ users, providers }, { user: name, cancels }) {
    const user = users[name]
    const { browser } = user
    await submit(user, "/auth/signin/op")
    if (cancels && browser.location.startsWith(providers.op.issuer))
      await browser.consentAt(providers.op, { error: "access_denied" })
  },
})
