import { createProvider } from "@latchkey/testing"
import { expect } from "vitest"
import { attack } from "../../../../tests/attack.js"
import { begin, open, outcome } from "../flows/oauth/app.js"
import {
  type Claims,
  claiming,
  expectAccepted,
  expectNotLinked,
  expectRefused,
  storedRows,
  world,
} from "./openid-setup.js"

/** Invalid values of each claim. */
const wrong = {
  iss: [
    "https://evil",
    "https://evil.test",
    "https://op.test/",
    "https://op.test/tenant",
    "https://OP.test",
    "http://op.test",
    "https://op.test.evil.test",
    "https://op.test\n",
    "",
    null,
    1,
    ["https://op.test"],
    undefined,
  ],
  aud: ["other", ["other"], "latchkey2", "LATCHKEY", " latchkey", "latchkey,other", ["other", "third"]],
  noAud: [undefined, null, "", [], {}, 7, true, [["latchkey"]], [null]],
  sub: [undefined, "", 1, 0, null, true, ["ada"], { id: "ada" }],
  iat: [undefined, null, "now", true, [1]],
  azp: ["other", "", "LATCHKEY", null, 1, ["latchkey"]],
} satisfies Record<string, readonly unknown[]>

attack("OIDC-02", "an ID token of another issuer ends in an error without a session or a user", async (mode) => {
  for (const iss of wrong.iss) await expectRefused(mode, claiming({ iss }))
  await expectNotLinked(mode, claiming({ iss: "https://evil" }))
})

attack("OIDC-02", "an ID token of one configured provider is refused from another", async (mode) => {
  const other = createProvider({ id: "other", issuer: "https://other.test" })
  const op = createProvider()
  const { browser, adapter } = await open([other.provider(), op.provider()], { security: mode })
  op.inject({
    idToken: async ({ claims }) => other.sign({ header: { alg: "RS256" }, claims: { ...claims, iss: other.issuer } }),
  })
  await browser.signInWith(op, { as: "ada" })
  expect(outcome(browser)).toBe("Configuration")
  expect(storedRows(adapter)).toEqual({ users: [], accounts: [], sessions: [] })
})

attack("OIDC-03", "an ID token without a subject is refused, and no random id is used instead", async (mode) => {
  for (const sub of wrong.sub) await expectRefused(mode, claiming({ sub }))
  for (const sub of wrong.sub) await expectRefused(mode, claiming({ sub }), { provider: { idToken: false } })
  await expectNotLinked(mode, claiming({ sub: undefined }))
})

attack("OIDC-03", "an ID token without a subject is refused even if `profile()` returns an id", async (mode) => {
  const profile = () => ({ id: crypto.randomUUID() })
  for (const sub of wrong.sub)
    await expectRefused(mode, claiming({ sub, id: "7", user_id: "7" }), { provider: { profile } })
})

attack(
  "OIDC-04",
  "an ID token for another client is refused, whether its audience is a string or a list",
  async (mode) => {
    for (const aud of wrong.aud) await expectRefused(mode, claiming({ aud }))
    await expectRefused(mode, claiming({ aud: ["latchkey", "other"] }))
    await expectRefused(mode, claiming({ aud: ["latchkey", "other"], azp: "other" }))
    await expectNotLinked(mode, claiming({ aud: "other" }))
  },
)

attack("OIDC-04", "a list of audiences is accepted if it only has our client and those we trust", async (mode) => {
  const trusting = { provider: { trustedAudiences: ["other"] } }
  await expectAccepted(mode, claiming({ aud: ["latchkey"] }))
  await expectAccepted(mode, claiming({ aud: ["other", "latchkey"], azp: "latchkey" }), trusting)
})

/** A second audience, and who requested the token. */
const secondAudiences: readonly Claims[] = [
  { aud: ["latchkey", "x"] },
  { aud: ["latchkey", "x"], azp: "x" },
  { aud: ["latchkey", "x"], azp: "latchkey" },
  { aud: ["x", "latchkey"], azp: "latchkey" },
  { aud: ["latchkey", "latchkey", "x"], azp: "latchkey" },
  { aud: ["latchkey", ""], azp: "latchkey" },
  { aud: ["latchkey", "LATCHKEY"], azp: "latchkey" },
  { aud: ["latchkey", "https://op.test/"], azp: "latchkey" },
]

