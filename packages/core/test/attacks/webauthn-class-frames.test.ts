import { type Authenticator, type AuthenticatorFault, createAuthenticator } from "@latchkey/testing"
import { expect } from "vitest"
import { attack } from "../../../../tests/attack.js"
import { emailOf } from "../flows/signin/setup.js"
import { ada, adaWithPasskey, assertRefused, grace, passkeySite, signUpAllowed } from "./webauthn-setup.js"

function framed(members: { readonly crossOrigin?: boolean; readonly topOrigin?: string }): AuthenticatorFault {
  return { clientData: (data) => ({ ...data, crossOrigin: undefined, ...members }) }
}

const expectedTopOrigin = ["https://partner.test", "https://portal.test"]

const accepted = [
  { crossOrigin: true, topOrigin: "https://partner.test" },
  { crossOrigin: true, topOrigin: "https://portal.test" },
  // Not every browser sends `topOrigin`.
  { crossOrigin: true },
  { crossOrigin: false },
  {},
]
const refused = [
  { crossOrigin: true, topOrigin: "https://evil.test" },
  { crossOrigin: true, topOrigin: "https://partner.test.evil.test" },
  { crossOrigin: true, topOrigin: "" },
  { crossOrigin: false, topOrigin: "https://partner.test" },
  { topOrigin: "https://evil.test" },
]

attack("WAN-01", "only the sites that the application lists may show a ceremony in a frame", async (mode) => {
  const verify = { requireUserVerification: true, expectedTopOrigin }
  const its = await passkeySite(mode, {
    security: signUpAllowed,
    provider: { verifyRegistrationOptions: verify, verifyAuthenticationOptions: verify },
  })
  const hers = await adaWithPasskey(its)
  const withFault = async (authenticator: Authenticator, fault: AuthenticatorFault, work: () => Promise<unknown>) => {
    const remove = authenticator.inject(fault)
    await work()
    remove()
  }
  for (const members of refused) {
    const [visitor, newcomer, own] = [its.browser.fresh(), its.browser.fresh(), createAuthenticator()]
    await withFault(hers, framed(members), () => visitor.signInWithPasskey(hers))
    assertRefused(visitor, members)
    await withFault(own, framed(members), () => newcomer.registerPasskey(own, { fields: { email: grace } }))
    assertRefused(newcomer, members)
  }
  for (const [index, members] of accepted.entries()) {
    const [visitor, newcomer, own] = [its.browser.fresh(), its.browser.fresh(), createAuthenticator()]
    await withFault(hers, framed(members), () => visitor.signInWithPasskey(hers))
    expect([members, await emailOf(visitor)]).toEqual([members, ada])
    const email = `${index}@example.test`
    await withFault(own, framed(members), () => newcomer.registerPasskey(own, { fields: { email } }))
    expect([members, await emailOf(newcomer)]).toEqual([members, email])
  }
})
