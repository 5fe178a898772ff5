import type { Costs } from "../world/costs.js"
import { describe } from "../world/exchange.js"
import { Violation } from "../world/violation.js"
import type { World } from "../world/world.js"

/** Well above what an honest sign-in needs. */
const limits: Costs = { adapterCalls: 30, authorizeCalls: 1, providerRequests: 6, messages: 1, characters: 10_000 }

export function workBounded({ exchanges }: World): void {
  for (const exchange of exchanges) {
    const { costs } = exchange
    for (const [name, limit] of Object.entries(limits)) {
      const spent: number = Reflect.get(costs, name)
      if (spent > limit) throw new Violation("work-bounded", `${spent} ${name} for ${describe(exchange)}`)
    }
  }
}
