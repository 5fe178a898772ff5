import { expect } from "vitest"
import { attack } from "../../../../tests/attack.js"
import { sessionCookie } from "../modes/setup.js"
import { adaAt } from "./session-setup.js"

attack("SESS-03", "a session token has at least 128 random bits", async (mode) => {
  const { browser } = await adaAt(mode, { session: { strategy: "database" } })
  const [random = ""] = sessionCookie(browser).split(".")
  expect(random).toMatch(/^[0-9a-f]{32,}$/)
})