attack("OIDX-03", "an ID token that is also for an unknown audience is refused, whatever `azp` says", async (mode) => {
  for (const claims of secondAudiences) await expectRefused(mode, claiming(claims))
  await expectNotLinked(mode, claiming({ aud: ["latchkey", "x"], azp: "latchkey" }))
})

attack("OIDX-03", "a trusted audience is accepted if `azp` is our client, and no other is", async (mode) => {
  const issued = { aud: ["latchkey", "x"], azp: "latchkey" }
  for (const trustedAudiences of [["x"], ["y", "x"], (audience: string) => audience === "x"]) {
    const setting = { provider: { trustedAudiences } }
    await expectAccepted(mode, claiming(issued), setting)
    await expectRefused(mode, claiming({ aud: ["latchkey", "x"] }), setting)
    await expectRefused(mode, claiming({ aud: ["latchkey", "x"], azp: "x" }), setting)
    await expectRefused(mode, claiming({ aud: ["latchkey", "x", "z"], azp: "latchkey" }), setting)
    await expectRefused(mode, claiming({ aud: ["x"], azp: "latchkey" }), setting)
    await expectRefused(mode, claiming({ aud: "x" }), setting)
  }
  for (const trustedAudiences of [[], ["X"], [" x"], ["*"], (audience: string) => audience === "y"]) {
    await expectRefused(mode, claiming(issued), { provider: { trustedAudiences } })
  }
})

attack("OIDX-03", "the issuer may be an audience of its own ID token", async (mode) => {
  await expectAccepted(mode, claiming({ aud: ["latchkey", "https://op.test"], azp: "latchkey" }))
})

attack("OIDC-28", "an ID token without an audience is refused", async (mode) => {
  for (const aud of wrong.noAud) await expectRefused(mode, claiming({ aud }))
  await expectNotLinked(mode, claiming({ aud: undefined }))
})

attack("OIDC-05", "an ID token without `iat` is refused", async (mode) => {
  for (const iat of wrong.iat) await expectRefused(mode, claiming({ iat }))
  await expectRefused(
    mode,
    claiming(({ iat }) => ({ iat: String(iat) })),
  )
})

attack("OIDX-02", "an ID token with another `azp` is refused even if our client is its only audience", async (mode) => {
  for (const azp of wrong.azp) await expectRefused(mode, claiming({ azp }))
  await expectRefused(mode, claiming({ aud: ["latchkey"], azp: "other" }))
  await expectAccepted(mode, claiming({ azp: "latchkey" }))
  await expectNotLinked(mode, claiming({ azp: "other" }))
})

const wrongNonces: readonly ((honest: Claims) => unknown)[] = [
  () => undefined,
  () => "another-nonce",
  () => "",
  () => null,
  ({ nonce }) => [nonce],
  ({ nonce }) => `${String(nonce)}x`,
  ({ nonce }) => String(nonce).slice(0, -1),
  ({ nonce }) => String(nonce).toUpperCase(),
]

attack("OIDC-12", "an ID token without the nonce, or with another one, is refused", async (mode) => {
  for (const checks of [undefined, ["nonce"], ["pkce", "nonce"], ["state", "nonce"]] as const) {
    const provider = checks === undefined ? {} : { checks }
    for (const nonce of wrongNonces) {
      await expectRefused(
        mode,
        claiming((honest) => ({ nonce: nonce(honest) })),
        { provider },
      )
    }
  }
  await expectNotLinked(mode, claiming({ nonce: undefined }))
})

attack("OIDC-12", "the ID token of one sign-in is refused in another of the same browser", async (mode) => {
  const { op, browser, adapter } = await world(mode)
  const first: Claims[] = []
  const undo = op.inject({ idToken: (token) => (first.push(token.claims), token) })
  await browser.signInWith(op, { as: "grace" })
  undo()
  expect(outcome(browser)).toBe("home")
  op.inject({ idToken: (token) => ({ ...token, claims: first[0] ?? {} }) })
  const tab = browser.fresh()
  await begin(tab)
  await tab.consentAt(op, { as: "ada" })
  expect(outcome(tab)).toBe("Configuration")
  expect([await tab.session(), adapter.rows().users.length]).toEqual([null, 1])
})

attack("OIDC-12", "an unsolicited nonce is refused", async (mode) => {
  await expectRefused(mode, claiming({ nonce: "unsolicited" }), { provider: { checks: ["pkce", "state"] } })
})
