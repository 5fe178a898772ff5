import { customFetch } from "@latchkey/core"
import { defineProvider } from "@latchkey/core/providers/define"
import type { AuthConfig } from "@latchkey/core/types"
import { createProvider } from "@latchkey/testing"
import { expect, test } from "vitest"
import { begin, open, outcome } from "./app.js"

const op = createProvider({ id: "acme" })
const options = { clientId: op.clientId, clientSecret: op.clientSecret, [customFetch]: op.fetch }

const Acme = defineProvider<{ sub: string; name?: string }>({
  id: "acme",
  name: "Acme",
  type: "oidc",
  issuer: op.issuer,
  authorization: { params: { scope: "openid", prompt: "login" } },
  checks: ["state", "nonce"],
  profile: ({ sub, name }) => ({ id: `acme-${sub}`, name: name ?? null }),
  client: { token_endpoint_auth_method: "client_secret_post" },
})

type Providers = AuthConfig["providers"]
const shapes: readonly (readonly [string, Providers[number]])[] = [
  ["a called function", Acme(options)],
  ["an uncalled function", () => Acme(options)],
  ["an object with options", { ...Acme(), options }],
  [
    "an object without options",
    { ...op.provider(), id: "acme", profile: ({ sub }) => ({ id: `acme-${String(sub)}` }) },
  ],
]

test.each(shapes)("%s works as a provider", async (_, provider) => {
  const { browser, adapter } = await open([provider])
  await browser.signInWith(op, { as: "ada" })
  expect(outcome(browser)).toBe("home")
  expect(adapter.rows().accounts[0]).toMatchObject({ provider: "acme", type: "oidc", providerAccountId: "acme-ada" })
})

test("an uncalled provider without environment variables is a configuration error", async () => {
  const { browser } = await open([Acme])
  await begin(browser, "acme")
  expect(browser.response.status).toBe(500)
})

test("options replace arrays, merge objects and keep the other fields", async () => {
  const { browser } = await open([
    Acme({ ...options, checks: ["pkce"], authorization: { params: { prompt: "consent", display: "popup" } } }),
  ])
  const { searchParams } = await begin(browser, "acme")
  expect(Object.fromEntries(searchParams)).toMatchObject({ scope: "openid", prompt: "consent", display: "popup" })
  expect([searchParams.has("nonce"), searchParams.has("code_challenge")]).toEqual([false, true])
})

test("options of one call don't affect another", async () => {
  Acme({ ...options, checks: ["none"], authorization: { params: { prompt: "none" } } })
  const { browser } = await open([Acme(options)])
  const { searchParams } = await begin(browser, "acme")
  expect([searchParams.get("prompt"), searchParams.has("nonce")]).toEqual(["login", true])
})

test("one factory with two ids makes two providers with separate accounts", async () => {
  const { browser, adapter } = await open([
    Acme(options),
    Acme({ ...options, id: "acme-2", profile: ({ sub }) => ({ id: `second-${sub}` }) }),
  ])
  await browser.signInWith(op, { as: "ada" })
  await browser.fresh().signInWith(op, { as: "ada", provider: "acme-2" })
  expect(adapter.rows().accounts.map(({ provider, providerAccountId }) => [provider, providerAccountId])).toEqual([
    ["acme", "acme-ada"],
    ["acme-2", "second-ada"],
  ])
})

test("two configurations don't affect each other", async () => {
  const [a, b] = [createProvider({ issuer: "https://a.test" }), createProvider({ issuer: "https://b.test" })]
  const one = await open([a.provider()], { pages: { newUser: "/one" } })
  const two = await open([b.provider()], { pages: { newUser: "/two" }, session: { strategy: "jwt" } })
  await Promise.all([one.browser.signInWith(a, { as: "ada" }), two.browser.signInWith(b, { as: "grace" })])
  expect([outcome(one.browser), outcome(two.browser)]).toEqual(["/one", "/two"])
  expect([one.adapter.rows().sessions.length, two.adapter.rows().sessions.length]).toEqual([1, 0])
  expect([a.requestsTo("token").length, b.requestsTo("token").length]).toEqual([1, 1])
})

test("a sign-in of one configuration can't end in another with the same id and secret but another server", async () => {
  const [a, b] = [createProvider({ issuer: "https://a.test" }), createProvider({ issuer: "https://b.test" })]
  const [one, two] = [await open([a.provider()]), await open([b.provider()])]
  const answer = await a.authorize(await begin(one.browser), { as: "ada" })
  for (const cookie of one.browser.cookies) two.browser.jar.put(cookie)
  await two.browser.follow(answer, a.issuer)
  expect(outcome(two.browser)).toBe("InvalidCheck")
  expect([a.requestsTo("token"), b.requestsTo("token")]).toEqual([[], []])
})
