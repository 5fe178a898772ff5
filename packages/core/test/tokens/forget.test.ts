import { defineModule, type ModuleContext } from "@latchkey/core/module"
import type { AuthConfig } from "@latchkey/core/types"
import { expect, test } from "vitest"
import { attack, type Mode } from "../../../../tests/attack.js"
import { visitorOf } from "../account/setup.js"
import { vaultSite, type VaultSite } from "./setup.js"
import Passkey from "@latchkey/core/providers/passkey"

async function kept({ store }: VaultSite) {
  const list = async (kind: string) => (await store.records.list(kind, { limit: 9 })).records.length
  return { accounts: await list("tokens.account"), revocations: await list("tokens.revocation") }
}

const nothing = { accounts: 0, revocations: 0 }

test("`revoke` ends the access at the provider", async () => {
  const its = await vaultSite()
  await its.signIn()
  await its.server.revoke(its.userId())
  expect(its.revoked).toEqual([{ token: expect.stringMatching(/^refresh-/), hint: "refresh_token" }])
  expect(await kept(its)).toEqual(nothing)
  expect(await its.server.token("op", { userId: its.userId() })).toMatchObject({ problem: "not-connected" })
})

test("deleting the account does", async () => {
  const its = await vaultSite()
  await its.signIn()
  await its.server.account(visitorOf(its.browser)).deleteAccount()
  expect(its.revoked).toHaveLength(1)
  expect(await kept(its)).toEqual(nothing)
})

test("disconnecting an account does, and leaves the other one", async () => {
  const its = await vaultSite({ security: { linking: "same-session" } })
  await its.signIn()
  await its.signIn("grace")
  const account = { provider: "op", providerAccountId: "grace" }
  expect(await its.server.account(visitorOf(its.browser)).unlinkAccount(account)).toBe(true)
  expect(its.revoked).toHaveLength(1)
  expect(await kept(its)).toEqual({ accounts: 1, revocations: 0 })
  expect(await its.token()).toMatchObject({ account: "ada" })
})

test("the last way to sign in can't be disconnected, so its token stays", async () => {
  const its = await vaultSite()
  await its.signIn()
  const account = { provider: "op", providerAccountId: "ada" }
  await expect(its.server.account(visitorOf(its.browser)).unlinkAccount(account)).rejects.toMatchObject({
    type: "LastSignInMethod",
  })
  expect(its.revoked).toHaveLength(0)
  // What was noted is dropped, because the account is still there.
  its.clock.advance({ minutes: 61 })
  expect(await its.token()).toMatchObject({ account: "ada" })
  await settled()
  expect(its.revoked).toHaveLength(0)
  expect(await kept(its)).toEqual({ accounts: 1, revocations: 0 })
  expect(await its.token()).toMatchObject({ account: "ada" })
})

test.each([
  ["is the last way to sign in", "ada", "LastSignInMethod"],
  ["isn't the user's", "stranger", undefined],
])("a disconnection that is refused because the account %s leaves no sealed token behind", async (_, id, type) => {
  const its = await vaultSite()
  await its.signIn()
  const account = its.server.account(visitorOf(its.browser)).unlinkAccount({ provider: "op", providerAccountId: id })
  if (type === undefined) expect(await account).toBe(false)
  else await expect(account).rejects.toMatchObject({ type })
  expect(await kept(its)).toEqual({ accounts: 1, revocations: 0 })
  expect(its.revoked).toHaveLength(0)
})

/** Two accounts, one of which can be disconnected. */
async function withTwo(mode: Mode = "compatible") {
  const its = await vaultSite({ security: { mode, linking: "same-session" }, url: "https://app.test" })
  await its.signIn()
  await its.signIn("grace")
  its.clock.advance({ minutes: 61 })
  const grace = { userId: its.userId(), account: "grace" }
  const disconnect = async () =>
    its.server.account(visitorOf(its.browser)).unlinkAccount({ provider: "op", providerAccountId: "grace" })
  await its.signIn()
  return { its, disconnect, renew: async () => its.server.token("op", grace) }
}

attack("LINK-05", "a renewal that ends inside a disconnection leaves no access at the provider", async (mode) => {
  const { its, disconnect, renew } = await withTwo(mode)
  const { transaction } = its.store
  const before = (await its.store.records.find("tokens.account", { owner: its.userId() }, { limit: 9 })).records
  let renewed: unknown
  its.store.transaction = async (work) => {
    renewed ??= await renew()
    return transaction(work)
  }
  expect(await disconnect()).toBe(true)
  expect(before).toHaveLength(2)
  expect(renewed).toMatchObject({ account: "grace" })
  expect(its.refreshes()).toHaveLength(1)
  const [former] = its.refreshes().map(({ form }) => form.get("refresh_token"))
  expect(its.revoked.map(({ token }) => token)).toEqual(
    expect.arrayContaining([expect.not.stringMatching(`^${former}$`)]),
  )
  expect(await kept(its)).toEqual({ accounts: 1, revocations: 0 })
})

