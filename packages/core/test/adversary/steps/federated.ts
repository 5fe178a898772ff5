import fc from "fast-check"
import { names } from "../world/names.js"
import { submit } from "./forms.js"
import { steps } from "./step.js"

export const federated = steps({
  does: "a user signs in at a provider",
  data: fc.record({ user: fc.constantFrom(...names), provider: fc.constantFrom("op" as const, "hub" as const) }),
  async run({ users, providers }, { user: name, provider }) {
    const user = users[name]
    const { browser } = user
    await submit(user, `/auth/signin/${provider}`)
    if (!browser.location.startsWith(providers[provider].issuer)) return
    user.hasProved = true
    await browser.consentAt(providers[provider], { as: name })
  },
})

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
