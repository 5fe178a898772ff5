import { describe, setCookies } from "../world/exchange.js"
import { origins } from "../world/names.js"
import { demands } from "../world/providers.js"
import { Violation } from "../world/violation.js"
import type { World } from "../world/world.js"

/** What the site demands of the provider is in the authorization request once, in one spelling, and as configured. */
export function parametersKept({ settings, exchanges }: World): void {
  if (!settings.demanding) return
  for (const exchange of exchanges) {
    const to = exchange.answer.get("location") ?? ""
    if (!to.startsWith(`${origins.op}/authorize`) || setCookies(exchange).length === 0) continue
    const sent = [...new URL(to).searchParams]
    for (const [name, value] of Object.entries(demands)) {
      const values = sent.filter(([key]) => plain(key) === plain(name)).map(([, given]) => given)
      if (values.length !== 1 || values[0] !== value)
        throw new Violation("parameters-kept", `${name} is ${JSON.stringify(values)}: ${describe(exchange)}`)
    }
  }
}

/** As a lenient server reads it. */
function plain(name: string): string {
  return name.toLowerCase().replace(/[^a-z]/g, "")
}
