import { authenticatorFaults, type AuthenticatorFaultName, createAuthenticator } from "@latchkey/testing"
import { expect } from "vitest"
import { attack } from "../../../../tests/attack.js"
import { emailOf } from "../flows/signin/setup.js"
import { answer, issue, send } from "../methods/webauthn/setup.js"
import {
  ada,
  adaWithPasskey,
  assertRefused,
  challengeCookies,
  passkeySite,
  plant,
  rowsOf,
  signUpAllowed,
} from "./webauthn-setup.js"

const both: readonly AuthenticatorFaultName[] = [
  "wrongType",
  "wrongChallenge",
  "emptyChallenge",
  "wrongOrigin",
  "plainHttpOrigin",
  "originWithPort",
  "originOfSubdomain",
  "crossOrigin",
  "foreignTopOrigin",
  "topOriginAlone",
  "clientDataNotJson",
  "wrongRpIdHash",
  "noUserPresence",
  "noUserVerification",
  "backedUpWithoutEligibility",
  "truncatedAuthenticatorData",
  "paddedAuthenticatorData",
  "otherCredentialId",
  "idUnlikeRawId",
]

const registrations: readonly AuthenticatorFaultName[] = [
  ...both,
  "noCredentialData",
  "emptyCredentialId",
  "longCredentialId",
  "unsupportedAlgorithm",
  "unknownAttestationFormat",
  "statementInNoneAttestation",
  "truncatedAttestation",
  "garbageAttestation",
  "deepAttestation",
]

const authentications: readonly AuthenticatorFaultName[] = [
  ...both,
  "badSignature",
  "emptySignature",
  "unknownCredential",
  "otherUserHandle",
  "sameCounter",
  "lowerCounter",
  "zeroCounter",
  "backupEligibilityFlipped",
]

attack("WAN-01", "a registration with any fault is refused, stores nothing and uses up its challenge", async (mode) => {
  for (const name of registrations) {
    const its = await passkeySite(mode, { security: signUpAllowed })
    const authenticator = createAuthenticator()
    const { browser } = its
    const issued = await issue(browser, { action: "register", email: ada })
    const cookies = challengeCookies(browser)
    const remove = authenticator.inject(authenticatorFaults[name])
    const faulty = await answer(authenticator, issued)
    remove()
    await send(browser, "register", faulty)
    assertRefused(browser, name)
    plant(browser, cookies)
    await send(browser, "register", await answer(authenticator, issued))
    assertRefused(browser, `${name}, then none`)
    expect([name, its.store.rows().users, its.store.rows().accounts]).toEqual([name, [], []])
    expect([name, its.store.rows().sessions, its.store.rows().authenticators]).toEqual([name, [], []])
  }
})

attack("WAN-01", "a sign-in with any fault is refused and uses up its challenge", async (mode) => {
  for (const name of authentications) {
    const its = await passkeySite(mode)
    const authenticator = await adaWithPasskey(its)
    const before = rowsOf(its.store)
    const browser = its.browser.fresh()
    const issued = await issue(browser, { action: "authenticate" })
    const cookies = challengeCookies(browser)
    const remove = authenticator.inject(authenticatorFaults[name])
    const faulty = await answer(authenticator, issued)
    remove()
    await send(browser, "authenticate", faulty)
    assertRefused(browser, name)
    plant(browser, cookies)
    await send(browser, "authenticate", await answer(authenticator, issued))
    assertRefused(browser, `${name}, then none`)
    expect([name, rowsOf(its.store)]).toEqual([name, before])
    await browser.signInWithPasskey(authenticator)
    expect([name, await emailOf(browser)]).toEqual([name, ada])
  }
})

attack("WAN-01", "the packed attestations must be signed correctly", async (mode) => {
  for (const attestation of ["self", "certificate"] as const) {
    const its = await passkeySite(mode, { security: signUpAllowed })
    const authenticator = createAuthenticator({ attestation, faults: authenticatorFaults.badSignature })
    await its.browser.registerPasskey(authenticator, { fields: { email: ada } })
    assertRefused(its.browser)
    expect(its.store.rows().users).toEqual([])
  }
})

attack("WAN-01", "the answer of a registration isn't accepted as a sign-in, nor the other way around", async (mode) => {
  const its = await passkeySite(mode, { security: signUpAllowed })
  const authenticator = await adaWithPasskey(its)
  const before = rowsOf(its.store)
  const browser = its.browser.fresh()
  const register = await issue(browser, { action: "register", email: "eve@example.test" })
  const signed = await authenticator.get({ challenge: register.options.challenge, rpId: "app.test" })
  await send(browser, "authenticate", signed)
  assertRefused(browser)
  const authenticate = await issue(browser, { action: "authenticate" })
  if (register.action !== "register") throw new Error("The options aren't for a registration.")
  const created = await createAuthenticator().create({
    ...register.options,
    challenge: authenticate.options.challenge,
  })
  await send(browser, "register", created)
  assertRefused(browser)
  expect(rowsOf(its.store)).toEqual(before)
})
