import { createServer } from "@latchkey/core/server"
import { describe, expect, test } from "vitest"
import { visitorOf } from "../account/setup.js"
import { vaultSite, minutes } from "./setup.js"

describe.each([
  ["cookies", "jwt", undefined],
  ["a database", "database", undefined],
  ["cookies, under strict", "jwt", "strict"],
  ["a database, under strict", "database", "strict"],
] as const)("with sessions in %s", (_, strategy, security) => {
  const options = { session: { strategy }, ...(security && { security, url: "https://app.test" }) } as const

  test("`token` returns the access token of the sign-in, and no request goes to the provider", async () => {
    const its = await vaultSite(options)
    await its.signIn()
    const found = await its.token()
    expect(found).toEqual({
      accessToken: expect.stringMatching(/^access-/),
      expiresAt: new Date(its.clock.now() + 3_600_000),
      scopes: ["openid", "profile", "email"],
      account: "ada",
    })
    expect(its.refreshes()).toHaveLength(0)
  })

  test("a token that is about to expire is renewed, also from a sealed record", async () => {
    const its = await vaultSite(options)
    await its.signIn()
    const before = await its.token()
    its.clock.advance(minutes(59.5))
    const after = await its.token()
    expect(after.problem).toBeUndefined()
    expect(after).not.toEqual(before)
    expect(its.refreshes()).toHaveLength(1)
    expect(await its.token()).toEqual(after)
    expect(its.refreshes()).toHaveLength(1)
  })

  test("a job gets it by the user's id", async () => {
    const its = await vaultSite(options)
    await its.signIn()
    expect(await its.server.token("op", { userId: its.userId() })).toEqual(await its.token())
  })
})

test("without an adapter, `records` are enough", async () => {
  const its = await vaultSite({ withoutAdapter: true })
  await its.signIn()
  expect(await its.token()).toMatchObject({ account: "ada" })
  its.clock.advance(minutes(60))
  expect(await its.token()).toMatchObject({ account: "ada" })
  expect(its.refreshes()).toHaveLength(1)
})

describe("a problem has a type", () => {
  test("no user is signed in", async () => {
    const its = await vaultSite()
    expect(await its.token()).toEqual({ problem: "not-signed-in" })
    const headers = new Headers({ cookie: "__Secure-authjs.session-token=garbage" })
    const visitor = { headers, origin: "https://app.test" }
    expect(await its.server.token("op", { visitor })).toEqual({ problem: "not-signed-in" })
  })

  test("the user has no account at the provider, or not this one", async () => {
    const its = await vaultSite()
    await its.signIn()
    expect(await its.server.token("op", { userId: "unknown" })).toEqual({
      problem: "not-connected",
      url: "/auth/account?connect=op",
    })
    expect(await its.token({ account: "grace" })).toMatchObject({ problem: "not-connected" })
  })

  test("scopes are missing: the page asks for all of them", async () => {
    const its = await vaultSite({ url: "https://app.test/auth" })
    await its.signIn()
    expect(await its.token({ scopes: ["email", "calendar"] })).toEqual({
      problem: "needs-consent",
      url: "https://app.test/auth/account?connect=op&scope=openid+profile+email+calendar",
      scopes: ["openid", "profile", "email", "calendar"],
    })
  })

  test.each([
    [{ tokens: undefined }, "tokens: vault"],
    [{ adapter: undefined }, "records: postgres(pool).records"],
  ])("nothing is kept with %o: the line to add is named", async (change, line) => {
    const { config, op } = await vaultSite()
    const server = createServer({ ...config, ...change })
    const result = await server.token("op", { userId: "ada" })
    expect(result).toMatchObject({ problem: "no-records", message: expect.stringContaining(line) })
    expect(op.requests).toHaveLength(0)
  })

  test("an unknown provider is an error of the application", async () => {
    const its = await vaultSite()
    await expect(its.server.token("nowhere", { userId: "ada" })).rejects.toMatchObject({ type: "InvalidProvider" })
  })
})

test("without `tokens: vault`, a sign-in stores no record, and the account row is that of v5", async () => {
  const without = await vaultSite({ tokens: undefined })
  await without.signIn()
  expect((await without.store.records.list("tokens.account", { limit: 9 })).records).toEqual([])
  const its = await vaultSite()
  await its.signIn()
  expect((await its.store.records.list("tokens.account", { limit: 9 })).records).toHaveLength(1)
  const shape = ({ accounts: [row] }: { accounts: readonly object[] }) => Object.keys(row ?? {}).toSorted()
  expect(shape(its.store.rows())).toEqual(shape(without.store.rows()))
})

test("under strict, the account row has no token", async () => {
  const its = await vaultSite({ security: "strict", url: "https://app.test" })
  await its.signIn()
  expect(JSON.stringify(its.store.rows().accounts)).not.toContain("access-")
  expect(await its.token()).toMatchObject({ account: "ada" })
})

test("an account that was unlinked past the library has no token anymore", async () => {
  const its = await vaultSite()
  await its.signIn()
  const visitor = visitorOf(its.browser)
  await its.store.unlinkAccount?.({ provider: "op", providerAccountId: "ada" })
  expect(await its.server.token("op", { visitor })).toMatchObject({ problem: "not-connected" })
})
