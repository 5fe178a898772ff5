import fc from "fast-check"
import { origins } from "../world/names.js"
import { steps } from "./step.js"

const alphabets = { ascii: "a", ideographs: "漢", marks: "\u0301", emoji: "👩‍👧", nul: "\0", percent: "%" } as const

/** A route and a field that it reads. */
const targets = [
  ["signin/mail", "email"],
  ["callback/password", "username"],
  ["callback/password", "password"],
  ["signin/op", "callbackUrl"],
  ["callback/mail", "code"],
  ["callback/mail", "token"],
  ["callback/op", "state"],
  ["session", "data"],
  ["signout", "csrfToken"],
] as const

export const oversized = steps({
  does: "the attacker sends something enormous",
  data: fc.record({
    target: fc.constantFrom(...targets),
    of: fc.constantFrom(...(Object.keys(alphabets) as (keyof typeof alphabets)[])),
    length: fc.constantFrom(300, 300, 300, 12_000, 60_000),
    where: fc.constantFrom(
      "form" as const,
      "form" as const,
      "json" as const,
      "query" as const,
      "cookie" as const,
      "cookies" as const,
    ),
    domain: fc.boolean(),
  }),
  async run({ users, send }, { target: [path, field], of, length, where, domain }) {
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
