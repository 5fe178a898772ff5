import type { User } from "@latchkey/core/types"
import { createProvider, faults } from "@latchkey/testing"
import { expect } from "vitest"
import { attack } from "../../../../tests/attack.js"
import { answerOf, begin, open } from "../flows/oauth/app.js"
import { expectRefused, shown, withoutProfile } from "./oauth-setup.js"

const bodies = [
  { error: "x" },
  { message: "Bad credentials" },
  { error: "x", sub: "ada", id: "ada", email: "ada@example.test", email_verified: true },
]
const statuses = [201, 204, 300, 304, 400, 401, 403, 404, 429, 500, 503]

attack("OAUTH-01", "a userinfo response with an error status does not sign in, whatever its body", async (mode) => {
  for (const status of statuses.filter((each) => each >= 300)) {
    for (const body of bodies) {
      const hasBody = status !== 304
      const op = createProvider({
        faults: { userinfo: () => (hasBody ? Response.json(body, { status }) : new Response(null, { status })) },
      })
      const app = await open([withoutProfile(op)], { security: mode })
      await app.browser.signInWith(op, { as: "ada" })
      // Redirects aren't followed, so their body isn't an answer.
      await expectRefused(app, status >= 400 ? "OAuthCallbackError" : "Configuration")
      expect(op.requestsTo("userinfo")).toHaveLength(1)
    }
  }
})

attack("OAUTH-01", "a userinfo response with status 200 but without a subject does not sign in", async (mode) => {
  const profilesWithoutId = [
    [Response.json({ error: "x" }), "OAuthCallbackError"],
    [Response.json({ message: "Bad credentials" }), "OAuthCallbackError"],
    [Response.json({ sub: null, id: "" }), "OAuthCallbackError"],
    [Response.json({ sub: { toString: "ada" } }), "OAuthCallbackError"],
    [Response.json({ id: ["ada"] }), "OAuthCallbackError"],
    [new Response(null, { status: 204 }), "Configuration"],
    [new Response("sub=ada", { headers: { "content-type": "application/x-www-form-urlencoded" } }), "Configuration"],
  ] as const
  for (const [profile, refusal] of profilesWithoutId) {
    const op = createProvider({ faults: { userinfo: () => profile } })
    const app = await open([withoutProfile(op)], { security: mode })
    await app.browser.signInWith(op, { as: "ada" })
    await expectRefused(app, refusal)
  }
})

attack("OAUTH-01", "with OpenID Connect a failed userinfo request is not replaced by the ID token", async (mode) => {
  for (const name of ["userinfo401", "userinfo403", "userinfo429", "userinfo500"] as const) {
    const op = createProvider({ faults: faults[name] })
    const app = await open([op.provider({ idToken: false })], { security: mode })
    await app.browser.signInWith(op, { as: "ada" })
    await expectRefused(app, "Configuration")
  }
})

/** Faults of a configured `profile()`. The types forbid most of them. */
const failures: readonly (readonly [string, () => unknown])[] = [
  ["throws", () => fail(new Error("profile failed"))],
  ["throws a value that isn't an error", () => fail("profile failed")],
  ["rejects", () => Promise.reject(new TypeError("profile failed"))],
  ["returns null", () => null],
  ["returns undefined", () => undefined],
  ["returns a string", () => "ada"],
  ["returns a list", () => [{ id: "ada" }]],
  ["returns no id", () => ({ name: "Ada", email: "ada@example.test" })],
  ["returns the text undefined as the id", () => ({ id: String(undefined) })],
  ["returns an object for an id", () => ({ id: { toString: () => "ada" } })],
]

function fail(thrown: unknown): never {
  throw thrown
}

attack("OAUTH-05", "a `profile()` that fails or returns no user leads to the sign-in page", async (mode) => {
  for (const [, profile] of failures) {
    const op = createProvider()
    const given = op.oauthProvider({ profile: () => profile() as User })
    const app = await open([given], { security: mode })
    await app.browser.signInWith(op, { as: "ada" })
    await expectRefused(app, "OAuthCallbackError")
  }
})

attack("OAUTH-05", "no later URL, page or header contains the code, the tokens or the failure", async (mode) => {
  const op = createProvider()
  const profile = (raw: unknown, tokens: { access_token?: string | undefined }): User =>
    fail(new Error(`leaks ${JSON.stringify(raw)} access_token ending in ${tokens.access_token?.slice(-6)}`))
  const { browser } = await open([op.oauthProvider({ profile })], { security: mode })
  const answer = await answerOf(op, await begin(browser))
  const code = new URL(answer).searchParams.get("code") ?? "no code"
  await browser.get(answer, { from: op.issuer })
  const said = shown(browser)
  for (const secret of [code, "leaks", "access_", "ada@example.test"]) expect(said).not.toContain(secret)
  expect(browser.trail[0]?.headers.get("referrer-policy")).toBe("no-referrer")
})
