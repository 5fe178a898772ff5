import fc from "fast-check"
import { origins } from "../world/names.js"
import { steps } from "./step.js"

const alphabets = { ascii: "a", ideographs: "漢", marks: "\u0301", emoji: "👩‍👧", nul: "\0", percent: "%" } as const
const fields = ["email", "username", "password", "callbackUrl", "csrfToken", "code", "token", "data", "state"]
const paths = [
  "signin/mail",
  "callback/mail",
  "callback/password",
  "callback/op",
  "signin/op",
  "signout",
  "session",
  "csrf",
]

export const oversized = steps({
  does: "the attacker sends something enormous",
  data: fc.record({
    path: fc.constantFrom(...paths),
    field: fc.constantFrom(...fields),
    of: fc.constantFrom(...(Object.keys(alphabets) as (keyof typeof alphabets)[])),
    length: fc.constantFrom(300, 300, 300, 300, 5_000, 60_000),
    where: fc.constantFrom("form" as const, "json" as const, "query" as const, "cookie" as const, "cookies" as const),
    domain: fc.boolean(),
  }),
  async run({ users, send }, { path, field, of, length, where, domain }) {
    const { browser } = users.mallory
    const csrfToken = (await browser.csrf()) ?? ""
    const use = { url: new URL(`${origins.app}/auth/`), method: "POST", sameSite: true, navigation: true }
    const own = browser.jar.header(use)
    const text = `${domain ? "x@" : ""}${alphabets[of].repeat(length)}${domain ? ".test" : ""}`
    const values = { csrfToken, email: "x@mail.test", username: "x", ...(where !== "query" && { [field]: text }) }
    const many = Array.from({ length: Math.min(length, 600) }, (_, index) => `c${index}=1`).join("; ")
    const cookie = { cookies: `${own}; ${many}`, cookie: `${own}; __Secure-authjs.${field}=${"a".repeat(length)}` }
    const url = `${origins.app}/auth/${path}${where === "query" ? `?${field}=${encodeURIComponent(text)}` : ""}`
    const isJson = where === "json"
    const headers = {
      cookie: where === "cookie" || where === "cookies" ? cookie[where] : own,
      "content-type": isJson ? "application/json" : "application/x-www-form-urlencoded",
    }
    const body = isJson ? JSON.stringify(values) : new URLSearchParams(values).toString()
    await send(new Request(url, { method: "POST", headers, body }))
  },
})
