import { createServer, resealRecords } from "@latchkey/core/server"
import { hang } from "@latchkey/testing"
import { describe, expect, test } from "vitest"
import { secret, visitorOf } from "../account/setup.js"
import { minutes, vaultSite, type VaultSite } from "./setup.js"

async function records({ store }: VaultSite) {
  return (await store.records.list("tokens.account", { limit: 9 })).records
}

test("no token is in the session, a cookie, a page, an event or the log, and at rest it's sealed", async () => {
  const its = await vaultSite({ debug: true, security: "strict", url: "https://app.test" })
  await its.signIn()
  const before = await its.token()
  its.clock.advance(minutes(60))
  const after = await its.token()
  if (before.problem !== undefined || after.problem !== undefined) throw new Error("There is no token")
  its.answers.token = () => Response.json({ error: "invalid_request", error_description: sent() }, { status: 400 })
  const sent = () => its.refreshes().at(-1)?.form.get("refresh_token") ?? ""
  its.clock.advance(minutes(60))
  await its.token()
  const secrets = [before.accessToken, after.accessToken, sent(), its.op.clientSecret]
  const seen = [
    JSON.stringify(await its.browser.session()),
    JSON.stringify(its.browser.cookies),
    await (await its.browser.fetch("/auth/account")).text(),
    JSON.stringify(its.security),
    JSON.stringify(its.store.rows()),
    JSON.stringify(await records(its)),
    its.log.entries.map(({ text }) => text).join("\n"),
  ]
  for (const each of secrets) {
    expect(each.length).toBeGreaterThan(10)
    for (const text of seen) expect(text).not.toContain(each)
  }
})

test("a record that is copied to another user, provider or account can't be opened", async () => {
  const its = await vaultSite()
  await its.signIn()
  await its.signIn("grace", its.browser.fresh())
  const [one, other] = await records(its)
  if (one === undefined || other === undefined) throw new Error("There are no two records")
  await its.store.records.swap({ ...other, data: one.data }, new Date(its.clock.now()))
  const [ada, grace] = [its.userId("ada"), its.userId("grace")]
  const victim = other.owner === ada ? ada : grace
  await expect(its.server.token("op", { userId: victim })).rejects.toThrow("can't be opened")
})

test("a user gets only their own token, whatever account they name", async () => {
  const its = await vaultSite()
  await its.signIn()
  const grace = await its.signIn("grace", its.browser.fresh())
  const visitor = visitorOf(grace)
  expect(await its.server.token("op", { visitor, account: "ada" })).toMatchObject({ problem: "not-connected" })
  expect(await its.server.token("op", { visitor })).toMatchObject({ account: "grace" })
  const both = { visitor, userId: its.userId("ada") }
  expect(await its.server.token("op", both)).toMatchObject({ account: "grace" })
})

test("an ended session has no token", async () => {
  const its = await vaultSite({ session: { strategy: "database" } })
  await its.signIn()
  const visitor = visitorOf(its.browser)
  await its.browser.signOut()
  expect(await its.server.token("op", { visitor })).toEqual({ problem: "not-signed-in" })
})

test("an account that another session may not link leaves no token", async () => {
  const its = await vaultSite({ callbacks: { signIn: ({ account }) => account?.providerAccountId !== "grace" } })
  await its.signIn()
  await its.signIn("grace", its.browser.fresh())
  expect(await records(its)).toHaveLength(1)
})

