import { describe, expect, test } from "vitest"
import type { CredentialsConfig } from "../../model/credentials-provider.js"
import { makeProvider } from "../../config/read-providers.js"
import { resolveProvider } from "../../config/compile.js"
import { features } from "../../engine/features.js"
import { systemRuntime } from "../../primitives/runtime.js"
import { identifiersOf } from "./fields.js"

function identifiers(form: CredentialsConfig["credentials"], typed: Record<string, unknown>, rest = {}) {
  const given: CredentialsConfig = {
    id: "pw",
    name: "Password",
    type: "credentials",
    credentials: form,
    authorize: () => null,
    ...rest,
  }
  const provider = resolveProvider(features.providers, makeProvider(given), { providers: [] }, systemRuntime)
  return provider.type === "credentials" ? identifiersOf(provider, typed) : undefined
}

const form = { username: {}, password: { type: "password" } }

test.each(["Ada", "ada ", " ADA\n", "Ａｄａ", "ádà", "a\u200Bda", "ada\u{1F600}"])("%j counts as ada", (username) => {
  expect(identifiers(form, { username, password: "x" })).toEqual(["pw ada"])
})

test.each([
  ["strasse", "Straße"],
  ["strasse", "STRAẞE"],
  ["soren", "Søren"],
  ["łódź", "LODZ"],
  ["aeon", "Æon"],
  ["οδυσσευσ", "ΟΔΥΣΣΕΥΣ"],
  ["οδυσσεύς", "οδυσσευσ"],
  ["isik", "ışık"],
  ["finn", "ﬁnn"],
  ["ada1", "ada\u0967"],
  ["さくら", "サクラ"],
  ["𝐚da", "ad❶"],
])("%j counts as %j", (one, other) => {
  expect(identifiers(form, { username: one })).toEqual(identifiers(form, { username: other }))
})

test.each([
  ["ada", "adam"],
  ["анна", "инна"],
  ["佐藤", "斎藤"],
  ["민준", "민지"],
])("%j doesn't count as %j", (one, other) => {
  expect(identifiers(form, { username: one })).not.toEqual(identifiers(form, { username: other }))
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

  test("is also a submitted field with a usual name that the form doesn't have", () => {
    expect(identifiers(form, { email: "bob", username: "ada", password: "x" })).toEqual(["pw bob", "pw ada"])
  })

  test("is also a field with an email, whatever its name, but not a password", () => {
    const typed = { username: "any", contact: "Ada@APP.test", remember: "on", tenant: "acme", password: "a@b.test" }
    expect(identifiers(form, typed)).toEqual(["pw any", "pw ada@app.test"])
    expect(identifiers({}, { contact: "ada＠app.test", note: "a@b@c.test", tag: "@ada" })).toEqual(["pw ada@app.test"])
  })

  test("is one of ten at most", () => {
    const typed = Object.fromEntries(Array.from({ length: 11 }, (_, index) => [`f${index}`, "ada@app.test"]))
    expect(() => identifiers({}, typed)).toThrow("The form names the user in more than 10 fields. Send fewer")
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
    expect(identifiers({}, { "e-mail": "ada", password: "x" })).toEqual(["pw ada"])
    expect(identifiers({}, { badge: "ada", password: "x" })).toEqual([])
  })

  test("is ignored when the provider has an `identifier` function", () => {
    const rest = { identifier: ({ handle }: Readonly<Record<string, unknown>>) => String(handle) }
    expect(identifiers(form, { handle: "Grace", username: "ada" }, rest)).toEqual(["pw grace"])
    expect(identifiers(form, { username: "ada" }, { identifier: () => undefined })).toEqual([])
  })
})
