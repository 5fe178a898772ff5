import type { StoredRecord } from "@latchkey/core/adapters"
import { createServer } from "@latchkey/core/server"
import { expect, test } from "vitest"
import { attack } from "../../../../tests/attack.js"
import { minutes, vaultSite } from "./setup.js"

const kind = "tokens.account"

attack("OAUTH-15", "20 parallel calls make one request to the provider, and all get its token", async (mode) => {
  const its = await vaultSite({ mode })
  await its.signIn()
  its.clock.advance(minutes(60))
  const results = await Promise.all(Array.from({ length: 20 }, () => its.token()))
  expect(its.refreshes()).toHaveLength(1)
  expect(new Set(results.map((result) => JSON.stringify(result))).size).toBe(1)
  expect(results[0]).toMatchObject({ account: "ada" })
})

test("a response without a new refresh token keeps the old one", async () => {
  const its = await vaultSite()
  await its.signIn()
  const restore = its.respond((answer) => ({ ...answer, body: { ...answer.body, refresh_token: undefined } }))
  const [first] = [its.op.requestsTo("token").length]
  its.clock.advance(minutes(60))
  expect(await its.token()).toMatchObject({ account: "ada" })
  restore()
  // The fake provider accepts a refresh token once, unless it's told otherwise.
  its.op.inject({ overlook: ({ reason }) => reason === "refresh-token-used" })
  its.clock.advance(minutes(60))
  expect(await its.token()).toMatchObject({ account: "ada" })
  const sent = its.refreshes().map(({ form }) => form.get("refresh_token"))
  expect(its.op.requestsTo("token").length - first).toBe(2)
  expect(sent[0]).toBe(sent[1])
})

test("the next renewal uses the refresh token of the last one", async () => {
  const its = await vaultSite()
  await its.signIn()
  for (let hour = 1; hour <= 3; hour++) {
    its.clock.advance(minutes(60))
    expect(await its.token()).toMatchObject({ account: "ada" })
  }
  expect(new Set(its.refreshes().map(({ form }) => form.get("refresh_token"))).size).toBe(3)
})

attack("OAUTH-15", "a refused refresh token is given up once, with one event, and no request follows", async (mode) => {
  const its = await vaultSite({ mode })
  await its.signIn()
  its.answers.token = () => Response.json({ error: "invalid_grant" }, { status: 400 })
  its.clock.advance(minutes(60))
  const results = await Promise.all(Array.from({ length: 20 }, () => its.token()))
  for (const result of results)
    expect(result).toMatchObject({ problem: "needs-consent", url: expect.stringContaining("connect=op") })
  expect(await its.token()).toMatchObject({ problem: "needs-consent" })
  expect(its.refreshes()).toHaveLength(1)
  const refused = its.security.filter(({ name }) => name === "token.refused")
  expect(refused).toMatchObject([
    { outcome: "failure", actor: { kind: "application" }, subject: { kind: "user" }, data: { provider: "op" } },
  ])
})

test("a sign-in brings an account back whose refresh token was refused", async () => {
  const its = await vaultSite()
  await its.signIn()
  its.answers.token = () => Response.json({ error: "invalid_grant" }, { status: 400 })
  its.clock.advance(minutes(60))
  expect(await its.token()).toMatchObject({ problem: "needs-consent" })
  its.answers.token = undefined
  await its.signIn()
  expect(await its.token()).toMatchObject({ account: "ada" })
})

test("if another process has renewed the token meanwhile, a refusal ends nothing", async () => {
  const its = await vaultSite()
  await its.signIn()
  its.clock.advance(minutes(60))
  its.answers.token = async () => {
    its.answers.token = undefined
    await signInElsewhere()
    return Response.json({ error: "invalid_grant" }, { status: 400 })
  }
  // A sign-in in another browser stores a new token, while the request is on its way.
  const signInElsewhere = () => its.signIn("ada", its.browser.fresh())
  expect(await its.token()).toMatchObject({ account: "ada" })
  expect(its.security.filter(({ name }) => name === "token.refused")).toHaveLength(0)
})

test("a sign-in during a renewal wins, and the renewal doesn't overwrite it", async () => {
  const its = await vaultSite()
  await its.signIn()
  its.clock.advance(minutes(60))
  const late = { access_token: "access-late", token_type: "bearer", refresh_token: "refresh-late", expires_in: 3600 }
  its.answers.token = async () => {
    its.answers.token = undefined
    await its.signIn("ada", its.browser.fresh())
    return Response.json(late)
  }
  expect(await its.token()).toMatchObject({ accessToken: expect.not.stringContaining("late") })
})

test("what was renewed for an account that was disconnected meanwhile is revoked at once", async () => {
  const its = await vaultSite()
  await its.signIn()
  its.clock.advance(minutes(60))
  its.answers.token = async () => {
    const { records } = its.store
    for (const { key } of (await records.list(kind, { limit: 9 })).records) await records.remove(kind, key)
    return Response.json({ access_token: "a", token_type: "bearer", refresh_token: "refresh-orphan" })
  }
  expect(await its.token()).toMatchObject({ problem: "not-connected" })
  expect(its.revoked).toEqual([{ token: "refresh-orphan", hint: "refresh_token" }])
  expect((await its.store.records.list("tokens.revocation", { limit: 9 })).records).toEqual([])
})

async function only(its: Awaited<ReturnType<typeof vaultSite>>): Promise<StoredRecord> {
  const [record] = (await its.store.records.list(kind, { limit: 9 })).records
  if (record === undefined) throw new Error("There is no record")
  return record
}

