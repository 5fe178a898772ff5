import type { JWT, User } from "@latchkey/core/types"
import { createProvider, faults, type Fault } from "@latchkey/testing"
import { afterEach, expect } from "vitest"
import { attack } from "../../../../tests/attack.js"
import { csrfPair, op, typed } from "../http/app.js"
import { bare, form, site } from "./surface-setup.js"

/** `Object.prototype` without additions. */
const clean = Object.getOwnPropertyNames(Object.prototype)

function expectClean(): void {
  const plain: Record<string, unknown> = {}
  expect([plain["p"], plain["admin"], plain["polluted"]]).toEqual([undefined, undefined, undefined])
  expect(Object.getOwnPropertyNames(Object.prototype)).toEqual(clean)
}

afterEach(expectClean)

/** The keys of a value, at every depth. */
function keysOf(value: unknown): readonly string[] {
  if (typeof value !== "object" || value === null) return []
  return Object.getOwnPropertyNames(value).flatMap((key) => [key, ...keysOf(Reflect.get(value, key))])
}

/** A careless deep merge, as an application might have one. */
function merge(target: Record<string, unknown>, source: unknown): void {
  if (typeof source !== "object" || source === null) return
  for (const [key, value] of Object.entries(source)) {
    const own = target[key]
    if (typeof value === "object" && value !== null && (typeof own === "object" || typeof own === "function")) {
      merge(own as Record<string, unknown>, value)
    } else Object.assign(target, { [key]: value })
  }
}

const json = '"__proto__":{"p":1,"admin":true},"constructor":{"prototype":{"p":1}},"a":{"__proto__":{"p":1}}'

attack("ADV-BA-24", "prototype keys in JSON reach no callback, at any depth", async (mode) => {
  const seen: unknown[] = []
  const authorize = (credentials: unknown) => {
    seen.push(credentials)
    merge({}, credentials)
    return null
  }
  const provider = { id: "c", name: "C", type: "credentials" as const, credentials: { name: {} }, authorize }
  const { send } = bare(mode, { providers: [provider] })
  const { token, cookie } = await csrfPair(send)
  const post = async (body: string, type: string) =>
    send("/auth/callback/c", { ...form(body, type), headers: { "content-type": type, cookie } })
  await post(`{"csrfToken":"${token}","constructor.prototype.p":1,${json}}`, "application/json")
  await post(`{"csrfToken":"${token}","\\u005f_proto__":{"p":1}}`, "application/json")
  const fields = new URLSearchParams({
    csrfToken: token,
    ["__proto__"]: "x",
    "__proto__[p]": "1",
    "constructor[prototype][p]": "1",
  })
  await post(`${fields.toString()}&__proto__=x&__proto__.p=1`, "application/x-www-form-urlencoded")
  const part = (name: string, value: string) =>
    `--of-the-form\r\ncontent-disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`
  await post(
    `${part("csrfToken", token)}${part("__proto__", "x")}--of-the-form--`,
    "multipart/form-data; boundary=of-the-form",
  )
  // An object as a credential is refused, whatever its keys.
  expect(seen).toHaveLength(3)
  for (const credentials of seen) {
    expect(keysOf(credentials)).not.toContain("__proto__")
    expect(keysOf(credentials)).not.toContain("prototype")
    expect(Object.getPrototypeOf(credentials)).toBe(Object.prototype)
  }
})

attack("ADV-BA-24", "prototype keys in a session update change nothing else", async (mode) => {
  const seen: unknown[] = []
  const jwt = ({ token, session }: { token: JWT; session?: unknown }) => {
    if (session !== undefined) seen.push(session)
    merge(token, session)
    return token
  }
  const { browser } = await site(mode, {
    session: { strategy: "jwt" },
    callbacks: { jwt },
    providers: [typed],
    adapter: undefined,
  })
  await browser.signIn("credentials", { name: "ada", password: "open" })
  const csrfToken = (await browser.csrf()) ?? ""
  const body = `{"csrfToken":"${csrfToken}","data":{"name":"eve",${json}}}`
  const headers = { "content-type": "application/json" }
  expect((await browser.fetch("/auth/session", { method: "POST", body, headers })).status).toBe(200)
  expect(seen).toHaveLength(1)
  expect(keysOf(seen)).not.toContain("__proto__")
  expect(keysOf(seen)).not.toContain("prototype")
})

attack("ADV-BA-24", "prototype keys in a query or path find nothing", async (mode) => {
  const { get, post } = bare(mode)
  for (const query of ["__proto__[p]=1", "__proto__=x", "constructor[prototype][p]=1", "__proto__.p=1"]) {
    for (const action of ["signin", "signout", "error", "session", "providers", "csrf", "verify-request"])
      expect((await get(`/auth/${action}?${query}`)).status).toBeLessThan(500)
    expect((await post(`/auth/signin/${op.id}?${query}`)).status).toBe(302)
  }
  for (const name of Object.getOwnPropertyNames(Object.prototype)) {
    for (const path of [`/auth/${name}`, `/auth/signin/${name}`, `/auth/callback/${name}`]) {
      expect((await get(path)).status).toBe(404)
      expect((await post(path)).status).toBe(404)
    }
    expect((await get(`/auth/error?error=${name}`)).status).toBeLessThan(500)
    expect((await get(`/auth/signin?error=${name}`)).status).toBe(200)
    expect((await get("/auth/session", { cookie: `${name}=x; __Host-authjs.session-token.${name}=x` })).status).toBe(
      200,
    )
  }
})

const told: Readonly<Record<string, Fault>> = {
  "an ID token": faults.polluting,
  "a token response": faults.pollutingTokenKeys,
  "a userinfo response": faults.userinfoPolluting,
}

attack("ADV-BA-24", "prototype keys from a provider pollute neither objects nor stored rows", async (mode) => {
  for (const fault of Object.values(told)) {
    for (const kind of ["oidc", "oauth"] as const) {
      const provider = createProvider({ faults: fault })
      const profile = (claims: unknown): User => {
        merge({}, { ...(claims as object), ["__proto__"]: undefined })
        return { id: "ada", email: "ada@example.test" }
      }
      const own = kind === "oidc" ? provider.provider() : provider.oauthProvider({ profile })
      const { browser, its } = await site(mode, { providers: [own] })
      await browser.signInWith(provider, { as: "ada" })
      expectClean()
      for (const row of [...its.adapter.rows().users, ...its.adapter.rows().accounts]) {
        expect(Object.getPrototypeOf(row)).toBe(Object.prototype)
        expect(Reflect.get(row, "p")).toBeUndefined()
        expect(Reflect.get(row, "admin")).toBeUndefined()
      }
    }
  }
})

attack("ADV-BA-24", "a provider id cannot be a property name of every object", async (mode) => {
  for (const id of ["__proto__", "constructor", "toString", "hasOwnProperty"]) {
    const { get, log } = bare(mode, { providers: [{ ...typed, id }] })
    expect((await get("/auth/providers")).status).toBe(500)
    expect(log.entries.some(({ text }) => text.includes("can't be used in a URL"))).toBe(true)
  }
})