test("neither does one that ends after it", async () => {
  const { its, disconnect, renew } = await withTwo()
  its.answers.token = async () => {
    expect(await disconnect()).toBe(true)
    return Response.json({ access_token: "late", refresh_token: "late-refresh", token_type: "bearer", expires_in: 60 })
  }
  expect(await renew()).toMatchObject({ problem: "not-connected" })
  expect(its.revoked.map(({ token }) => token)).toContain("late-refresh")
  expect(await kept(its)).toEqual({ accounts: 1, revocations: 0 })
})

/** Lets work go on for which no caller waits. */
async function settled(): Promise<void> {
  for (let turn = 0; turn < 50; turn++) await new Promise((resolve) => setImmediate(resolve))
}

test("a provider that is down is asked again later, while other tokens are renewed", async () => {
  const its = await vaultSite()
  await its.signIn()
  await its.signIn("grace", its.browser.fresh())
  its.answers.revocation = () => new Response("", { status: 503 })
  await its.server.revoke(its.userId("ada"))
  expect(await kept(its)).toEqual({ accounts: 1, revocations: 1 })
  its.answers.revocation = undefined
  const grace = { userId: its.userId("grace") }
  its.clock.advance({ minutes: 60 })
  expect(await its.server.token("op", grace)).toMatchObject({ account: "grace" })
  await settled()
  expect(its.revoked).toHaveLength(2)
  expect(new Set(its.revoked.map(({ token }) => token)).size).toBe(1)
  expect(await kept(its)).toEqual({ accounts: 1, revocations: 0 })
})

test("records that have expired hide no token that is still to be revoked", async () => {
  const its = await vaultSite()
  const rest = {
    kind: "tokens.revocation",
    owner: null,
    index1: null,
    index2: null,
    data: "{}",
    expiresAt: new Date(1),
  }
  for (let each = 0; each < 60; each++)
    await its.store.records.insert({ key: `!${String(each).padStart(2, "0")}`, ...rest }, new Date(0))
  await its.signIn()
  await its.signIn("grace", its.browser.fresh())
  its.answers.revocation = () => new Response("", { status: 503 })
  await its.server.revoke(its.userId("ada"))
  its.answers.revocation = undefined
  const asked = its.revoked.length
  for (let call = 0; call < 2; call++) {
    its.clock.advance({ minutes: 60 })
    await its.server.token("op", { userId: its.userId("grace") })
    await settled()
  }
  expect(its.revoked).toHaveLength(asked + 1)
})

test("a refusal isn't repeated", async () => {
  const its = await vaultSite()
  await its.signIn()
  its.answers.revocation = () => Response.json({ error: "unsupported_token_type" }, { status: 400 })
  await its.server.revoke(its.userId())
  expect(await kept(its)).toEqual(nothing)
  expect(its.log.entries.some(({ text }) => text.includes("didn't revoke a token"))).toBe(true)
})

test.each<Partial<AuthConfig>>([{}, { providers: [Passkey()] }])(
  "a provider that can't revoke, or that was removed, holds nothing up (%#)",
  async (change) => {
    const its = await vaultSite({ provider: { tokens: {} } })
    await its.signIn()
    const { createServer } = await import("@latchkey/core/server")
    await createServer({ ...its.config, experimental: { enableWebAuthn: true }, ...change }).revoke(its.userId())
    expect(its.revoked).toHaveLength(0)
    expect(await kept(its)).toEqual(nothing)
  },
)

test.each([
  ["stay if they were granted for offline access", "openid offline_access", 0],
  ["are forgotten and revoked if they belong to the session at the provider", "openid", 1],
])("when a module ends what a session brought, tokens %s", async (_, scope, revoked) => {
  const module = defineModule({
    id: "ender",
    members: ["end"],
    load: async () => ({
      server: ({ users }: ModuleContext) => ({
        end: async (id: string) =>
          users.forgetTokens(id, { provider: "op", providerAccountId: "ada" }, { unless: "offline_access" }),
      }),
    }),
  })
  const its = await vaultSite({ modules: [module] })
  its.respond((answer) => ({ ...answer, body: { ...answer.body, scope } }))
  await its.signIn()
  await (its.server.members["ender"] as unknown as { end(id: string): Promise<void> }).end(its.userId())
  expect(its.revoked).toHaveLength(revoked)
  expect(await kept(its)).toEqual({ accounts: 1 - revoked, revocations: 0 })
})
