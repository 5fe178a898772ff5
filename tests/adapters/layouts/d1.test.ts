import { D1Adapter, up } from "@auth/d1-adapter"
import { allCapabilities, type Capability, testAdapter } from "@latchkey/adapter-kit"
import { d1 } from "@latchkey/sql/d1"
import { afterAll, describe, expect, test } from "vitest"
import { newD1 } from "../published/stores.js"

const closing: (() => Promise<void>)[] = []
afterAll(async () => {
  for (const close of closing) await close()
})

/** A database with the tables that `@auth/d1-adapter` creates. */
async function withTables() {
  const { binding, close } = await newD1()
  closing.push(close)
  await up(binding)
  return binding
}

/** What needs columns or tables that the plan adds. */
const missing: readonly Capability[] = [
  "transaction",
  "extraFields",
  "describeSession",
  "describeAuthenticator",
  "updateAuthenticator",
  "deleteAuthenticator",
]

/** The table of tokens has one token only once, whatever its identifier. */
const limits = ["tokens.collation"]
/** Without unique indexes, and without transactions. */
const races = ["users.email-race", "accounts.race"]

describe("the tables of @auth/d1-adapter", () => {
  testAdapter(
    {
      name: "as they are",
      create: async () => {
        const { createAuthenticator: _, ...adapter } = d1(await withTables())
        return adapter
      },
      capabilities: allCapabilities.filter((each) => !missing.includes(each)),
      skip: ["capabilities", ...limits, ...races],
    },
    { describe, test },
  )
  testAdapter(
    {
      name: "with what the plan adds",
      create: async () => {
        const adapter = d1(await withTables())
        await adapter.migrate()
        return adapter
      },
      capabilities: allCapabilities.filter((each) => each !== "transaction"),
      webauthn: true,
      skip: limits,
    },
    { describe, test },
  )

  test("keep users signed in, in both directions", async () => {
    const binding = await withTables()
    const [theirs, ours] = [D1Adapter(binding), d1(binding)]
    const expires = new Date(Date.now() + 60_000)
    const user = await theirs.createUser?.({ id: "", email: "ada@example.com", emailVerified: null })
    await theirs.createSession?.({ sessionToken: "old", userId: user?.id ?? "", expires })
    expect(await ours.getSessionAndUser("old")).toMatchObject({
      session: { expires },
      user: { email: "ada@example.com" },
    })
    const other = await ours.createUser({ id: crypto.randomUUID(), email: "mary@example.com", emailVerified: null })
    await ours.createSession({ sessionToken: "new", userId: other.id, expires })
    expect(await theirs.getSessionAndUser?.("new")).toMatchObject({ user: { id: other.id, email: "mary@example.com" } })
  })
})
