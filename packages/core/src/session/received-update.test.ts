import { captureLog } from "@latchkey/testing"
import { describe, expect, test } from "vitest"
import { compile } from "../../test/compile.js"
import type { LiveSession } from "../model/session-strategy.js"
import { receivedUpdate } from "./received-update.js"

const expires = Date.parse("2026-01-31T00:00:00.000Z")
const common = { token: "t", userId: "1", expires, authenticatedAt: undefined, outdated: false }

const sealed = (claims: object): LiveSession => ({
  ...common,
  content: { kind: "sealed", claims: { ...claims }, text: "" },
})
const stored: LiveSession = {
  ...common,
  content: {
    kind: "stored",
    session: { sessionToken: "t", userId: "1", expires: new Date(expires) },
    user: { id: "1", email: "ada@app.test", emailVerified: new Date(0) },
  },
}
const plain = sealed({ sub: "1", email: "ada@app.test" })
const nested = sealed({ sub: "1", user: { id: 42, userId: "u42", email: "ada@app.test", email_verified: true } })

function received(data: unknown, live: LiveSession = plain, security: "compatible" | "strict" = "compatible") {
  const log = captureLog()
  const auth = compile({
    // Each site logs the removed fields once a minute.
    secret: `${crypto.randomUUID()}${crypto.randomUUID()}`,
    url: "https://app.test",
    providers: [],
    security,
    logger: log.logger,
  })
  const kept: unknown = receivedUpdate(auth, data, live)
  return { kept, text: log.entries.find(({ message }) => message === "update-fields-removed")?.text ?? "" }
}

const stays: readonly (readonly [what: string, data: unknown, live?: LiveSession])[] = [
  ["text", "sub"],
  ["a list", [{ sub: "2" }]],
  [
    "a name, an image and fields of the application",
    { name: "A", image: "/a.png", picture: "/a", role: "x", theme: {} },
  ],
  ["nested objects", { organization: { id: "2", sub: "2" }, carts: [{ id: "2" }] }],
  ["`user` as text or a list", { user: "2" }],
  ["a list as `user`", { user: [{ id: "2" }] }],
  ["a `user` in a part with the id of the user", { a: [{ user: { id: "1", email: "ada@app.test" } }] }],
  ["the id of the user under each name", { sub: "1", id: "1", userId: "1", user: { sub: "1", id: "1", userId: "1" } }],
  ["the id of the user as a number", { id: 1, user: { id: 1 } }],
  [
    "an id of the application",
    { id: "x", userId: "y", user: { id: "x", userId: "y" } },
    sealed({ id: "x", userId: "y" }),
  ],
  ["an id in the claim `user`", { user: { id: "42", userId: "u42" } }, nested],
  [
    "the id of the claim `user` under a name that no claim has",
    { user: { userId: "42" } },
    sealed({ user: { id: 42 } }),
  ],
  ["the email of the user", { email: "ada@app.test", user: { email: "ada@app.test" } }],
  ["the email in the claim `user`", { user: { email: "ada@app.test", email_verified: true } }, nested],
  ["an email that is `null`", { email: null, user: { email: null } }, sealed({ email: null })],
  ["the stored user", { user: { id: "1", email: "ada@app.test", emailVerified: "1970-01-01T00:00:00.000Z" } }, stored],
  [
    "the end of the session, and an earlier one",
    { expires: "2026-01-31T00:00:00.000Z", user: { expires: "2026-01-01" } },
  ],
  ["an end that isn't rounded", { expires: "2026-01-31T00:00:01.000Z" }],
]

const removed: readonly (readonly [what: string, data: object, live?: LiveSession])[] = [
  ...["sub", "id", "userId"].map((name) => [`another ${name}`, { [name]: "2" }] as const),
  ...["sub", "id", "userId"].map((name) => [`an empty ${name}`, { [name]: null }] as const),
  ...["email", "email_verified", "emailVerified"].map((name) => [`another ${name}`, { [name]: "x@app.test" }] as const),
  ...["exp", "iat", "nbf", "jti", "iss", "aud"].map((name) => [name, { [name]: 1 }] as const),
  ...["sid", "auth_time", "auth_time_assumed", "checked_at"].map((name) => [name, { [name]: 1 }] as const),
  ...["acr", "amr", "azp", "cnf", "nonce"].map((name) => [name, { [name]: "x" }] as const),
  ...["sessionToken", "constructor", "prototype"].map((name) => [name, { [name]: "x" }] as const),
  ["an id of another kind", { id: "1" }, sealed({ sub: "1", id: 77 })],
  ["an id of another kind as `userId`", { userId: 1 }, sealed({ sub: "1", userId: 77 })],
  ["__proto__", JSON.parse('{"__proto__":{"x":1}}') as object],
  ["an `aud` that the session has", { aud: "x" }, sealed({ aud: "x" })],
  ["a later end", { expires: "2026-01-31T00:00:01.001Z" }],
  ["an end that isn't a date", { expires: "x" }],
  ["an end that isn't text", { expires: 0 }],
  ["an email in other letters", { email: "Ada@app.test" }],
]

describe("data of an update", () => {
  for (const [what, data, live] of stays) {
    test(`keeps ${what}`, () => {
      expect(received(data, live)).toEqual({ kept: data, text: "" })
    })
  }

  for (const [what, data, live] of removed) {
    test(`loses ${what}`, () => {
      const [name = ""] = Object.keys(data)
      const top = received({ ...data, name: "A" }, live)
      expect(top.kept).toStrictEqual({ name: "A" })
      expect(top.text).toContain(`\`${name}\``)
      const inUser = received({ user: { ...data, name: "A" } }, live)
      expect(inUser.kept).toStrictEqual({ user: { name: "A" } })
      expect(inUser.text).toContain(`\`user.${name}\``)
      const deeper = received({ a: [{ b: { user: { ...data, name: "A" } } }] }, live)
      expect(deeper.kept).toStrictEqual({ a: [{ b: { user: { name: "A" } } }] })
      const anywhere = received({ a: [{ b: [{ ...data, name: "A" }] }] }, live, "strict")
      expect(anywhere.kept).toStrictEqual({ a: [{ b: [{ name: "A" }] }] })
      expect(anywhere.text).toContain(`\`….${name}\``)
    })
  }

  test.each(["__proto__", "constructor", "prototype"])("loses %s at any depth", (name) => {
    const data: unknown = JSON.parse(`{"a":[{"b":{"${name}":{"x":1},"c":2}}]}`)
    expect(received(data).kept).toStrictEqual({ a: [{ b: { c: 2 } }] })
  })

  test.each([null, undefined])("that is %s is undefined", (data) => {
    expect(received(data).kept).toBeUndefined()
  })

  test("can't move an id or email of the claim `user` to the top", () => {
    const data = { id: 42, userId: "u42", email: "ada@app.test", email_verified: true }
    expect(received(data, nested).kept).toEqual({})
    // A callback that spreads `user` would make them claims of the token.
    const own = sealed({ sub: "1", email: "ada@app.test", user: { sub: "2", email: "other@app.test" } })
    expect(received({ user: { sub: "2", email: "other@app.test" } }, own).kept).toEqual({ user: {} })
  })

  test("can name no user if the session has none", () => {
    const live: LiveSession = { ...sealed({}), userId: undefined }
    expect(received({ sub: "undefined", id: "1", email: "x" }, live).kept).toEqual({})
  })
})
