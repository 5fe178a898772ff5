import { defineModule, route } from "@latchkey/core/module"
import { memoryAdapter } from "@latchkey/adapter-kit/memory"
import { createServer } from "@latchkey/core/server"
import type { AuthConfig, SecurityEvent } from "@latchkey/core/types"
import credentials from "@latchkey/core/providers/credentials"
import { captureLog, createProvider, frozenClock, visit } from "@latchkey/testing"
import { expect, test } from "vitest"
import { firefox, linkIn, safari, secret, site, visitorOf } from "../account/setup.js"
import { audited } from "./setup.js"

const named = (heard: readonly SecurityEvent[], name: SecurityEvent["name"]) =>
  heard.filter((event) => event.name === name)

const request = (method: string, path: string) => ({
  method,
  path,
  ip: undefined,
  isIpForgeable: true,
  userAgent: expect.stringContaining("Firefox") as string,
})

test("a sign-in says who, when, where and with which session", async () => {
  const { account, browser, clock, first, heard, userId } = await audited()
  await browser.signInWith(first, { as: "ada" })
  const id = await userId()
  const user = { kind: "user", id }
  const [session] = await account().sessions()
  const common = { outcome: "success", at: new Date(clock.now()), actor: user, subject: user }
  const callback = request("GET", "/auth/callback/op")
  expect(heard).toEqual([
    { ...common, name: "user.created", session: undefined, request: callback },
    { ...common, name: "account.linked", session: undefined, request: callback, data: { provider: "op" } },
    {
      ...common,
      name: "sign-in",
      session: session?.id,
      request: callback,
      data: { provider: "op", method: "oidc", isNewUser: true },
    },
  ])
})

test("a sign-out names the session that ended, with sealed sessions too", async () => {
  const { account, browser, first, heard } = await audited({
    session: { strategy: "jwt" },
    security: { revocableSessions: true },
  })
  await browser.signInWith(first, { as: "ada" })
  const [session] = await account().sessions()
  await browser.signOut()
  const handles = [...named(heard, "sign-in"), ...named(heard, "sign-out")].map((event) => event.session)
  expect(handles).toEqual([session?.id, session?.id])
})

test("a sign-in that fails says what was tried, and neither the name nor the password", async () => {
  const heard: SecurityEvent[] = []
  const config: AuthConfig = {
    providers: [credentials({ credentials: { email: {}, password: {} }, authorize: () => null })],
    events: { security: (event) => void heard.push(event) },
  }
  const browser = await visit(config, { headers: { "x-forwarded-for": "203.0.113.7" } })
  await browser.signIn("credentials", { email: "ada@example.test", password: "correct horse battery" })
  expect(heard).toEqual([
    {
      name: "sign-in",
      outcome: "failure",
      at: expect.any(Date) as Date,
      actor: { kind: "visitor" },
      subject: { kind: "attempt", provider: "credentials" },
      session: undefined,
      request: {
        method: "POST",
        path: "/auth/callback/credentials",
        ip: "203.0.113.7",
        isIpForgeable: true,
        userAgent: undefined,
      },
      reason: "CredentialsSignin",
    },
  ])
  expect(JSON.stringify(heard)).not.toMatch(/ada|horse/)
})

test("a link is requested by a visitor, also if it's for a user", async () => {
  const { browser, first, heard, phone, userId } = await audited()
  await browser.signInWith(first, { as: "ada" })
  await (await phone()).signIn("email", { email: "ada@example.test" })
  await (await phone()).signIn("email", { email: "new@example.test" })
  expect(named(heard, "email-link.requested")).toMatchObject([
    { actor: { kind: "visitor" }, subject: { kind: "user", id: await userId() }, request: { userAgent: safari } },
    { actor: { kind: "visitor" }, subject: { kind: "attempt", provider: "email" } },
  ])
})

test("the path has no token of a link", async () => {
  const { account, accountMail, browser, first, heard, mail } = await audited()
  await browser.signInWith(first, { as: "ada" })
  await account().changeEmail("ada@new.test")
  await browser.get(accountMail.at(-1)?.url ?? "")
  await account().confirmEmail(linkIn(accountMail))
  await browser.signIn("email", { email: "ada@new.test" })
  await browser.get(mail.link())
  expect(named(heard, "sign-in").at(-1)?.request?.path).toBe("/auth/callback/email")
  for (const { request: sent } of heard) expect(sent?.path).not.toMatch(/[?=]/)
})

test("an account that is refused to a user names the user and the error", async () => {
  const { account, browser, clock, first, heard, userId } = await audited()
  await browser.signInWith(first, { as: "ada" })
  const user = { kind: "user", id: await userId() }
  clock.advance({ minutes: 20 })
  await expect(account().deleteAccount()).rejects.toMatchObject({ type: "RecentSignInRequired" })
  expect(heard.at(-1)).toMatchObject({
    name: "user.deleted",
    outcome: "failure",
    actor: user,
    subject: user,
    reason: "RecentSignInRequired",
  })
})

test("without the confirmation on the account page, deleting fails", async () => {
  const { browser, first, heard } = await audited()
  await browser.signInWith(first, { as: "ada" })
  await browser.post("/auth/account", { csrfToken: (await browser.csrf()) ?? "", action: "delete-account" })
  expect(heard.at(-1)).toMatchObject({ name: "user.deleted", outcome: "failure", reason: "NotConfirmed" })
})

