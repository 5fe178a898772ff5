import { memoryAdapter } from "../packages/adapter-kit/src/memory.js"
import { defineModule, integer, record, text } from "../packages/core/src/module.js"

export interface Counter {
  /** Adds one, and returns the new count. */
  add(name: string): Promise<number>
}

const records = { counts: record({ name: text(), count: integer() }, { key: ["name"] }) }

/** A module whose member needs its records. */
export const counter = () =>
  defineModule<"counter", Counter, typeof records>({
    id: "counter",
    records,
    members: ["add"],
    load: async () => ({
      server: ({ records: { counts } }) => ({
        async add(name) {
          const before = await counts.get({ name })
          if (before === null) await counts.insert({ name, count: 1 })
          else await counts.swap(before, { count: before.count + 1 })
          return (before?.count ?? 0) + 1
        },
      }),
    }),
  })

/** A configuration whose modules store something. */
export const counting = () => ({
  secret: "k0Wc5v2uYl1u8mQ7o3nT9xZ4hB6sD1fGp2RjE8tLqVw",
  trustHost: true,
  adapter: memoryAdapter(),
  providers: [],
  modules: [counter()],
})
