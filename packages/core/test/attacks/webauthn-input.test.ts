import { authenticatorFaults, createAuthenticator } from "@latchkey/testing"
import { SettingsService } from "@simplewebauthn/server"
import { readFileSync } from "node:fs"
import { afterEach, expect } from "vitest"
import { attack } from "../../../../tests/attack.js"
import { emailOf, errorAt, hasSession } from "../flows/signin/setup.js"
import { answer, issue, methodsOf, send, site } from "../methods/webauthn/setup.js"
import { ada, adaWithPasskey, assertRefused, passkeySite, rowsOf, signUpAllowed } from "./webauthn-setup.js"

const long = "A".repeat(1365)

const malformed: readonly string[] = [
  "",
  " ",
  "{bad",
  "null",
  "true",
  "1",
  '"text"',
  "[]",
  "[{}]",
  "{}",
  '{"id":1}',
  '{"id":null}',
  '{"id":""}',
  '{"id":["AAAA"]}',
  '{"id":{"toString":"AAAA"}}',
  '{"id":"AAAA"}',
  '{"id":"AAAA","response":null}',
  '{"id":"AAAA","response":[]}',
  '{"id":"AAAA","response":{}}',
  '{"id":"AAAA","response":{"clientDataJSON":1}}',
  '{"id":"AAAA","response":{"clientDataJSON":"!!!!"}}',
  '{"id":"AAAA","response":{"clientDataJSON":"bnVsbA"}}',
  '{"__proto__":{"id":"AAAA"}}',
  '{"constructor":{"prototype":{"id":"AAAA"}}}',
  '{"id":"AAA=","rawId":"AAA="}',
  '{"id":"AA+/"}',
  '{"id":"AAAA\\u0000"}',
  '{"id":"AAAA\' OR 1=1--"}',
  `{"id":"${long}"}`,
  `${"[".repeat(10_000)}${"]".repeat(10_000)}`,
]

attack(
  "WAN-12",
  "malformed data gets the same error as any invalid passkey, and nothing else happens",
  async (mode) => {
    const its = await passkeySite(mode, { security: signUpAllowed })
    await adaWithPasskey(its)
    const before = rowsOf(its.store)
    for (const action of ["authenticate", "register"]) {
      for (const data of malformed) {
        const browser = its.browser.fresh()
        await issue(browser, { action, email: "eve@example.test" })
        await send(browser, action, data)
        assertRefused(browser, `${action} ${data.slice(0, 60)}`)
        expect(browser.response.status).toBeLessThan(500)
      }
    }
    expect(rowsOf(its.store)).toEqual(before)
  },
)

attack("WAN-12", "missing and repeated fields get the same error", async (mode) => {
  const its = await passkeySite(mode)
  const authenticator = await adaWithPasskey(its)
  const browser = its.browser.fresh()
  const csrfToken = (await browser.csrf()) ?? ""
  const data = JSON.stringify(await answer(authenticator, await issue(browser)))
  const repeated = new URLSearchParams({ csrfToken, action: "authenticate", data: "{}" })
  repeated.append("data", data)
  const bodies = [
    new URLSearchParams({ csrfToken }),
    new URLSearchParams({ csrfToken, action: "authenticate" }),
    new URLSearchParams({ csrfToken, data: "{}" }),
    repeated,
  ]
  for (const body of bodies) {
    const response = await browser.fetch("/auth/callback/passkey", { method: "POST", body })
    expect([response.status < 500, hasSession(browser)]).toEqual([true, false])
  }
  for (const value of [{ id: "AAAA" }, ["{}"], 1, null, true]) {
    const body = JSON.stringify({ csrfToken, action: "authenticate", data: value })
    const headers = { "content-type": "application/json", "x-auth-return-redirect": "1" }
    const response = await browser.fetch("/auth/callback/passkey", { method: "POST", body, headers })
    expect(await response.json()).toEqual({ url: "https://app.test/auth/error?error=WebAuthnVerificationError" })
  }
})

/** The members of a response whose values an attacker chooses. */
const members = ["clientDataJSON", "authenticatorData", "signature", "userHandle", "attestationObject", "transports"]

attack("WAN-12", "members of other types and sizes cause no error of the server", async (mode) => {
  const its = await passkeySite(mode, { security: signUpAllowed })
  const known = await adaWithPasskey(its)
  const before = rowsOf(its.store)
  const values = [null, 1, true, [], {}, "", "=", "\u0000", "AAAA", "A".repeat(30_000), ["usb\u0000", {}, null], "💥"]
  for (const action of ["authenticate", "register"]) {
    for (const member of members) {
      for (const value of values) {
        // These are valid: an authenticator may omit the handle, and transports are only a hint.
        if (member === "userHandle" || member === "transports") continue
        const browser = its.browser.fresh()
        const authenticator = action === "register" ? createAuthenticator() : known
        const response = await answer(authenticator, await issue(browser, { action, email: "eve@example.test" }))
        if (!(member in response.response) || (action === "register" && member === "authenticatorData")) continue
        await send(browser, action, { ...response, response: { ...response.response, [member]: value } })
        assertRefused(browser, `${action} ${member} ${JSON.stringify(value).slice(0, 30)}`)
      }
    }
  }
  expect(rowsOf(its.store)).toEqual(before)
})

