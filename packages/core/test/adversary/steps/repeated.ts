import fc from "fast-check"
import { startsSession } from "../world/exchange.js"
import { Violation } from "../world/violation.js"
import { submit } from "./forms.js"
import { steps } from "./step.js"

export const repeatedParams = steps({
  does: "a callback arrives with a parameter twice",
  data: fc.record({
    name: fc.constantFrom("code", "state", "iss"),
    value: fc.constantFrom("same" as const, "other" as const),
    where: fc.constantFrom("before" as const, "after" as const, "body" as const),
  }),
  async run({ users, providers, exchanges }, { name, value, where }) {
    const { browser } = users.mallory
    await submit(users.mallory, "/auth/signin/op")
    if (!browser.location.startsWith(providers.op.issuer)) return
    const answer = await providers.op.authorize(browser.location, { as: "mallory" })
    if (answer.method !== "GET") return
    const url = new URL(answer.location)
    const again = value === "same" ? (url.searchParams.get(name) ?? "") : "another"
    users.mallory.hasProved = true
    if (where === "body") await browser.post(url, { [name]: again }, { from: providers.op.issuer })
    else {
      const params = [...url.searchParams]
      const extra: [string, string] = [name, again]
      url.search = new URLSearchParams(where === "before" ? [extra, ...params] : [...params, extra]).toString()
      await browser.get(url, { from: providers.op.issuer })
    }
    if (exchanges.some((exchange) => exchange.url.pathname.includes("/callback/") && startsSession(exchange)))
      throw new Violation("parameters-kept", `A session from a callback with "${name}" twice (RFC 6749 §3.1)`)
  },
})
