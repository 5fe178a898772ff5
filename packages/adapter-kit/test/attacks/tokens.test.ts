import { conformance } from "@latchkey/adapter-kit"
import { memoryAdapter } from "@latchkey/adapter-kit/memory"
import type { Adapter } from "@latchkey/core/adapters"
import { expect } from "vitest"
import { attack } from "../../../../tests/attack.js"
import { over } from "../defect.js"

/** The result of one case for this adapter. */
async function verdict(id: string, adapter: Adapter): Promise<string> {
  const found = conformance.find((one) => one.id === id)
  if (found === undefined) return `there is no case ${id}`
  return found.run(adapter).then(
    () => "kept",
    (error: unknown) => `broken: ${String(error)}`,
  )
}

/** Ways in which a key-value store could build its key. */
const keyings: readonly ((identifier: string, token: string) => string)[] = [
  (identifier) => identifier,
  (identifier, token) => `${identifier}:${token.toLowerCase()}`,
  (identifier, token) => `${identifier}:${token.trim()}`,
]

function keyedBy(keyOf: (typeof keyings)[number]): Adapter {
  const rows = new Map<string, Parameters<NonNullable<Adapter["createVerificationToken"]>>[0]>()
  return {
    ...memoryAdapter(),
    createVerificationToken: async (row) => (rows.set(keyOf(row.identifier, row.token), row), row),
    useVerificationToken: async ({ identifier, token }) => {
      const row = rows.get(keyOf(identifier, token)) ?? null
      rows.delete(keyOf(identifier, token))
      return row
    },
  }
}

attack("ADV-NA-08", "the suite finds a store whose key leaves the token out, whole or in part", async (mode) => {
  expect(mode).toBeDefined()
  for (const keyOf of keyings) {
    expect(await verdict("tokens.token", keyedBy(keyOf)), String(keyOf)).toMatch(/^broken: .*exactly/)
  }
  expect(
    await verdict(
      "tokens.token",
      keyedBy((identifier, token) => `${identifier}:${token}`),
    ),
  ).toBe("kept")
})

attack("ADV-NA-01", "the suite finds a store that looks a token up without its address", async (mode) => {
  expect(mode).toBeDefined()
  const careless = over((good) => ({
    useVerificationToken: async ({ token }) => {
      const row = good.rows().verificationTokens.find((one) => one.token === token)
      return row === undefined ? null : good.useVerificationToken(row)
    },
  }))
  expect(await verdict("tokens.identifier", careless())).toMatch(/^broken: /)
  expect(await verdict("tokens.identifier", memoryAdapter())).toBe("kept")
})

attack("MAIL-09", "the suite finds a store that returns an expired token with another end", async (mode) => {
  expect(mode).toBeDefined()
  const ends = [new Date(8.64e15), "2999-01-01", null, undefined, 0]
  for (const expires of ends) {
    const lying = over((good) => ({
      useVerificationToken: async (key) => {
        const row = await good.useVerificationToken(key)
        return row === null ? null : ({ ...row, expires } as never)
      },
    }))
    expect(await verdict("tokens.expired", lying()), String(expires)).toMatch(/^broken: /)
  }
  const forgetful = over(() => ({ useVerificationToken: async () => null }))
  expect(await verdict("tokens.expired", forgetful())).toBe("kept")
})

attack("ADV-BA-17", "the suite finds a store that reads a token first and removes it later", async (mode) => {
  expect(mode).toBeDefined()
  const slow = over((good) => ({
    useVerificationToken: async (key) => {
      const row = good
        .rows()
        .verificationTokens.find(({ identifier, token }) => identifier === key.identifier && token === key.token)
      await Promise.resolve()
      await good.useVerificationToken(key)
      return row ?? null
    },
  }))
  expect(await verdict("tokens.race", slow())).toMatch(/^broken: /)
  expect(await verdict("tokens.race", memoryAdapter())).toBe("kept")
})
