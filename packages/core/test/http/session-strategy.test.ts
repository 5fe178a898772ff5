import { memoryAdapter } from "@latchkey/adapter-kit/memory"
import { createProvider, visit } from "@latchkey/testing"
import { expect, test } from "vitest"

const sealed = /^[\w-]+\.\.[\w-]+\.[\w-]+\.[\w-]+$/

test.each([
  ["with an adapter, sessions are stored in the database", true, undefined, false],
  ["without an adapter, sessions are sealed in the cookie", false, undefined, true],
  ["with an adapter and strategy jwt, sessions are sealed in the cookie", true, "jwt", true],
] as const)("%s", async (_, hasAdapter, strategy, isSealed) => {
  const op = createProvider()
  const adapter = memoryAdapter()
  const browser = await visit({
    providers: [op.provider()],
    ...(hasAdapter && { adapter }),
    ...(strategy !== undefined && { session: { strategy } }),
  })
  await browser.signInWith(op, { as: "ada" })
  const cookie = browser.cookies.find(({ name }) => name.endsWith("session-token"))
  expect(sealed.test(cookie?.value ?? "")).toBe(isSealed)
  expect(adapter.rows().sessions).toHaveLength(isSealed ? 0 : 1)
})

test("a session token in the database has the form of a UUID by default, so it fits a column of that type", async () => {
  const op = createProvider()
  const adapter = memoryAdapter()
  const browser = await visit({ providers: [op.provider()], adapter })
  await browser.signInWith(op, { as: "ada" })
  expect(adapter.rows().sessions[0]?.sessionToken).toMatch(/^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/)
})

test("a session token that is stored as a hash has 32 random bytes", async () => {
  const op = createProvider()
  const browser = await visit({
    providers: [op.provider()],
    adapter: memoryAdapter(),
    security: { hashSessionTokens: true },
  })
  await browser.signInWith(op, { as: "ada" })
  const cookie = browser.cookies.find(({ name }) => name.endsWith("session-token"))
  expect(cookie?.value).toMatch(/^[0-9a-f]{64}$/)
})
