import { authenticatorFaults, createAuthenticator } from "@latchkey/testing"
import { expect } from "vitest"
import { attack } from "../../../../tests/attack.js"
import { emailOf, errorAt, hasSession } from "../flows/signin/setup.js"
import { answer, issue, send } from "../methods/webauthn/setup.js"
import { ada, adaWithPasskey, challengeCookies, grace, passkeySite, plant, signUpAllowed } from "./webauthn-setup.js"

attack("WAN-08", "the signIn callback never gets the email of another user, which a visitor typed", async (mode) => {
  const asked: unknown[] = []
  const its = await passkeySite(mode, {
    security: signUpAllowed,
    rest: {
      callbacks: {
        signIn: ({ user, account }) => {
          asked.push([account?.provider, user.email])
          return true
        },
      },
    },
  })
  await its.browser.signInWith(its.op, { as: "ada" })
  const before = asked.length
  for (const email of [ada, "ADA@example.test"]) {
    const visitor = its.browser.fresh()
    await visitor.registerPasskey(createAuthenticator(), { fields: { email } })
    expect([errorAt(visitor), hasSession(visitor)]).toEqual(["/auth/signin AccountNotLinked", false])
  }
  expect(asked).toHaveLength(before)
  await its.browser.fresh().registerPasskey(createAuthenticator(), { fields: { email: grace } })
  expect(asked.slice(before)).toEqual([["passkey", grace]])
})

attack("CSRF-01", "another site can't sign a visitor in with a passkey of the attacker", async (mode) => {
  const its = await passkeySite(mode)
  const attackers = await adaWithPasskey(its, createAuthenticator({ counter: false }))
  const attacker = its.browser.fresh()
  const signed = await answer(attackers, await issue(attacker, { action: "authenticate" }))
  const data = JSON.stringify(signed)
  const token = (await attacker.csrf()) ?? ""
  const [own, other] = [{ "sec-fetch-site": "same-origin" }, { "sec-fetch-site": "cross-site" }]
  const forgeries = [
    { fields: {}, headers: own },
    { fields: { csrfToken: "" }, headers: own },
    { fields: { csrfToken: token }, headers: own },
    { fields: { csrfToken: "0".repeat(64) }, headers: own },
    { fields: "own", headers: other },
    { fields: "own", headers: { origin: "https://evil.test", "sec-fetch-site": "cross-site" } },
  ] as const
  for (const { fields, headers } of forgeries) {
    const victim = its.browser.fresh()
    const csrfToken = await victim.csrf()
    // As another application on a subdomain could.
    plant(victim, challengeCookies(attacker))
    const sent = fields === "own" ? { csrfToken: csrfToken ?? "" } : fields
    await victim.post("/auth/callback/passkey", { ...sent, action: "authenticate", data }, { headers })
    expect([fields, errorAt(victim), hasSession(victim)]).toEqual([fields, "/auth/signin MissingCSRF", false])
    expect(challengeCookies(victim)).toHaveLength(1)
  }
  await send(attacker, "authenticate", signed)
  expect(await emailOf(attacker)).toBe(ada)
})

const foreign = [
  "https://evil.test/",
  "//evil.test",
  "/\\evil.test",
  "javascript:alert(1)",
  "https://app.test@evil.test/",
  "https://app.test.evil.test",
  "\thttps://evil.test",
]

attack("ADV-NA-02", "a ceremony doesn't lead to another site", async (mode) => {
  const its = await passkeySite(mode, { security: signUpAllowed })
  const authenticator = await adaWithPasskey(its)
  for (const callbackUrl of foreign) {
    const visitor = its.browser.fresh()
    await visitor.signInWithPasskey(authenticator, { fields: { callbackUrl } })
    expect([callbackUrl, visitor.location, hasSession(visitor)]).toEqual([callbackUrl, "https://app.test/", true])
    const fields = { callbackUrl, email: `${foreign.indexOf(callbackUrl)}@example.test` }
    const newcomer = its.browser.fresh()
    await newcomer.registerPasskey(createAuthenticator(), { fields })
    expect([callbackUrl, newcomer.location, hasSession(newcomer)]).toEqual([callbackUrl, "https://app.test/", true])
  }
})

attack("WAN-07", "under strict, a passkey that the user picked must name its user", async (mode) => {
  const its = await passkeySite(mode)
  const authenticator = await adaWithPasskey(its)
  authenticator.inject(authenticatorFaults.noUserHandle)
  await its.browser.signInWithPasskey(authenticator)
  // Auth.js v5 ignores the user handle. The credential id alone already names the user.
  expect(await emailOf(its.browser)).toBe(mode === "strict" ? undefined : ada)
})
