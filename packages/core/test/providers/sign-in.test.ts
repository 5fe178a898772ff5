import { beforeEach, describe, expect, test, vi } from "vitest"
import { catalogue, cases, type Facts, factsOf, type Json, varied } from "./facts.js"
import { quirks } from "./quirks.js"
import { developerKey } from "./services/client-secret-jwt.js"
import { signIn, whyItEnded } from "./sign-in.js"

beforeEach(() => {
  vi.stubGlobal("fetch", () => Promise.reject(new Error("A request went past `provider.fetch`")))
})

/** What has to be asked for, in order. */
function conversation({ type, userinfo, profileFrom }: Facts): readonly string[] {
  const isRead = profileFrom === "userinfo" && (userinfo !== undefined || type === "oidc")
  const more = (userinfo?.then ?? []).map((_, nth) => `call ${nth + 1}`)
  return ["token", ...(isRead ? ["userinfo"] : []), ...more]
}

/** What everybody knows of a user, as a session shows it. */
function shown({ name, email, image }: Json): Json {
  return { name: name ?? null, email: email ?? null, image: image ?? null }
}

describe("a person signs in with", () => {
  test.each(catalogue.flatMap(cases))("%s", async (_, facts) => {
    const { browser, service, adapter, log } = await signIn(facts)
    expect(service.complaints).toEqual([])
    expect(whyItEnded(browser, log)).toBe("https://app.test/")

    const { id, ...user } = { ...facts.samples[0].user, ...facts.signedIn }
    const session = Object(await browser.session())
    expect(shown(Object(session.user))).toEqual(shown(user))
    const { users, accounts } = adapter.rows()
    expect(users.map((row) => shown({ ...row }))).toEqual([shown(user)])
    expect(accounts).toMatchObject([
      { provider: facts.id, type: facts.type, providerAccountId: id, userId: users[0]?.id },
    ])

    // Whatever form the tokens came in, they are kept in that of RFC 6749 §5.1.
    const { access_token: accessToken, scope = "", expires_at: expiry = 0 } = accounts[0] ?? {}
    expect([accessToken, scope, expiry].map((value) => typeof value)).toEqual(["string", "string", "number"])

    expect(service.asked).toEqual(conversation(facts))
    const imitated = facts.quirks.filter((name) => name in quirks)
    expect([...service.played].toSorted()).toEqual(imitated.toSorted())
  })
})

test("a client secret that nobody gave is made from the developer's key", async () => {
  const { browser, service, log } = await signIn(
    varied(factsOf("apple"), { options: { ...developerKey, clientSecret: undefined } }),
  )
  expect(service.complaints).toEqual([])
  expect(whyItEnded(browser, log)).toBe("https://app.test/")
})
