import { beforeEach, describe, expect, test, vi } from "vitest"
import { allFacts, cases, type Facts, factsOf, type Json, varied } from "./facts.js"
import { outcome, signIn } from "./sign-in.js"
import { developerKey, quirks } from "./simulated-service/quirks.js"

beforeEach(() => {
  vi.stubGlobal("fetch", () => Promise.reject(new Error("A request bypassed `provider.fetch`")))
})

/** The endpoints that a sign-in calls, in order. */
function expectedCalls({ type, userinfo, profileFrom }: Facts): readonly string[] {
  const readsUserinfo = profileFrom === "userinfo" && (userinfo !== undefined || type === "oidc")
  const further = (userinfo?.then ?? []).map((_, index) => `call ${index + 1}`)
  return ["token", ...(readsUserinfo ? ["userinfo"] : []), ...further]
}

/** The part of a user that a session shows. */
function shown({ name, email, image }: Json): Json {
  return { name: name ?? null, email: email ?? null, image: image ?? null }
}

describe("a user signs in with", () => {
  test.each(allFacts.flatMap(cases))("%s", async (_, facts) => {
    const { browser, service, adapter, log } = await signIn(facts)
    expect(service.mismatches).toEqual([])
    expect(outcome(browser, log)).toBe("https://app.test/")

    const { id, ...user } = { ...facts.samples[0].user, ...facts.signedIn }
    const session = Object(await browser.session())
    expect(shown(Object(session.user))).toEqual(shown(user))
    const { users, accounts } = adapter.rows()
    expect(users.map((row) => shown({ ...row }))).toEqual([shown(user)])
    expect(accounts).toMatchObject([
      { provider: facts.id, type: facts.type, providerAccountId: id, userId: users[0]?.id },
    ])

    // Tokens are stored in the format of RFC 6749 §5.1, whatever the service sent.
    const { access_token: accessToken, scope = "", expires_at: expiry = 0 } = accounts[0] ?? {}
    expect([accessToken, scope, expiry].map((value) => typeof value)).toEqual(["string", "string", "number"])

    expect(service.calls).toEqual(expectedCalls(facts))
    const simulated = facts.quirks.filter((name) => name in quirks)
    expect([...service.quirksPlayed].toSorted()).toEqual(simulated.toSorted())
  })
})

test("Apple's client secret is signed with the developer's key", async () => {
  const { browser, service, log } = await signIn(
    varied(factsOf("apple"), { options: { ...developerKey, clientSecret: undefined } }),
  )
  expect(service.mismatches).toEqual([])
  expect(outcome(browser, log)).toBe("https://app.test/")
})
