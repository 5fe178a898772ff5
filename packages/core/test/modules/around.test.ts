import credentials from "@latchkey/core/providers/credentials"
import { defineModule, type Module, route } from "@latchkey/core/module"
import { createServer } from "@latchkey/core/server"
import type { AuthConfig } from "@latchkey/core/types"
import { captureLog, visit } from "@latchkey/testing"
import { expect, test } from "vitest"

type Around = NonNullable<Module["around"]>

const around = (id: string, run: Around): Module =>
  defineModule({
    id,
    around: run,
    load: async () => ({
      routes: [route("GET", "ping", { session: "none" }, async ({ json }) => json({ pong: true }))],
    }),
  })

/** Users sign in with their name. Only Ada has an account, and the database is down for Grace. */
function siteWith(...modules: readonly Module[]) {
  const log = captureLog()
  const byName = credentials({
    credentials: { name: {} },
    authorize({ name }) {
      if (name === "grace") throw new Error("connection lost")
      return name === "ada" ? { id: "1", name: "Ada" } : null
    },
  })
  const config: AuthConfig = {
    secret: "k0Wc5v2uYl1u8mQ7o3nT9xZ4hB6sD1fGqR8eJ2aV5pLw",
    url: "https://app.test/auth",
    providers: [byName],
    logger: log.logger,
    modules,
  }
  return { config, log, open: async () => visit(config) }
}

/** Keeps what it's told. */
function recorder(id: string, heard: unknown[]): Module {
  return around(id, async (running, run) => void heard.push([id, running, (await run())?.type]))
}

test("a module runs around each auth route, and learns why one failed", async () => {
  const heard: unknown[] = []
  const browser = await siteWith(recorder("trace", heard)).open()
  await browser.signIn("credentials", { name: "ada" })
  await browser.get("/auth/session")
  await browser.get("/auth/trace/ping")
  expect(browser.text).toContain("pong")
  await browser.signIn("credentials", { name: "grace-hopper" })
  await browser.signIn("credentials", { name: "grace" })
  const callback = { method: "POST", action: "callback", providerId: "credentials" }
  expect(heard).toContainEqual(["trace", callback, undefined])
  expect(heard).toContainEqual(["trace", { method: "GET", action: "session", providerId: undefined }, undefined])
  expect(heard).toContainEqual(["trace", { method: "GET", action: "trace", providerId: undefined }, undefined])
  expect(heard).toContainEqual(["trace", callback, "CredentialsSignin"])
  expect(heard).toContainEqual(["trace", callback, "CallbackRouteError"])
})

test("what a visitor made up is no provider", async () => {
  const heard: unknown[] = []
  const browser = await siteWith(recorder("trace", heard)).open()
  await browser.get("/auth/callback/ada@example.test?code=1")
  expect(JSON.stringify(heard)).not.toContain("ada@example.test")
})

test.each<[string, Around]>([
  ["throws before the route", async () => Promise.reject(new Error("tracing broke"))],
  [
    "throws at once",
    () => {
      throw new Error("tracing broke")
    },
  ],
  ["never runs the route", async () => "a response of its own"],
  ["runs the route twice", async (_, run) => [await run(), await run()]],
  [
    "throws after the route",
    async (_, run) => {
      await run()
      throw new Error("tracing broke")
    },
  ],
])("a module that %s changes nothing, and the route runs once", async (_, broken) => {
  const heard: unknown[] = []
  const calls: string[] = []
  const counted: Module = defineModule({
    id: "counted",
    on: { signIn: ({ user }) => void calls.push(String(user.name)) },
  })
  const { open } = siteWith(recorder("a", heard), around("broken", broken), recorder("c", heard), counted)
  const browser = await open()
  await browser.signIn("credentials", { name: "ada" })
  expect(await browser.session()).toMatchObject({ user: { name: "Ada" } })
  expect(calls).toEqual(["Ada"])
  expect(heard).toContainEqual(["c", { method: "POST", action: "callback", providerId: "credentials" }, undefined])
})

test("a sign-in that the application starts runs in it, too", async () => {
  const heard: unknown[] = []
  const { config } = siteWith(recorder("trace", heard))
  const visitor = { headers: new Headers(), origin: "https://app.test" }
  await createServer(config).signIn(visitor, "credentials", { name: "ada", redirectTo: "/" })
  expect(heard).toEqual([["trace", { method: "POST", action: "callback", providerId: "credentials" }, undefined]])
})
