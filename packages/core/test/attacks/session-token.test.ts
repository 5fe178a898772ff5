import { expect } from "vitest"
import { attack } from "../../../../tests/attack.js"
import { sessionCookie } from "../modes/setup.js"
import { adaAt } from "./session-setup.js"

attack("SESS-03", "a session token has at least 128 random bits", async (mode) => {
  const tokens: string[] = []
  for (let left = 12; left > 0; left--) {
    const { browser } = await adaAt(mode, { session: { strategy: "database" } })
    const [random = ""] = sessionCookie(browser).split(".")
    tokens.push(random.replaceAll("-", ""))
  }
  for (const token of tokens) expect(token).toMatch(/^[0-9a-f]{32,}$/)
  // The version of a UUID would be the same in each.
  for (let digit = 0; digit < 32; digit++) expect(new Set(tokens.map((token) => token[digit])).size).toBeGreaterThan(1)
})