describe("a provider that answers a refresh with", () => {
  const fine = { token_type: "bearer", expires_in: 3600 }
  test.each<[string, () => Response]>([
    ["a page", () => new Response("<html>", { headers: { "content-type": "text/html" } })],
    ["nothing", () => new Response("")],
    ["a list", () => Response.json([])],
    ["no access token", () => Response.json({ ...fine })],
    ["an access token that isn't text", () => Response.json({ ...fine, access_token: { a: 1 } })],
    ["an empty access token", () => Response.json({ ...fine, access_token: "" })],
    ["a lifetime that isn't a number", () => Response.json({ ...fine, access_token: "a", expires_in: "soon" })],
    ["a negative lifetime", () => Response.json({ ...fine, access_token: "a", expires_in: -5 })],
    ["30 MB", () => new Response(new Uint8Array(30_000_000))],
    ["a token of 100 kB", () => Response.json({ ...fine, access_token: "a".repeat(100_000) })],
    ["a token with a line break", () => Response.json({ ...fine, access_token: "a\nx-evil: 1" })],
    ["a redirect", () => new Response(null, { status: 302, headers: { location: "https://evil.test/" } })],
    ["an error of its own", () => Response.json({ error: { code: 42 } }, { status: 400 })],
    ["the wrong client", () => Response.json({ error: "invalid_client" }, { status: 401 })],
  ])("%s is unavailable for a moment, and its refresh token stays", async (_, answer) => {
    const its = await vaultSite()
    await its.signIn()
    its.clock.advance(minutes(60))
    its.answers.token = answer
    expect(await its.token()).toMatchObject({ problem: "unavailable" })
    expect(await its.token()).toMatchObject({ problem: "unavailable" })
    expect(its.refreshes()).toHaveLength(1)
    its.answers.token = undefined
    its.clock.advance(minutes(2))
    its.op.inject({ overlook: ({ reason }) => reason === "refresh-token-used" })
    expect(await its.token()).toMatchObject({ account: "ada" })
  })
})

test("while the provider hangs, a session is read at once, and another user's token, too", async () => {
  const its = await vaultSite()
  await its.signIn()
  await its.signIn("grace", its.browser.fresh())
  its.clock.advance(minutes(60))
  const slow = hang("token")
  const removed = its.op.inject(slow.fault)
  const waiting = its.token()
  await slow.reached
  expect(await its.browser.session()).not.toBeNull()
  removed()
  expect(await its.server.token("op", { userId: its.userId("grace") })).toMatchObject({ account: "grace" })
  slow.release()
  expect(await waiting).toMatchObject({ account: "ada" })
})

test("a provider that hangs is given up, and another call doesn't wait for it", async () => {
  const its = await vaultSite()
  await its.signIn()
  its.clock.advance(minutes(60))
  const slow = hang("token")
  its.op.inject(slow.fault)
  expect(await its.token()).toEqual({ problem: "unavailable", retryAfter: 1 })
  expect(await its.token()).toEqual({ problem: "unavailable", retryAfter: 1 })
  expect(its.refreshes()).toHaveLength(1)
  slow.release()
}, 20_000)

test("an abnormally long token of a sign-in isn't kept, and the sign-in succeeds", async () => {
  const its = await vaultSite({ provider: { type: "oidc" } })
  its.respond((answer) => ({ ...answer, body: { ...answer.body, refresh_token: "r".repeat(100_000) } }))
  await its.signIn()
  expect(await its.browser.session()).not.toBeNull()
  expect(await its.token()).toMatchObject({ problem: "not-connected" })
})

test("records that fail don't fail a sign-in", async () => {
  const its = await vaultSite()
  const fail = async () => {
    throw new Error("connection lost")
  }
  const { visit } = await import("@latchkey/testing")
  const records = { ...its.store.records, insert: fail }
  const browser = await visit({ ...its.config, records }, { clock: its.clock })
  await browser.signInWith(its.op, { as: "ada" })
  expect(await browser.session()).not.toBeNull()
  expect(its.log.entries.some(({ text }) => text.includes("Could not keep the tokens"))).toBe(true)
})

describe("when the secret is rotated", () => {
  const next = "the-newest-secret-0123456789abcdefghijkl"

  test("former records open, and a command seals them with the newest secret", async () => {
    const its = await vaultSite()
    await its.signIn()
    const userId = its.userId()
    const rotating = { ...its.config, secret: [next, secret] }
    expect(await createServer(rotating).token("op", { userId })).toMatchObject({ account: "ada" })
    expect(await resealRecords(rotating, { check: true })).toEqual({ outdated: 1, unreadable: 0 })
    expect(await resealRecords(rotating)).toEqual({ outdated: 1, unreadable: 0 })
    expect(await resealRecords(rotating)).toEqual({ outdated: 0, unreadable: 0 })
    expect(await createServer({ ...its.config, secret: next }).token("op", { userId })).toMatchObject({
      account: "ada",
    })
  })
})