test("`revoke` is done by the application, outside of a request", async () => {
  const { browser, first, heard, server, userId } = await audited()
  await browser.signInWith(first, { as: "ada" })
  const id = await userId()
  await server.revoke(id, "stolen laptop")
  expect(heard.at(-1)).toMatchObject({
    name: "credentials.revoked",
    actor: { kind: "application" },
    subject: { kind: "user", id },
    session: undefined,
    request: undefined,
    reason: "stolen laptop",
    data: { failed: [] },
  })
})

test.each([
  ["the account page", "/auth/account"],
  ["a route", "/auth/signin/op"],
])("a forged form for %s is one event", async (_, path) => {
  const { browser, first, heard } = await audited()
  await browser.signInWith(first, { as: "ada" })
  await browser.post(path, { csrfToken: "forged", action: "revoke-sessions" })
  expect(named(heard, "csrf.refused")).toHaveLength(1)
  expect(named(heard, "csrf.refused")).toMatchObject([{ request: { method: "POST", path } }])
})

test("a forged call of a server function is an event", async () => {
  const { browser, config, first, heard } = await audited()
  await browser.signInWith(first, { as: "ada" })
  const visitor = visitorOf(browser)
  visitor.headers.set("origin", "https://evil.test")
  const server = createServer(config, { forwardsForms: true })
  await expect(server.update({ ...visitor, method: "POST" }, {})).rejects.toMatchObject({ type: "MissingCSRF" })
  await expect(server.account({ ...visitor, method: "POST" }).revokeSessions()).rejects.toMatchObject({
    type: "MissingCSRF",
  })
  expect(named(heard, "csrf.refused")).toMatchObject([{ request: { method: "POST" } }, { request: { method: "POST" } }])
})

test("requests at the same time don't mix", async () => {
  const { browser, first, heard, phone } = await audited()
  const other = await phone()
  await Promise.all([browser.signInWith(first, { as: "ada" }), other.signInWith(first, { as: "grace" })])
  const signIns = named(heard, "sign-in")
  expect(new Set(signIns.map((event) => event.request?.userAgent))).toEqual(new Set([firefox, safari]))
  expect(new Set(signIns.map((event) => event.session)).size).toBe(2)
})

test("modules hear the events too, and a handler that fails is only logged", async () => {
  const heard: string[] = []
  const { browser, first, log } = await site(memoryAdapter(), {
    events: {
      security: () => {
        throw new Error("The audit log is down")
      },
    },
    modules: [{ id: "audit", on: { security: ({ name }) => void heard.push(name) } }],
  })
  await browser.signInWith(first, { as: "ada" })
  expect(heard).toEqual(["user.created", "account.linked", "sign-in"])
  expect(await browser.session()).not.toBeNull()
  expect(log.entries.filter(({ level }) => level === "error")).toHaveLength(3)
  expect(log.entries.find(({ level }) => level === "error")?.detail).toMatchObject({ type: "EventError" })
})

test("an `address` of the rate limits that fails doesn't fail the request", async () => {
  const log = captureLog()
  const op = createProvider()
  let isBroken = false
  const browser = await visit({
    providers: [op.provider()],
    logger: log.logger,
    rateLimit: {
      address: () => {
        if (isBroken) throw new Error("no header")
        return "203.0.113.7"
      },
    },
    events: { security: () => undefined },
  })
  await browser.signInWith(op, { as: "ada" })
  isBroken = true
  await browser.signOut()
  expect(await browser.session()).toBeNull()
  expect(log.entries.filter(({ level }) => level === "error").map(({ detail }) => detail)).toMatchObject([
    { type: "EventError" },
  ])
})

test("without a handler, no event is built", async () => {
  const count = async (events: AuthConfig["events"]) => {
    let addresses = 0
    const clock = frozenClock()
    const op = createProvider({ clock })
    const address = () => {
      addresses++
      return "203.0.113.7"
    }
    const config: AuthConfig = { secret, providers: [op.provider()], rateLimit: { address }, events: events ?? {} }
    const browser = await visit(config, { clock })
    await browser.signInWith(op, { as: "ada" })
    await browser.session()
    await browser.post("/auth/signout", { csrfToken: "forged" })
    await browser.signOut()
    return addresses
  }
  // The limit of sign-ins reads it once.
  expect(await count({ signIn: () => undefined })).toBe(1)
  expect(await count({ security: () => undefined })).toBe(1 + 4)
})

test("an event of a module has its id", async () => {
  const heard: SecurityEvent[] = []
  const create = route("GET", "create", {}, async ({ emit, empty }, user) => {
    await emit("created", user, { data: { keys: 1 } })
    return empty(204)
  })
  const keys = defineModule({
    id: "api-keys",
    load: async () => ({ routes: [create], events: { created: "A key was created." } }),
  })
  const browser = await visit({
    providers: [credentials({ credentials: { name: {} }, authorize: () => ({ id: "ada" }) })],
    events: { security: (event) => void heard.push(event) },
    modules: [keys],
  })
  await browser.signIn("credentials", { name: "ada" })
  await browser.get("/auth/api-keys/create")
  expect(heard.at(-1)).toMatchObject({
    name: "api-keys.created",
    outcome: "success",
    actor: { kind: "user", id: "ada" },
    subject: { kind: "user", id: "ada" },
    request: { path: "/auth/api-keys/create" },
    data: { keys: 1 },
  })
})
