import { createProvider } from "@latchkey/testing"
import type { FakeProvider } from "@latchkey/testing"
import { customFetch } from "@latchkey/core"
import type { Fetch, OAuthUserConfig } from "@latchkey/core/types"
import { describe, expect, test } from "vitest"
import { begin, open, outcome } from "./app.js"

async function signIn(op: FakeProvider, options: OAuthUserConfig) {
  const { browser, adapter, log } = await open([{ ...op.provider(), ...options }])
  await browser.signInWith(op, { as: "ada" })
  return { fate: outcome(browser), form: op.requestsTo("token")[0]?.form, user: adapter.rows().users[0], log }
}

describe("`token.body`", () => {
  test("adds and replaces fields of the token request", async () => {
    const op = createProvider()
    const body = ({ code }: Readonly<Record<string, string>>) => ({ client_key: "k", assertion: code, state: "own" })
    const { fate, form } = await signIn(op, { token: { body } })
    expect(fate).toBe("home")
    expect(form?.get("client_key")).toBe("k")
    expect(form?.get("assertion")).toBe(form?.get("code"))
    expect(form?.get("state")).toBe("own")
    expect(form?.get("grant_type")).toBe("authorization_code")
  })

  test("removes a field with `undefined`", async () => {
    const { form } = await signIn(createProvider(), { token: { body: () => ({ redirect_uri: undefined }) } })
    expect(form?.has("redirect_uri")).toBe(false)
    expect(form?.has("code")).toBe(true)
  })
})

describe("`codeChallengeMethod`", () => {
  test('"plain" sends the verifier itself', async () => {
    const op = createProvider()
    const sent: URLSearchParams[] = []
    const transport: Fetch = async (input, init) => {
      if (String(input).endsWith("/token")) sent.push(new URLSearchParams(String(init?.body)))
      return op.fetch(input, init)
    }
    const { browser } = await open([{ ...op.provider(), codeChallengeMethod: "plain", [customFetch]: transport }])
    const { searchParams: asked } = await begin(browser)
    await browser.get(`/auth/callback/op?code=c&state=${asked.get("state")}&iss=${encodeURIComponent(op.issuer)}`)
    expect(asked.get("code_challenge_method")).toBe("plain")
    expect(sent.map((form) => form.get("code_verifier"))).toEqual([asked.get("code_challenge")])
  })

  test("is S256 otherwise", async () => {
    const op = createProvider()
    const { form } = await signIn(op, {})
    expect(op.authorizations[0]?.["code_challenge_method"]).toBe("S256")
    expect(op.authorizations[0]?.["code_challenge"]).not.toBe(form?.get("code_verifier"))
  })
})

describe("`makeClientSecret`", () => {
  const client = { token_endpoint_auth_method: "client_secret_post" } as const

  test("makes the secret if none is set, for the client and the time", async () => {
    const op = createProvider({ authentication: "client_secret_post" })
    const asked: object[] = []
    const since = Date.now()
    const { fate } = await signIn(op, {
      clientSecret: "",
      client,
      makeClientSecret: async (context) => {
        asked.push(context)
        return op.clientSecret
      },
    })
    expect(fate).toBe("home")
    expect(asked).toEqual([{ clientId: op.clientId, now: expect.any(Number) }])
    expect((asked[0] as { now: number }).now).toBeGreaterThanOrEqual(since)
  })

  test("isn't called if a secret is set", async () => {
    const op = createProvider({ authentication: "client_secret_post" })
    const makeClientSecret = () => Promise.reject(new Error("asked"))
    expect((await signIn(op, { client, makeClientSecret })).fate).toBe("home")
  })

  test("that throws ends the sign-in, and only the log has its message", async () => {
    const op = createProvider({ authentication: "client_secret_post" })
    const { browser, log } = await open([
      { ...op.provider(), clientSecret: "", client, makeClientSecret: () => Promise.reject(new Error("no key")) },
    ])
    await browser.signInWith(op, { as: "ada" })
    expect(outcome(browser)).not.toBe("home")
    expect(browser.text).not.toContain("no key")
    expect(JSON.stringify(log.entries)).toContain("no key")
  })
})

test("`profile` gets a `fetch` with the engine's limits", async () => {
  const op = createProvider()
  const { user } = await signIn(op, {
    profile: async ({ sub }, { access_token: token }, context) => {
      const answer = await context?.fetch(`${op.issuer}/userinfo`, { headers: { authorization: `Bearer ${token}` } })
      return { id: String(sub), name: `answered ${answer?.status}` }
    },
  })
  expect(user?.name).toBe("answered 200")
})

describe("`deprecated`", () => {
  test("is logged once, and the provider still works", async () => {
    const op = createProvider()
    const { fate, log } = await signIn(op, { deprecated: "Use another." })
    expect(fate).toBe("home")
    const said = log.entries.filter((entry) => JSON.stringify(entry).includes("provider-deprecated"))
    expect(said).toHaveLength(1)
    expect(JSON.stringify(said)).toContain("Use another.")
  })

  test("isn't logged for other providers", async () => {
    const op = createProvider()
    const { browser, log } = await open([op.provider()])
    await begin(browser)
    expect(JSON.stringify(log.entries)).not.toContain("provider-deprecated")
  })
})
