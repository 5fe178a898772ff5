import { env } from "cloudflare:workers"
import type { Adapter } from "@latchkey/core/adapters"
import { d1 } from "@latchkey/sql/d1"

/** D1 instead of SQLite. It reports each call to the suite, which answers whether the database is down. */
export function sqlite(): Adapter {
  return new Proxy(d1(env.DB), {
    get(target, name, receiver) {
      const method: unknown = Reflect.get(target, name, receiver)
      if (typeof method !== "function") return method
      return async (...given: unknown[]): Promise<unknown> => {
        const { ok } = await env.SUITE.fetch(`http://suite/${String(name)}`)
        if (!ok) throw new Error("The store is down.")
        return method.apply(target, given)
      }
    },
  })
}
