import { describe, expect, test } from "vitest"
import type { CredentialsConfig } from "../model/credentials-provider.js"
import { makeProvider } from "../config/read-providers.js"
import { resolveProvider } from "../config/resolve-provider.js"
import { systemRuntime } from "../primitives/runtime.js"
import { identifiersOf } from "./identifier.js"

function identifiers(form: CredentialsConfig["credentials"], typed: Record<string, unknown>, rest = {}) {
  const given: CredentialsConfig = {
    id: "pw",
    name: "Password",
    type: "credentials",
    credentials: form,
    authorize: () => null,
    ...rest,
  }
  const provider = resolveProvider(makeProvider(given), { providers: [] }, systemRuntime)
  return provider.type === "credentials" ? identifiersOf(provider, typed) : undefined
}

const form = { username: {}, password: { type: "password" } }

test.each(["Ada", "ada ", " ADA\n", "Ａｄａ", "ádà", "a\u200Bda"])("%j counts as ada", (username) => {
  expect(identifiers(form, { username, password: "x" })).toEqual(["pw ada"])
})

test("an array or a number counts as the text that JavaScript converts it to", () => {
  expect(identifiers(form, { username: ["ada"] })).toEqual(["pw ada"])
  expect(identifiers(form, { username: [["ada"]] })).toEqual(["pw ada"])
  expect(identifiers(form, { username: 7 })).toEqual(["pw 7"])
})

test.each([{ username: {} }, { username: null }, { username: "" }, {}])("%j contains no identifier", (typed) => {
  expect(identifiers(form, typed)).toEqual([])
})

describe("the field of the identifier", () => {
  test("is every field with a usual name, because `authorize` may use any of them", () => {
    const both = { email: {}, username: {}, password: { type: "password" } }
    expect(identifiers(both, { email: "any@app.test", username: "ada" })).toEqual(["pw any@app.test", "pw ada"])
    expect(identifiers(both, { email: "ada", username: "ada" })).toEqual(["pw ada"])
  })

  test.each(["username", "email", "login", "user", "identifier", "account", "phone", "name"])(
    "can be named %s, in lower or upper case",
    (name) => {
      const form = { realm: {}, [name]: {}, [name.toUpperCase()]: {} }
      const typed = { realm: "north", [name]: "ada", [name.toUpperCase()]: "bob" }
      expect(identifiers(form, typed)).toEqual(["pw ada", "pw bob"])
    },
  )

  test("is never a submitted field that the form doesn't have", () => {
    expect(identifiers(form, { email: "bob", username: "ada", password: "x" })).toEqual(["pw ada"])
  })

  test("can have an unknown type, because browsers show such a field as text", () => {
    expect(identifiers({ code: { type: "new-password" }, pin: {} }, { code: "7", pin: "8" })).toEqual(["pw 7"])
    expect(identifiers({ code: { type: "hidden-or-not" }, pin: {} }, { code: "7", pin: "8" })).toEqual(["pw 7"])
  })

  test("is otherwise the first field that is neither a password nor hidden", () => {
    const unusual = { token: { type: "hidden" }, pass: { type: "password" }, badge: {}, office: {} }
    expect(identifiers(unusual, { token: "t", pass: "p", badge: "7", office: "north" })).toEqual(["pw 7"])
    expect(identifiers({ pin: { type: "password" } }, { pin: "1234" })).toEqual([])
  })

  test("is found by its usual name, in any case, when the provider declares no fields", () => {
    expect(identifiers({}, { userName: "ada", password: "x" })).toEqual(["pw ada"])
    expect(identifiers({}, { handle: "ada", password: "x" })).toEqual([])
  })

  test("is ignored when the provider has an `identifier` function", () => {
    const rest = { identifier: ({ handle }: Readonly<Record<string, unknown>>) => String(handle) }
    expect(identifiers(form, { handle: "Grace", username: "ada" }, rest)).toEqual(["pw grace"])
    expect(identifiers(form, { username: "ada" }, { identifier: () => undefined })).toEqual([])
  })
})
