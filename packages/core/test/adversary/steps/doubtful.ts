import fc from "fast-check"
import type { Fault } from "@latchkey/testing"
import { startsSession } from "../world/exchange.js"
import { victims } from "../world/names.js"
import { demands } from "../world/providers.js"
import { Violation } from "../world/violation.js"
import { submit } from "./forms.js"
import { steps } from "./step.js"

type Claims = Readonly<Record<string, unknown>>

/** Changes to an ID token that make it no proof for this site. */
const always: Readonly<Record<string, (claims: Claims) => Claims>> = {
  "a second audience": ({ aud }) => ({ aud: [aud, "stranger"], azp: aud }),
  "another audience": () => ({ aud: "stranger" }),
  "another nonce": () => ({ nonce: "of-another-attempt" }),
  "another issuer": () => ({ iss: "https://rogue.test" }),
}

const ifDemanded: typeof always = {
  "a weaker login": () => ({ acr: "pwd" }),
  "an old login": ({ auth_time }) => ({ auth_time: Number(auth_time) - 10 * Number(demands.max_age) }),
  "no login time": () => ({ auth_time: undefined }),
}

export const doubtfulToken = steps({
  does: "a user signs in, and the ID token is no proof for this site",
  data: fc.record({
    user: fc.constantFrom(...victims),
    doubt: fc.constantFrom(...Object.keys(always), ...Object.keys(ifDemanded)),
  }),
  async run({ settings, users, providers, exchanges }, { user, doubt }) {
    const change = { ...always, ...(settings.demanding && ifDemanded) }[doubt]
    if (change === undefined) return
    const { browser } = users[user]
    await submit(users[user], "/auth/signin/op")
    if (!browser.location.startsWith(providers.op.issuer)) return
    const fault: Fault = {
      idToken: (token) => ({ ...token, claims: { ...token.claims, ...change(token.claims) } }),
    }
    const stop = providers.op.inject(fault)
    await browser.consentAt(providers.op, { as: user })
    stop()
    if (exchanges.some(startsSessionAtCallback)) throw new Violation("parameters-kept", `A session from ${doubt}`)
  },
})

function startsSessionAtCallback(exchange: Parameters<typeof startsSession>[0]): boolean {
  return exchange.url.pathname.includes("/callback/") && startsSession(exchange)
}
