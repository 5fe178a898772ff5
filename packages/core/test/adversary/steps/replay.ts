import fc from "fast-check"
import { startsSession } from "../world/exchange.js"
import { Violation } from "../world/violation.js"
import { steps } from "./step.js"

export const replay = steps({
  does: "the attacker sends a callback again, with the cookies of then",
  data: fc.nat(7),
  async run({ spent, exchanges, send }, index) {
    const exchange = spent[index]
    // A password may be used again.
    if (exchange === undefined || exchange.url.pathname.endsWith("/password")) return
    const { url, method, headers, sent } = exchange
    await send(new Request(url, { method, headers, ...(method === "POST" && { body: sent }) }))
    const again = exchanges.at(-1)
    if (again !== undefined && startsSession(again)) throw new Violation("used-once", `${method} ${url.href}`)
  },
})