attack(
  "WAN-12",
  "transports and other members that aren't verified are stored only if they are plain names",
  async (mode) => {
    for (const transports of [null, 1, "usb", {}, ["usb", 1, null, "a b", "x,y", "<script>", "A".repeat(100), "nfc"]]) {
      const its = await passkeySite(mode, { security: signUpAllowed })
      const { browser } = its
      const response = await answer(createAuthenticator(), await issue(browser, { action: "register", email: ada }))
      const extra = { credentialID: "AAAA", userId: "1", counter: 9 }
      await send(browser, "register", {
        ...response,
        ...extra,
        response: { ...response.response, ...extra, transports },
      })
      expect(await emailOf(browser)).toBe(ada)
      const [passkey] = its.store.rows().authenticators
      expect(passkey?.counter).toBe(1)
      expect(passkey?.transports ?? "").toMatch(/^(?:[a-z-]{1,32}(?:,[a-z-]{1,32})*)?$/)
    }
  },
)

attack("WAN-12", "a credential ID that is too long or malformed never reaches the adapter", async (mode) => {
  const { browser, calls } = await site({ config: { security: mode } })
  for (const id of [long, "A".repeat(20_000), "AA=", "A A", "ä", "A\n"]) {
    await issue(browser)
    const clientDataJSON = Buffer.from(JSON.stringify({ challenge: "AAAA" })).toString("base64url")
    await send(browser, "authenticate", { id, rawId: id, type: "public-key", response: { clientDataJSON } })
    assertRefused(browser, id.slice(0, 10))
  }
  expect(methodsOf(calls)).not.toContain("getAuthenticator")
})

attack("DOS-01", "a passkey of megabytes is refused with 413, and its challenge can still be used", async (mode) => {
  const its = await passkeySite(mode, { security: signUpAllowed })
  const { browser } = its
  const authenticator = createAuthenticator()
  const issued = await issue(browser, { action: "register", email: ada })
  const remove = authenticator.inject(authenticatorFaults.oversizedAttestation)
  await send(browser, "register", await answer(authenticator, issued))
  remove()
  expect([browser.response.status, hasSession(browser), its.store.rows().users]).toEqual([413, false, []])
  const again = createAuthenticator()
  await send(browser, "register", await answer(again, issued))
  expect(await emailOf(browser)).toBe(ada)
})

attack("DOS-01", "query parameters of the options endpoint are bounded", async (mode) => {
  const its = await passkeySite(mode, { security: signUpAllowed })
  for (const action of ["register", "authenticate"]) {
    for (const email of ["a".repeat(10_000), `${"a".repeat(300)}@example.test`, "\u0000", "a\nb@example.test"]) {
      const browser = its.browser.fresh()
      const query = new URLSearchParams({ action, email }).toString()
      const response = await browser.fetch(`/auth/webauthn-options/passkey?${query}`)
      expect([email.slice(0, 10), response.status < 500]).toEqual([email.slice(0, 10), true])
      for (const line of response.headers.getSetCookie()) expect(line.length).toBeLessThan(4096)
    }
  }
})

afterEach(() => SettingsService.setRootCertificates({ identifier: "packed", certificates: [] }))

attack("WAN-13", "with a list of roots, only authenticators of those manufacturers register", async (mode) => {
  const registrationOptions = {
    attestationType: "direct",
    authenticatorSelection: { residentKey: "required" },
  } as const
  const its = await passkeySite(mode, { security: signUpAllowed, provider: { registrationOptions } })
  const trusted = createAuthenticator({ attestation: "certificate" })
  SettingsService.setRootCertificates({ identifier: "packed", certificates: [await trusted.rootCertificate()] })
  for (const faults of [[], [authenticatorFaults.rootInCertificateChain], [authenticatorFaults.badSignature]]) {
    const browser = its.browser.fresh()
    const other = createAuthenticator({ attestation: "certificate", faults })
    await browser.registerPasskey(other, { fields: { email: ada } })
    assertRefused(browser)
  }
  await its.browser.registerPasskey(trusted, { fields: { email: ada } })
  expect([errorAt(its.browser), await emailOf(its.browser)]).toEqual(["/ null", ada])
})

/** Version 13.3.1 takes a self-signed certificate in the chain for a root (GHSA-6hxq-p678-4hr2). */
attack(
  "WAN-13",
  "an older library, which trusts roots that the authenticator sends, doesn't decide about manufacturers",
  async (mode) => {
    const older = await import("@simplewebauthn/server-13")
    const registrationOptions = {
      attestationType: "direct",
      authenticatorSelection: { residentKey: "required" },
    } as const
    const its = await passkeySite(mode, {
      security: signUpAllowed,
      provider: { registrationOptions, simpleWebAuthn: older },
    })
    const trusted = createAuthenticator({ attestation: "certificate" })
    older.SettingsService.setRootCertificates({ identifier: "packed", certificates: [await trusted.rootCertificate()] })
    for (const faults of [[], [authenticatorFaults.rootInCertificateChain]]) {
      const browser = its.browser.fresh()
      await browser.registerPasskey(createAuthenticator({ attestation: "certificate", faults }), {
        fields: { email: ada },
      })
      expect(hasSession(browser)).toBe(false)
    }
    expect(its.store.rows().users).toEqual([])
    const plain = its.browser.fresh()
    await plain.registerPasskey(createAuthenticator(), { fields: { email: ada } })
    expect(hasSession(plain)).toBe(mode === "compatible")
    older.SettingsService.setRootCertificates({ identifier: "packed", certificates: [] })
  },
)

attack("WAN-13", "the tested library has the fix for certificate paths", (mode) => {
  expect(mode).toBeDefined()
  const manifest = new URL("../../node_modules/@simplewebauthn/server/package.json", import.meta.url)
  const { version } = JSON.parse(readFileSync(manifest, "utf8")) as { version: string }
  const [major = 0, minor = 0, patch = 0] = version.split(".").map(Number)
  // GHSA-6hxq-p678-4hr2 is fixed in 13.3.2.
  expect(major * 1e6 + minor * 1e3 + patch).toBeGreaterThanOrEqual(13_003_002)
})
