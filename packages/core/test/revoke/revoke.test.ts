import { defineModule } from "@latchkey/core/module"
import { memoryAdapter } from "@latchkey/adapter-kit/memory"
import type { Adapter } from "@latchkey/core/adapters"
import { RevokeError } from "@latchkey/core/errors"
import { createIntegration } from "@latchkey/core/integration"
import { createServer, type Visitor } from "@latchkey/core/server"
import type { AuthConfig } from "@latchkey/core/types"
import { captureLog, createProvider, visit } from "@latchkey/testing"
import { expect, test } from "vitest"
import { site, type SiteOptions } from "../account/setup.js"
import { hasSession } from "../flows/signin/setup.js"

const secret = "k0Wc5v2uYl1u8mQ7o3nT9xZ4hB6sD1fGqR8eJ2aV5pLw"

/** Ada is signed in, and has requested an email link in another browser. */
async function signedIn(adapter: Adapter, options: SiteOptions = {}) {
  const its = await site(adapter, options)
  await its.browser.signInWith(its.first, { as: "ada" })
  const other = await its.phone()
  await other.signIn("email", { email: "ada@example.test" })
  const { user } = await its.account().overview()
  const linkWorks = async () => {
    await other.get(its.mail.link())
    return hasSession(other)
  }
  return { ...its, server: createServer(its.config), id: user.id ?? "", linkWorks }
}

test("what one kind or module can't end is named, and everything else ends", async () => {
  const told: unknown[] = []
  const { browser, id, linkWorks, log, server } = await signedIn(memoryAdapter(), {
    modules: [
      defineModule({
        id: "api-keys",
        load: async () => ({ revoke: () => Promise.reject(new Error("The key server is down")) }),
      }),
      defineModule({
        id: "devices",
        load: async () => ({ revoke: (_, user, reason) => void told.push([user, reason]) }),
      }),
      { id: "without" },
    ],
  })
  const error: unknown = await server.revoke(id, "left the company").catch((cause: unknown) => cause)
  expect(error).toBeInstanceOf(RevokeError)
  expect(error).toMatchObject({
    kinds: ["api-keys"],
    cause: { err: { errors: [{ message: "The key server is down" }] } },
  })
  expect(String(error)).toContain("(api-keys)")
  expect(told).toEqual([[{ id }, "left the company"]])
  expect(log.entries.filter(({ level }) => level === "error")).toMatchObject([{ detail: { type: "RevokeError" } }])
  expect(await browser.session()).toBeNull()
  expect(await linkWorks()).toBe(false)
})

test.each(["revoke", "revokeSessions"] as const)(
  "a link that is opened while %s ends the sessions signs no one in",
  async (end) => {
    const adapter = memoryAdapter()
    const { account, id, linkWorks, server } = await signedIn(adapter, { session: { strategy: "database" } })
    const { deleteSessions } = adapter
    let opened: boolean | undefined
    adapter.deleteSessions = async (userId) => {
      await deleteSessions(userId)
      opened ??= await linkWorks()
    }
    await (end === "revoke" ? server.revoke(id) : account().revokeSessions())
    expect(opened).toBe(false)
  },
)

test("an adapter that lists sessions needs no method that ends all of them", async () => {
  const { deleteSessions: _, ...adapter } = memoryAdapter()
  const { browser, id, server } = await signedIn(adapter)
  await server.revoke(id)
  expect(await browser.session()).toBeNull()
})

test("an adapter of Auth.js can't find sessions and links by user, and the error says so", async () => {
  const { deleteSessions: _, listSessions: __, deleteVerificationTokens: ___, ...adapter } = memoryAdapter()
  const { id, server } = await signedIn(adapter)
  await expect(server.revoke(id)).rejects.toMatchObject({
    kinds: ["email-links", "stored-sessions"],
    message: expect.stringContaining("(email-links, stored-sessions)") as string,
  })
})

test("while the users can't be read, sessions still end", async () => {
  const adapter: Adapter = memoryAdapter()
  const { browser, id, server } = await signedIn(adapter, { session: { strategy: "database" } })
  adapter.getUser = () => Promise.reject(new Error("connection lost"))
  await expect(server.revoke(id)).rejects.toMatchObject({ kinds: ["email-links"] })
  expect(await browser.session()).toBeNull()
})

