import { type AuthenticationResponse, createAuthenticator, type RegistrationResponse } from "@latchkey/testing"
import fc from "fast-check"
import { expect, test } from "vitest"
import { hasSession } from "../flows/signin/setup.js"
import { answer, issue, send } from "../methods/webauthn/setup.js"
import { adaWithPasskey, failed, passkeySite, rowsOf, signUpAllowed } from "../attacks/webauthn-setup.js"
import { holds, patience } from "./holds.js"
import { mutatedJson } from "./json.js"
import { nasty } from "./text.js"

const modes = ["compatible", "strict"] as const

/** A copy of the site where Ada has a passkey, and two visitors: one begins each ceremony. */
async function prepared(mode: (typeof modes)[number]) {
  const its = await passkeySite(mode, { security: signUpAllowed })
  const authenticator = await adaWithPasskey(its, createAuthenticator({ counter: false }))
  return { ...its, authenticator }
}

type Prepared = Awaited<ReturnType<typeof prepared>>

async function attempt(its: Prepared, action: "authenticate" | "register", dataOf: (valid: object) => string) {
  const browser = its.browser.fresh()
  const issued = await issue(browser, { action, email: "eve@example.test" })
  const authenticator = action === "register" ? createAuthenticator() : its.authenticator
  const data = dataOf(await answer(authenticator, issued))
  await send(browser, action, data)
  const { pathname, searchParams } = new URL(browser.location)
  return { browser, data, outcome: `${pathname} ${searchParams.get("error")}` }
}

const sample = { id: "AAAA", rawId: "AAAA", type: "public-key", clientExtensionResults: {}, response: {} }

for (const mode of modes) {
  test(
    `data that is no passkey gets an error, creates no session and changes nothing (${mode})`,
    async () => {
      const its = await prepared(mode)
      const before = rowsOf(its.store)
      await holds(
        fc.asyncProperty(
          fc.constantFrom("authenticate" as const, "register" as const),
          fc.oneof(nasty, mutatedJson(sample)),
          async (action, data) => {
            const { browser, outcome } = await attempt(its, action, () => data)
            if (browser.response.status !== 413) expect(outcome, data).toBe(failed)
            expect([browser.response.status < 500, hasSession(browser)], data).toEqual([true, false])
          },
        ),
        0.05,
      )
      expect(rowsOf(its.store)).toEqual(before)
    },
    patience,
  )
}

const signedMembers = ["clientDataJSON", "authenticatorData", "signature"] as const

/** Changes bytes of a base64url text. */
function damaged(text: string, { at, bit, kind }: Damage): string {
  const bytes = Buffer.from(text, "base64url")
  const place = at % Math.max(1, bytes.length)
  const changes = {
    flip: () => Buffer.from(bytes.map((byte, index) => (index === place ? byte ^ (1 << bit) : byte))),
    cut: () => bytes.subarray(0, place),
    append: () => Buffer.concat([bytes, Buffer.from([bit])]),
    remove: () => Buffer.concat([bytes.subarray(0, place), bytes.subarray(place + 1)]),
    insert: () => Buffer.concat([bytes.subarray(0, place), Buffer.from([at % 256]), bytes.subarray(place)]),
  }
  return changes[kind]().toString("base64url")
}

/**
 * Changes the second number of an ECDSA signature. The library reads the DER headers leniently, and other bytes there mean the
 * same signature.
 */
function withOtherNumber(text: string, { at, bit }: Damage): string {
  const bytes = Buffer.from(text, "base64url")
  const place = bytes.length - 1 - (at % 16)
  return Buffer.from(bytes.map((byte, index) => (index === place ? byte ^ (1 << bit) : byte))).toString("base64url")
}

interface Damage {
  readonly at: number
  readonly bit: number
  readonly kind: "flip" | "cut" | "append" | "remove" | "insert"
}

const damage: fc.Arbitrary<Damage> = fc.record({
  at: fc.nat(2000),
  bit: fc.nat(7),
  kind: fc.constantFrom("flip", "flip", "cut", "append", "remove", "insert"),
})

test(
  "a signed answer in which any byte is changed creates no session",
  async () => {
    const its = await prepared("compatible")
    const before = rowsOf(its.store)
    await holds(
      fc.asyncProperty(fc.constantFrom(...signedMembers), damage, async (member, change) => {
        const { browser, outcome } = await attempt(its, "authenticate", (valid) => {
          const response = valid as AuthenticationResponse
          const text = response.response[member]
          const changed = member === "signature" ? withOtherNumber(text, change) : damaged(text, change)
          return JSON.stringify({ ...response, response: { ...response.response, [member]: changed } })
        })
        expect([outcome, hasSession(browser)], `${member} ${JSON.stringify(change)}`).toEqual([failed, false])
      }),
      0.05,
    )
    expect(rowsOf(its.store)).toMatchObject({ users: before.users, accounts: before.accounts })
  },
  patience,
)

test(
  "a new passkey in which any byte is changed gets an error, or is stored completely",
  async () => {
    await holds(
      fc.asyncProperty(
        damage,
        fc.constantFrom("attestationObject" as const, "clientDataJSON" as const),
        async (change, member) => {
          const its = await passkeySite("compatible", { security: signUpAllowed })
          const browser = its.browser.fresh()
          const issued = await issue(browser, { action: "register", email: "eve@example.test" })
          const valid = (await answer(createAuthenticator(), issued)) as RegistrationResponse
          const changed = damaged(valid.response[member], change)
          await send(browser, "register", { ...valid, response: { ...valid.response, [member]: changed } })
          const { users, accounts, authenticators } = its.store.rows()
          const stored = hasSession(browser) ? 1 : 0
          expect([users.length, accounts.length, authenticators.length]).toEqual([stored, stored, stored])
          for (const { credentialID } of authenticators) {
            expect(Buffer.from(credentialID, "base64").toString("base64url")).toBe(valid.id)
          }
          expect(browser.response.status).toBeLessThan(500)
        },
      ),
      0.03,
    )
  },
  patience,
)

test(
  "any query of the options endpoint gets options or an error, and a cookie that a browser accepts",
  async () => {
    const its = await prepared("compatible")
    const name = fc.oneof(fc.constantFrom("action", "email", "callbackUrl", "user", "id"), nasty)
    const value = fc.oneof(fc.constantFrom("register", "authenticate", "ada@example.test"), nasty)
    await holds(
      fc.asyncProperty(fc.array(fc.tuple(name, value), { maxLength: 4 }), async (pairs) => {
        const browser = its.browser.fresh()
        const query = new URLSearchParams(pairs).toString()
        const response = await browser.fetch(`/auth/webauthn-options/passkey?${query}`)
        expect([200, 400, 413, 414]).toContain(response.status)
        // A query that is too long gets a text.
        expect(["object", "string"]).toContain(typeof (await response.json()))
        for (const line of response.headers.getSetCookie()) expect(line.length).toBeLessThan(4096)
        expect(hasSession(browser)).toBe(false)
      }),
      0.2,
    )
  },
  patience,
)
