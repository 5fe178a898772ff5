import { createProvider, type Fault, type FakeProvider } from "@latchkey/testing"
import { fetchJson } from "../../../src/provider-kit/fetch-json.js"
import type { OAuth2Config, OIDCConfig } from "@latchkey/core/types"
import { describe, expect, test } from "vitest"
import { modes, open, outcome } from "./app.js"

type Endpoint = "discovery" | "token" | "jwks" | "userinfo"

/** What a provider does that is down, or whose proxy answers in its place. */
const failures: Readonly<Record<string, () => Response>> = {
  "status 408": () => new Response("timeout", { status: 408 }),
  "status 429": () => Response.json({ error: "too many", message: "slow down" }, { status: 429 }),
  "status 500 with JSON": () => Response.json({ message: "sorry" }, { status: 500 }),
  "status 502 with a page": () => new Response("<h1>Bad gateway</h1>", { status: 502 }),
  "status 503 without a body": () => new Response(null, { status: 503 }),
  "a page with status 200": () => new Response("<h1>We'll be back</h1>", { headers: { "content-type": "text/html" } }),
  "an empty body": () => new Response("", { headers: { "content-type": "application/json" } }),
  "JSON that ends early": () =>
    new Response('{"issuer":"https://op', { headers: { "content-type": "application/json" } }),
  "a body that breaks off": () =>
    new Response(
      new ReadableStream({
        pull(controller) {
          controller.error(new TypeError("terminated"))
        },
      }),
    ),
  "more than a response may have": () => new Response(" ".repeat(1_100_000)),
  "a refused connection"() {
    throw new TypeError("fetch failed", { cause: new Error("connect ECONNREFUSED") })
  },
}

/** The steps of a sign-in, and the kind of provider that has them. */
const steps: Readonly<Record<string, readonly [Endpoint, (op: FakeProvider) => OIDCConfig | OAuth2Config]>> = {
  "its metadata": ["discovery", (op) => op.provider()],
  tokens: ["token", (op) => op.provider()],
  "its keys": ["jwks", (op) => op.provider()],
  userinfo: ["userinfo", (op) => op.provider({ idToken: false })],
  "userinfo without OpenID": ["userinfo", (op) => op.oauthProvider()],
  "an API, in `userinfo.request`": ["userinfo", withOwnRequest],
  "an API, in `profile`": ["userinfo", (op) => op.provider({ profile: ownProfile(op) })],
}

function withOwnRequest(op: FakeProvider): OAuth2Config {
  const request = async (context: Parameters<typeof fetchJson>[0]) => fetchJson(context, `${op.issuer}/userinfo`)
  return op.oauthProvider({ userinfo: { request } })
}

function ownProfile({ issuer }: FakeProvider): NonNullable<OIDCConfig["profile"]> {
  return async ({ sub }, { access_token }, context) => {
    const headers = { authorization: `Bearer ${access_token}` }
    const response = await context?.fetch(`${issuer}/userinfo`, { headers })
    if (response?.ok !== true) throw Object.assign(new Error("No userinfo"), { status: response?.status })
    const { sub: same }: { sub: unknown } = JSON.parse(await response.text())
    return { id: String(same ?? sub) }
  }
}

function failing(endpoint: Endpoint, answer: () => Response): Fault {
  return { answer: async (request) => (request.endpoint === endpoint ? answer() : undefined) }
}

const cases = Object.entries(steps).flatMap(([step, [endpoint, provider]]) =>
  Object.entries(failures).map(([failure, answer]) => [step, failure, { endpoint, provider, answer }] as const),
)

/** An own `profile` reads the body itself, so what is in it isn't known. */
const unknown = /profile.*(page with status 200|empty body|ends early)/

describe.each(modes)("under %s security, a provider that is down", (security) => {
  test.each(cases.filter(([step, failure]) => !unknown.test(`${step} ${failure}`)))(
    "when asked for %s (%s) isn't taken for a problem of the site, and its sign-in can start again",
    async (_, __, { endpoint, provider, answer }) => {
      const op = createProvider()
      const { browser, log } = await open([provider(op)], { security })
      const heal = op.inject(failing(endpoint, answer))
      await browser.signInWith(op, { as: "ada", fields: { callbackUrl: "/inbox?page=2" } })
      // The code is that of Auth.js v5.
      const code = outcome(browser)
      expect(["Configuration", "OAuthCallbackError"]).toContain(code)
      expect(browser.text).toMatch(/didn&#39;t answer this site|is out of order right now/)
      expect(browser.text).not.toContain("server configuration")
      expect(browser.response.status).toBe(code === "Configuration" ? 503 : 200)
      expect(log.entries.filter(({ level }) => level === "error")).toHaveLength(1)
      heal()
      await browser.submitForm("/signin/op")
      await browser.consentAt(op, { as: "ada" })
      expect(browser.location).toBe("https://app.test/inbox?page=2")
      expect(await browser.session()).not.toBeNull()
    },
  )

  test("is named in the step of a script, which may try again", async () => {
    const op = createProvider()
    const { browser } = await open([op.provider()], { security })
    op.inject(failing("discovery", () => new Response("", { status: 503 })))
    const csrfToken = (await browser.csrf()) ?? ""
    const answer = await browser.fetch("/auth/signin/op", {
      method: "POST",
      headers: { accept: "application/json" },
      body: new URLSearchParams({ csrfToken }),
    })
    expect(answer.status).toBe(503)
    expect(await answer.json()).toMatchObject({
      status: "error",
      error: { code: "Configuration", reason: "unreachable" },
    })
  })

  test("while an account is linked, links it at the next try", async () => {
    const op = createProvider()
    const other = createProvider({ id: "other", issuer: "https://other.test" })
    const { browser, adapter } = await open([op.provider(), other.provider()], { security })
    await browser.signInWith(other, { as: "grace" })
    const heal = op.inject(failing("token", () => new Response("", { status: 503 })))
    await browser.signInWith(op, { as: "ada", fields: { link: "true" } })
    heal()
    await browser.submitForm("/signin/op")
    await browser.consentAt(op, { as: "ada" })
    expect([adapter.rows().users.length, adapter.rows().accounts.length]).toEqual([1, 2])
  })
})

test("a client that the provider refuses isn't offered another try", async () => {
  const op = createProvider()
  const { browser } = await open([op.provider()])
  op.inject(failing("token", () => Response.json({ error: "invalid_client" }, { status: 401 })))
  await browser.signInWith(op, { as: "ada" })
  expect(browser.text).toContain("set up correctly")
  expect(browser.forms).toEqual([])
})
