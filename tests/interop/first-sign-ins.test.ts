import { memoryAdapter } from "@latchkey/adapter-kit"
import type { Adapter } from "@latchkey/core/adapters"
import { createProvider, visit } from "@latchkey/testing"
import { describe, expect, test } from "vitest"
import { ClassAdapter } from "../../packages/adapter-kit/test/class-adapter.js"
import { around } from "../crash-safety/faulty.js"
import { signal } from "../signal.js"
import { secret } from "./applications.js"
import { stores } from "./stores.js"

const all = [
  ...stores,
  { name: "a class with the methods of v5", open: async (): Promise<Adapter> => new ClassAdapter() },
  { name: "the memory adapter", open: async (): Promise<Adapter> => memoryAdapter() },
]

/** A clock of its own makes a process of its own. */
async function processOver(adapter: Adapter, sleep: () => Promise<void>) {
  const op = createProvider()
  const runtime = { now: () => Date.now(), sleep }
  const browser = await visit({
    adapter,
    secret,
    providers: [op.provider()],
    session: { strategy: "database" },
    runtime,
  })
  return { browser, signIn: () => browser.signInWith(op, { as: "ada" }) }
}

describe.each(all)("$name", ({ open }) => {
  test.each(["getUserByEmail", "linkAccount"])(
    "a first sign-in finds the user that another process stores, also while that one is before %s",
    async (method) => {
      const adapter = await open()
      const [asleep, awake] = [signal(), signal()]
      const other = await processOver(adapter, () => {
        asleep.send()
        return awake.sent
      })
      let rest: Promise<unknown> | undefined
      const interrupted = around(adapter, async (name, run) => {
        // A transaction keeps other processes out.
        const isBefore = name === method || (name === "transaction" && method === "linkAccount")
        if (rest === undefined && isBefore) await Promise.race([(rest = other.signIn()), asleep.sent])
        return run()
      })
      const one = await processOver(interrupted, () => Promise.resolve())
      await one.signIn()
      awake.send()
      await rest
      const user = { email: "ada@example.test" }
      expect(await Promise.all([one.browser.session(), other.browser.session()])).toMatchObject([{ user }, { user }])
    },
  )
})
