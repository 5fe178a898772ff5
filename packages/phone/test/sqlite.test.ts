import type { AuthConfig } from "@latchkey/core/types"
import { sqlite } from "@latchkey/sql/sqlite"
import { visit } from "@latchkey/testing"
import { expect, test } from "vitest"
import { phone } from "../src/index.js"
import { ada, ask, enter, isSignedIn, modes } from "./site.js"

test.each(modes)("a user without an email signs up and in, with SQLite (%s)", async (security) => {
  const codes: string[] = []
  const adapter = sqlite(":memory:")
  const config: AuthConfig = {
    secret: "k0Wc5v2uYl1u8mQ7o3nT9xZ4hB6sD1fGqR8eJ2aV5pLw",
    url: "https://app.test/auth",
    security,
    rateLimit: false,
    adapter,
    session: { strategy: "database" },
    providers: [],
    modules: [phone({ send: ({ code }) => void codes.push(code) })],
  }
  const ids = new Set<string | undefined>()
  for (const browser of [await visit(config), await visit(config)]) {
    await ask(browser, ada)
    await enter(browser, codes.at(-1) ?? "")
    expect(await isSignedIn(browser)).toBe(true)
    ids.add((await adapter.getUserByAccount?.({ provider: "phone", providerAccountId: ada }))?.id)
  }
  expect([ids.size, ids.has(undefined)]).toEqual([1, false])
  const browsers = await Promise.all(Array.from({ length: 20 }, async () => visit(config)))
  for (const browser of browsers) await ask(browser, "+447700900999")
  await Promise.all(browsers.map(async (browser, index) => enter(browser, codes.at(index - 20) ?? "")))
  const sessions = await Promise.all(browsers.map(isSignedIn))
  expect(sessions).not.toContain(false)
  const owner = await adapter.getUserByAccount?.({ provider: "phone", providerAccountId: "+447700900999" })
  expect(await adapter.listSessions?.(owner?.id ?? "")).toHaveLength(20)
})
