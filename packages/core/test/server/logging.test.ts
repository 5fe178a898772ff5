import { memoryAdapter } from "@latchkey/adapter-kit/memory"
import { Auth } from "@latchkey/core"
import { CredentialsSignin } from "@latchkey/core/errors"
import credentials from "@latchkey/core/providers/credentials"
import { createServer } from "@latchkey/core/server"
import type { AuthConfig } from "@latchkey/core/types"
import { captureLog, type CapturedLog } from "@latchkey/testing"
import { describe, expect, test } from "vitest"
import { csrfPair } from "../http/app.js"
import { logged, visitor } from "./setup.js"

/** The types of the logged errors. */
function types({ entries }: CapturedLog): readonly unknown[] {
  const errors = entries.filter(({ level }) => level === "error").map(({ detail }) => detail)
  return errors.map((error) => (error instanceof Error && "type" in error ? error.type : undefined))
}

class Locked extends CredentialsSignin {
  override code = "locked"
}

const failing = (error: Error | null) =>
  credentials({
    credentials: { name: {} },
    authorize: () => {
      if (error !== null) throw error
      return null
    },
  })

describe("a call on the server logs what it throws, as the route does", () => {
  test.each([
    ["authorize that throws", failing(new Error("db down")), "db down"],
    ["a wrong password", failing(null), "CredentialsSignin"],
    ["an own refusal", failing(new Locked()), "locked"],
  ])("%s", async (_, provider, text) => {
    const called = logged({ providers: [provider] })
    await expect(createServer(called.config).signIn(visitor(), "credentials", { name: "ada" })).rejects.toThrow()
    const routed = logged({ providers: [provider] })
    const send = async (path: string, init?: RequestInit) =>
      Auth(new Request(`https://app.test${path}`, init), routed.config)
    const { token, cookie } = await csrfPair(send)
    const body = new URLSearchParams({ csrfToken: token, name: "ada" })
    await send("/auth/callback/credentials", { method: "POST", body, headers: { cookie } })
    expect(types(called.log)).toEqual(types(routed.log))
    expect(types(called.log)).toHaveLength(1)
    expect(called.log.entries.map((entry) => entry.text).join()).toContain(text)
  })

  test("a sign-out that the database refuses", async () => {
    const adapter = memoryAdapter()
    await adapter.createUser({ id: "u1", email: "ada@app.test", emailVerified: null })
    await adapter.createSession({ sessionToken: "token", userId: "u1", expires: new Date("2090-01-01") })
    const deleteSession = async () => Promise.reject(new Error("db down"))
    const { config, log } = logged({ adapter: { ...adapter, deleteSession }, session: { strategy: "database" } })
    const headers = new Headers({ cookie: "__Secure-authjs.session-token=token" })
    const ended = createServer(config).signOut({ headers, origin: "https://app.test" })
    await ended.catch(() => undefined)
    expect(types(log)).toEqual(["SignOutError"])
    expect(log.entries.map((entry) => entry.text).join()).toContain("db down")
  })

  test.each(["signIn", "signOut", "update"] as const)("%s from an untrusted host", async (name) => {
    const { config, log } = logged({ trustHost: ["other.test"] })
    const server = createServer(config)
    const calls = {
      signIn: async () => server.signIn(visitor(), "credentials"),
      signOut: async () => server.signOut(visitor()),
      update: async () => server.update(visitor(), {}),
    }
    await expect(calls[name]()).rejects.toThrow()
    expect(types(log)).toEqual(["UntrustedHost"])
  })

  test("a rate limit is a warning", async () => {
    const { config, log } = logged({
      rateLimit: { limits: { credentials: { identifier: { points: 1, seconds: 60 } } } },
      providers: [failing(null)],
    })
    const server = createServer(config)
    const attempt = async () => server.signIn(visitor(), "credentials", { name: "bob" }).catch(() => undefined)
    await attempt()
    await attempt()
    expect(types(log)).toEqual(["CredentialsSignin"])
    expect(log.entries.map(({ message }) => message)).toContain("rate-limited")
  })

  test("a configuration that can't be used is logged once", async () => {
    const { config, log } = logged({ secret: undefined })
    const server = createServer(config)
    for (let count = 0; count < 3; count++) await expect(server.signIn(visitor(), "credentials")).rejects.toThrow()
    expect(types(log)).toEqual(["MissingSecret"])
  })
})

test("a custom logger gets a wrong password as an error, as in Auth.js v5", async () => {
  const log = captureLog()
  const config: AuthConfig = { ...logged({ providers: [failing(null)] }).config, logger: log.logger }
  await createServer(config)
    .signIn(visitor(), "credentials", { name: "ada" })
    .catch(() => undefined)
  expect(types(log)).toEqual(["CredentialsSignin"])
})