test.each([undefined, null, "", 7])("%j is no id of a user, so nothing ends", async (id) => {
  const { browser, server } = await signedIn(memoryAdapter())
  await expect(server.revoke(id as string)).rejects.toMatchObject({
    message: expect.stringContaining("no user id") as string,
  })
  expect(await browser.session()).not.toBeNull()
})

test.each([
  ["as its provider spells it", "Ada@BÜCHER.example", "ada@bücher.example"],
  ["with an ASCII domain", "ada@bücher.example", "ada@xn--bcher-kva.example"],
  ["with the root of DNS", "ada@example.test", "ada@example.test."],
])("a link ends that was requested for the email %s before the user had it", async (_, stored, typed) => {
  const store = memoryAdapter()
  const { account, browser, config, first, mail, phone } = await site(store, { security: { revocableSessions: true } })
  const thief = await phone()
  await thief.signIn("email", { email: typed })
  first.people["ada"] = { sub: "ada", email: stored, email_verified: true }
  await browser.signInWith(first, { as: "ada" })
  const { user } = await account().overview()
  await createServer(config).revoke(user.id ?? "")
  expect(store.rows().verificationTokens).toEqual([])
  await thief.get(mail.link())
  expect(hasSession(thief)).toBe(false)
})

test("sessions in cookies that aren't revocable stay, and one warning says so", async () => {
  const op = createProvider()
  const log = captureLog()
  const config = { secret, trustHost: true, providers: [op.provider()], logger: log.logger }
  const browser = await visit(config)
  await browser.signInWith(op, { as: "ada" })
  const { revoke } = createServer(config)
  await revoke("ada")
  await revoke("grace")
  expect(await browser.session()).not.toBeNull()
  const warnings = log.entries.filter(({ level }) => level === "warn").map(({ message }) => message)
  expect(warnings).toEqual(["sessions-not-revocable"])
})

test("a site that declares revocable sessions, and has no adapter, refuses", async () => {
  const { logger } = captureLog()
  const server = createServer({ secret, trustHost: true, providers: [], security: { revocableSessions: true }, logger })
  await expect(server.revoke("ada")).rejects.toMatchObject({ kinds: ["stored-sessions"] })
})

test("a configuration function gets the visitor, if there is one", async () => {
  const { browser, config, id } = await signedIn(memoryAdapter())
  const seen: (Visitor | undefined)[] = []
  const server = createServer((visitor) => {
    seen.push(visitor)
    return config
  })
  const visitor = { headers: new Headers({ "x-tenant": "one" }) }
  await server.revoke(id, undefined, visitor)
  await server.revoke(id)
  expect(seen).toEqual([visitor, undefined])
  expect(await browser.session()).toBeNull()
})

const framework = {
  basePath: "/auth",
  env: () => ({}),
  read: (request: Request) => ({ method: request.method, url: new URL(request.url), headers: request.headers }),
  toRequest: (request: Request) => request,
}

test("an integration needs no request", async () => {
  const { browser, config, id } = await signedIn(memoryAdapter())
  await createIntegration(config, framework).revoke(id)
  expect(await browser.session()).toBeNull()
})

test("an integration needs a request if its configuration is a function of it", async () => {
  const { browser, config, id } = await signedIn(memoryAdapter())
  const { revoke, session } = createIntegration((_request: Request): AuthConfig => config, framework)
  await expect(revoke(id)).rejects.toThrow("Pass it as the last argument")
  const cookie = browser.cookies.map(({ name, value }) => `${name}=${value}`).join("; ")
  const request = new Request("https://app.test/", { headers: { cookie } })
  expect(await session(request)).not.toBeNull()
  await revoke(id, "stolen laptop", request)
  expect(await session(request)).toBeNull()
})

test("`disable`, `enable` and `export` take the request last, too", async () => {
  const store = memoryAdapter()
  const { config, id } = await signedIn(store, { records: store.records })
  const find = (_request: Request): AuthConfig => config
  const { disable, enable, export: exportUser } = createIntegration(find, framework)
  const request = new Request("https://app.test/")
  for (const call of [disable(id), enable(id), exportUser(id)])
    await expect(call).rejects.toThrow("Pass it as the last argument")
  await disable(id, "fraud", request)
  expect((await exportUser(id, request)).disabled).toMatchObject({ reason: "fraud" })
  await enable(id, request)
  expect((await exportUser(id, request)).disabled).toBeNull()
})