test("a lease whose owner died ends after 15 seconds", async () => {
  const its = await vaultSite()
  await its.signIn()
  its.clock.advance(minutes(60))
  const record = await only(its)
  const data = { ...JSON.parse(record.data), leasedBy: "a dead process", leasedUntil: its.clock.now() + 15_000 }
  await its.store.records.swap({ ...record, data: JSON.stringify(data) }, new Date(its.clock.now()))
  expect(await its.token()).toMatchObject({ problem: "unavailable" })
  expect(its.refreshes()).toHaveLength(0)
  its.clock.advance({ seconds: 16 })
  expect(await its.token()).toMatchObject({ account: "ada" })
  expect(its.refreshes()).toHaveLength(1)
})

test("a database that fails for a moment loses no token", async () => {
  const its = await vaultSite()
  await its.signIn()
  let failures = 0
  const { records } = its.store
  const failing = {
    ...records,
    swap: async (...args: Parameters<typeof records.swap>) => {
      if (its.refreshes().length === 1 && failures++ < 3) throw new Error("connection lost")
      return records.swap(...args)
    },
  }
  const server = createServer({ ...its.config, records: failing })
  its.clock.advance(minutes(60))
  const renewed = await server.token("op", { userId: its.userId() })
  expect(renewed).toMatchObject({ account: "ada" })
  expect(failures).toBe(4)
  expect(await its.token()).toEqual(renewed)
})

test("a crash between the provider and the database: with a grace window, the old token works again", async () => {
  const its = await vaultSite()
  await its.signIn()
  const { records } = its.store
  const crashed = {
    ...records,
    swap: async (...args: Parameters<typeof records.swap>) => {
      if (its.refreshes().length > 0) throw new Error("gone")
      return records.swap(...args)
    },
  }
  const server = createServer({ ...its.config, records: crashed })
  its.clock.advance(minutes(60))
  await server.token("op", { userId: its.userId() })
  its.clock.advance({ seconds: 16 })
  const withGrace = its.op.inject({ overlook: ({ reason }) => reason === "refresh-token-used" })
  expect(await its.token()).toMatchObject({ account: "ada" })
  withGrace()
})

attack("OAUTH-15", "… and without one, the user has to consent again, and nothing loops", async (mode) => {
  const its = await vaultSite({ mode })
  await its.signIn()
  const { records } = its.store
  const crashed = {
    ...records,
    swap: async (...args: Parameters<typeof records.swap>) => {
      if (its.refreshes().length > 0) throw new Error("gone")
      return records.swap(...args)
    },
  }
  const server = createServer({ ...its.config, records: crashed })
  its.clock.advance(minutes(60))
  await server.token("op", { userId: its.userId() })
  its.clock.advance({ seconds: 16 })
  for (let call = 0; call < 3; call++) expect(await its.token()).toMatchObject({ problem: "needs-consent" })
  expect(its.refreshes()).toHaveLength(2)
})

test.each([
  [429, { "retry-after": "120" }, 120],
  [503, { "retry-after": "Thu, 01 Jan 2026 01:00:30 GMT" }, 30],
  [500, {}, 1],
  [429, { "retry-after": "99999999" }, 3600],
])("after a status of %i with %o, nothing is sent for %i seconds", async (status, headers, seconds) => {
  const its = await vaultSite()
  await its.signIn()
  its.clock.advance(minutes(60))
  its.answers.token = () => new Response("{}", { status, headers: { ...headers } })
  expect(await its.token()).toEqual({ problem: "unavailable", retryAfter: seconds })
  its.clock.advance({ seconds: seconds - 0.5 })
  expect(await its.token()).toEqual({ problem: "unavailable", retryAfter: 1 })
  expect(its.refreshes()).toHaveLength(1)
  its.answers.token = undefined
  its.clock.advance({ seconds: 1 })
  // The provider has rotated the token in a response that never arrived.
  its.op.inject({ overlook: ({ reason }) => reason === "refresh-token-used" })
  expect(await its.token()).toMatchObject({ account: "ada" })
})

test("while the provider is down, a token that hasn't expired is returned", async () => {
  const its = await vaultSite()
  await its.signIn()
  const before = await its.token()
  its.clock.advance(minutes(59.5))
  its.answers.token = () => new Response("", { status: 503 })
  expect(await its.token()).toEqual(before)
  its.clock.advance(minutes(1))
  expect(await its.token()).toMatchObject({ problem: "unavailable" })
})

test("a provider that says nothing about expiry: the token is used until an API refuses it", async () => {
  const its = await vaultSite()
  its.respond((answer) => ({ ...answer, body: { ...answer.body, expires_in: undefined } }))
  await its.signIn()
  its.clock.advance({ days: 20 })
  expect(await its.token()).toMatchObject({ expiresAt: undefined, account: "ada" })
  expect(its.refreshes()).toHaveLength(0)
})

test("a provider without refresh tokens: the user has to consent once the token has expired", async () => {
  const its = await vaultSite()
  its.respond((answer) => ({ ...answer, body: { ...answer.body, refresh_token: undefined } }))
  await its.signIn()
  its.clock.advance(minutes(59.5))
  expect(await its.token()).toMatchObject({ account: "ada" })
  its.clock.advance(minutes(1))
  expect(await its.token()).toMatchObject({ problem: "needs-consent" })
  expect(its.refreshes()).toHaveLength(0)
})
