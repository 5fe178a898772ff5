import { Auth } from "@latchkey/core"
import type { MemoryAdapter } from "@latchkey/adapter-kit"
import { memoryAdapter } from "@latchkey/adapter-kit/memory"
import type { Adapter } from "@latchkey/core/adapters"
import credentials from "@latchkey/core/providers/credentials"
import { createServer } from "@latchkey/core/server"
import { captureLog, createProvider } from "@latchkey/testing"
import { expect } from "vitest"
import { attack } from "../../../../tests/attack.js"
import { begin, secret } from "../flows/oauth/app.js"
import { csrfPair } from "../http/app.js"
import { visitLazily } from "./oauth-setup.js"

const proxies: readonly ((store: MemoryAdapter) => Adapter)[] = [
  (store) => new Proxy<Adapter>({}, { get: (_, name) => Reflect.get(store, name) }),
  (store) => new Proxy<Adapter>(Object.create(null) as Adapter, { get: (_, name) => Reflect.get(store, name) }),
  (store) => {
    const target: Adapter & { readonly kind: string } = { kind: "lazy" }
    return new Proxy<Adapter>(target, { get: (_, name) => Reflect.get(store, name) })
  },
]

attack("TENANT-01", "a tenant whose adapter is a proxy never gets the database of another tenant", async (mode) => {
  for (const proxy of proxies) {
    const op = createProvider()
    const common = { secret, security: mode, trustHost: ["app.test"], providers: [op.provider()] }
    const { logger } = captureLog()
    const stores = [memoryAdapter(), memoryAdapter()]
    const browsers = stores.map((store) => visitLazily(() => ({ ...common, logger, adapter: proxy(store) })))
    await browsers[0]?.signInWith(op, { as: "ada" })
    await browsers[1]?.signInWith(op, { as: "grace" })
    const emails = stores.map((store) => store.rows().users.map(({ email }) => email))
    expect(emails).toEqual([["ada@example.test"], ["grace@example.test"]])
  }
})

attack("TENANT-01", "a tenant never gets what a shared object had for another tenant", async (mode) => {
  const op = createProvider()
  const provider = op.oauthProvider()
  const callbackUrl = { name: "return", options: { path: "/first" } }
  const { logger } = captureLog()
  const common = { secret, security: mode, trustHost: ["app.test"], logger, providers: [provider] }
  const seen = []
  for (const tenant of ["first", "second", "first"]) {
    Object.assign(provider, { clientId: tenant })
    callbackUrl.options.path = `/${tenant}`
    const browser = visitLazily(() => ({ ...common, cookies: { callbackUrl } }))
    const sent = (await begin(browser, "op", { callbackUrl: "/" })).searchParams.get("client_id")
    seen.push([sent, browser.trail[0]?.headers.getSetCookie().find((line) => line.startsWith("return="))])
  }
  expect(seen).toEqual(
    ["first", "second", "first"].map((tenant) => [tenant, expect.stringContaining(`Path=/${tenant};`)]),
  )
})

attack("RATE-01", "a host that the attacker invents has no rate limits of its own", async (mode) => {
  const { logger } = captureLog()
  const newProvider = () => credentials({ credentials: { name: {}, password: {} }, authorize: () => null })
  const send = async (address: string, init?: RequestInit) => {
    const request = new Request(address, init)
    const { origin, host } = new URL(address)
    return Auth(request, { secret, security: mode, url: origin, trustHost: [host], logger, providers: [newProvider()] })
  }
  const statuses = []
  for (let at = 0; at < 12; at++) {
    const origin = `https://tenant-${at}.app.test`
    const { token, cookie } = await csrfPair(async (path, init) => send(origin + path, init))
    const body = new URLSearchParams({ csrfToken: token, name: "ada", password: "wrong" })
    const headers = { cookie, "x-auth-return-redirect": "1", "x-forwarded-for": "203.0.113.9" }
    statuses.push((await send(`${origin}/auth/callback/credentials`, { method: "POST", body, headers })).status)
  }
  expect(statuses.filter((status) => status === 429)).toHaveLength(2)
})

attack("RATE-01", "a page that reads the session often doesn't reset the rate limits", async (mode) => {
  const { logger } = captureLog()
  const newProvider = () => credentials({ credentials: { name: {}, password: {} }, authorize: () => null })
  const newServer = () =>
    createServer({ secret, security: mode, trustHost: ["app.test"], logger, providers: [newProvider()] })
  const send = async (path: string, init?: RequestInit) =>
    newServer().handle(new Request(`https://app.test${path}`, init))
  const statuses = []
  for (let at = 0; at < 12; at++) {
    const { token, cookie } = await csrfPair(send)
    const page = newServer()
    const visitor = { headers: new Headers({ cookie }), origin: "https://app.test" }
    for (let read = 0; read < 6; read++) await page.session(visitor)
    const body = new URLSearchParams({ csrfToken: token, name: "grace", password: "wrong" })
    const headers = { cookie, "x-auth-return-redirect": "1", "x-forwarded-for": "203.0.113.10" }
    statuses.push((await send("/auth/callback/credentials", { method: "POST", body, headers })).status)
  }
  expect(statuses.filter((status) => status === 429)).toHaveLength(2)
})
