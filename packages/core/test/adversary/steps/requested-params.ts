import fc from "fast-check"
import { demands } from "../world/providers.js"
import { submit } from "./forms.js"
import { steps } from "./step.js"

const names = [...Object.keys(demands), "scope", "login_hint", "ui_locales"]
const spellings = [
  (name: string) => name,
  (name: string) => name.toUpperCase(),
  (name: string) => `${name}[]`,
  (name: string) => name.replace("_", "."),
  (name: string) => ` ${name}`,
]

const query = fc.array(
  fc.record({
    name: fc.constantFrom(...names),
    spelling: fc.nat(spellings.length - 1),
    value: fc.constantFrom("pwd", "999999", "none"),
  }),
  { minLength: 1, maxLength: 4 },
)

export const requestedParams = steps({
  does: "the attacker, with another user's password at the provider only, starts a sign-in with parameters",
  data: query,
  async run({ settings, users, providers }, params) {
    const user = users.mallory
    const search = new URLSearchParams(
      params.map(({ name, spelling, value }) => [spellings[spelling]?.(name) ?? name, value]),
    )
    await submit(user, `/auth/signin/op?${search}`)
    const { browser } = user
    if (!settings.demanding || !browser.location.startsWith(providers.op.issuer)) return
    // The provider signs in with what the attacker knows, and says so.
    const stop = providers.op.inject({ idToken: (token) => ({ ...token, claims: { ...token.claims, acr: "pwd" } }) })
    await browser.consentAt(providers.op, { as: "ada" })
    stop()
  },
})
