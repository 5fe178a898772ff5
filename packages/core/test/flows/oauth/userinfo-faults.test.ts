import { createProvider, faults } from "@latchkey/testing"
import type { FakeProvider, FaultName } from "@latchkey/testing"
import { describe, expect, test } from "vitest"
import { modes, open, outcome } from "./app.js"

/** The user who is signed in, if any. */
type Owner = string | undefined

const userinfo: readonly (readonly [FaultName, openId: Owner, plain: Owner])[] = [
  ["userinfoSubMismatch", undefined, "other"],
  ["userinfoNoSub", undefined, undefined],
  ["userinfo401", undefined, undefined],
  ["userinfo403", undefined, undefined],
  ["userinfo429", undefined, undefined],
  ["userinfo500", undefined, undefined],
  ["userinfoHtml", undefined, undefined],
  ["userinfoEmpty", undefined, undefined],
  ["userinfoList", undefined, undefined],
  ["userinfoNull", undefined, undefined],
  ["userinfoRedirect", undefined, undefined],
  ["userinfoOversized", undefined, undefined],
  ["userinfoUnreachable", undefined, undefined],
  ["userinfoPolluting", "ada", "ada"],
]

/** With plain OAuth 2, a JSON error is the provider's refusal. A profile without an id has the same error. */
const refusals: ReadonlySet<string> = new Set([
  "userinfoNoSub",
  "userinfoEmpty",
  "userinfo401",
  "userinfo403",
  "userinfo429",
  "userinfo500",
])

const signed: readonly FaultName[] = [
  "signedUserinfoBadSignature",
  "signedUserinfoAlgNone",
  "signedUserinfoWrongAud",
  "signedUserinfoWrongIssuer",
]

describe.each(modes)("under %s security", (security) => {
  async function expectOwner(
    op: FakeProvider,
    given: ReturnType<FakeProvider["provider" | "oauthProvider"]>,
    owner: Owner,
    error = "Configuration",
  ) {
    const { browser, adapter } = await open([given], { security })
    await browser.signInWith(op, { as: "ada" })
    expect(outcome(browser)).toBe(owner === undefined ? error : "home")
    expect((await browser.session()) !== null).toBe(owner !== undefined)
    expect(adapter.rows().users).toHaveLength(owner === undefined ? 0 : 1)
    expect(adapter.rows().accounts.map((account) => account.providerAccountId)).toEqual(
      owner === undefined ? [] : [owner],
    )
    expect(browser.trail[0]?.status).toBe(302)
    expect(op.requestsTo("elsewhere")).toEqual([])
    expect(Object.prototype).not.toHaveProperty("polluted")
  }

  test.each(userinfo)("with OpenID Connect, the fault %s makes an account of %s", async (name, owner) => {
    const op = createProvider({ faults: faults[name] })
    await expectOwner(op, op.provider({ idToken: false }), owner)
  })

  test.each(userinfo)("with plain OAuth 2, the fault %s about %s makes an account of %s", async (name, _, owner) => {
    const op = createProvider({ faults: faults[name] })
    await expectOwner(op, op.oauthProvider(), owner, refusals.has(name) ? "OAuthCallbackError" : "Configuration")
  })

  test.each(signed)("the fault %s of signed userinfo makes no account", async (name) => {
    const op = createProvider({ faults: faults[name], userinfo: "jwt" })
    await expectOwner(op, op.provider({ idToken: false }), undefined)
  })

  test("valid signed userinfo makes an account", async () => {
    const op = createProvider({ userinfo: "jwt" })
    await expectOwner(op, op.provider({ idToken: false }), "ada")
  })

  test("an unsigned response is refused if a signed one is configured", async () => {
    const op = createProvider()
    await expectOwner(op, op.provider({ idToken: false, client: { userinfo_signed_response_alg: "RS256" } }), undefined)
  })
})
