import fc from "fast-check"
import type { Fault } from "@latchkey/testing"
import { emailOf, origins, victims } from "../world/names.js"
import { reclaimsMailboxes } from "../world/settings.js"
import type { World } from "../world/world.js"
import { submit } from "./forms.js"
import { steps } from "./step.js"

type Claims = Readonly<Record<string, unknown>>

/** What the attacker's provider says of the attacker. None of it makes the attacker another user. */
const lies: Readonly<Record<string, (victim: string) => Claims>> = {
  sub: (victim) => ({ sub: victim }),
  issuer: (victim) => ({ iss: origins.op, sub: victim }),
  provider: (victim) => ({ provider: "op", providerAccountId: victim, id: victim, userId: victim }),
  audience: () => ({ aud: ["latchkey", "another"], azp: "another" }),
  prototype: (victim) => ({ __proto__: { sub: victim }, constructor: { sub: victim } }),
  numeric: () => ({ sub: 42 }),
  list: (victim) => ({ sub: [victim] }),
}

export const lie = steps({
  does: "the attacker signs in at the attacker's own provider, which lies",
  data: fc.record({
    about: fc.constantFrom(...victims),
    lie: fc.constantFrom(...Object.keys(lies)),
    email: fc.boolean(),
  }),
  async run(world, { about, lie: name, email }) {
    const { users, settings } = world
    // Without this option a user keeps what an unproven email linked. docs/security/hardening.md says so.
    const claimed = email && reclaimsMailboxes(settings) ? { email: emailOf(about), email_verified: false } : {}
    const told = { ...lies[name]?.(about), ...claimed }
    const fault: Fault = { idToken: (token) => ({ ...token, claims: { ...token.claims, ...told } }) }
    await submit(users.mallory, "/auth/signin/rogue")
    await consent(world, fault)
  },
})

async function consent({ users, providers }: World, fault: Fault): Promise<void> {
  const { browser } = users.mallory
  if (!browser.location.startsWith(origins.rogue)) return
  users.mallory.hasProved = true
  const stop = providers.rogue.inject(fault)
  await browser.consentAt(providers.rogue, { as: "mallory" })
  stop()
}
