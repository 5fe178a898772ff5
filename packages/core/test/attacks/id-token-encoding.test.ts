import { type Fault, faults } from "@latchkey/testing"
import { CompactEncrypt } from "jose"
import { expect } from "vitest"
import { attack } from "../../../../tests/attack.js"
import { outcome } from "../flows/oauth/app.js"
import { encoded, penOf, publishing } from "./keys-setup.js"
import { expectAccepted, expectRefused, storedRows, world } from "./openid-setup.js"

const own = await penOf("RS256", "own")

function handing(idToken: NonNullable<Fault["idToken"]>): Fault {
  return { idToken }
}

async function wrapped(content: string, secret: string): Promise<string> {
  const key = new Uint8Array(await crypto.subtle.digest("SHA-256", new TextEncoder().encode(secret)))
  const header = { alg: "dir", enc: "A256GCM", cty: "JWT" }
  return new CompactEncrypt(new TextEncoder().encode(content)).setProtectedHeader(header).encrypt(key)
}

attack("OIDX-07", "an encrypted ID token is refused cleanly, whatever its content and key", async (mode) => {
  await expectRefused(mode, faults.encryptedIdToken)
  const contents: readonly NonNullable<Fault["idToken"]>[] = [
    ({ claims }) => JSON.stringify(claims),
    ({ claims }) => own.write({}, claims),
    ({ claims }) => wrapped(own.write({}, claims), "outer"),
    () => "",
  ]
  for (const content of contents) {
    for (const secret of ["", "fake-client-secret-of-forty-three-characters"]) {
      await expectRefused(
        mode,
        handing(async (token) => wrapped(String(await content(token)), secret)),
      )
    }
  }
})

attack("OIDX-07", "an unknown critical header is refused even with a valid signature", async (mode) => {
  const headers = [
    { crit: ["x"], x: true },
    { crit: ["x"] },
    { crit: ["exp"], exp: 9_999_999_999 },
    { crit: ["b64"], b64: false },
    { crit: ["b64"], b64: true },
    { crit: [] },
    { crit: null },
    { crit: "x" },
  ]
  for (const header of headers) {
    await expectUnusable(mode, ({ claims }) => own.write(header, claims))
    await expectRefused(
      mode,
      handing(({ claims }) => own.write(header, claims)),
    )
  }
})

attack("OIDX-07", "a payload that is not encoded is refused", async (mode) => {
  for (const header of [{ b64: false, crit: ["b64"] }, { b64: false }]) {
    await expectUnusable(mode, ({ claims }) => own.write(header, JSON.stringify(claims)))
    await expectUnusable(mode, ({ claims }) => own.write(header, JSON.stringify(claims).replaceAll(".", "\\u002e")))
  }
})

/** The provider publishes the key, so only the form of the token is wrong. */
async function expectUnusable(
  mode: Parameters<typeof world>[0],
  idToken: NonNullable<Fault["idToken"]>,
): Promise<void> {
  const { op, browser, adapter } = await world(mode)
  op.inject(publishing(own), { idToken })
  await browser.signInWith(op, { as: "ada" })
  expect(browser.trail[0]?.status).toBe(302)
  expect(outcome(browser)).toBe("Configuration")
  expect(storedRows(adapter)).toEqual({ users: [], accounts: [], sessions: [] })
}

attack("OIDX-07", "a value that isn't a token is refused cleanly", async (mode) => {
  const deep = `${"[".repeat(20_000)}${"]".repeat(20_000)}`
  const texts = [
    "",
    ".",
    "..",
    "....",
    "a.b.c",
    "not.a.token",
    "\u0000.\u0000.\u0000",
    `${encoded(null)}.${encoded(null)}.`,
    `${encoded([])}.${encoded([])}.AAAA`,
    `${encoded({ alg: "RS256" })}.${Buffer.from(deep).toString("base64url")}.AAAA`,
    `${Buffer.from(deep).toString("base64url")}.e30.AAAA`,
    `${encoded({ alg: { toString: 1 } })}.e30.AAAA`,
    "A".repeat(500_000),
  ]
  for (const text of texts)
    await expectRefused(
      mode,
      handing(() => text),
    )
  for (const text of texts)
    await expectRefused(
      mode,
      handing(() => text),
      { provider: { issuerFor: (_, issuer) => issuer } },
    )
})

attack("OIDX-07", "an ID token that isn't a string is refused", async (mode) => {
  for (const idToken of [null, 1, {}, [], ["a.b.c"], true]) {
    await expectRefused(mode, { token: (answer) => ({ ...answer, body: { ...answer.body, id_token: idToken } }) })
  }
  await expectAccepted(mode, { token: (answer) => ({ ...answer, body: { ...answer.body, id_token_hint: {} } }) })
})
