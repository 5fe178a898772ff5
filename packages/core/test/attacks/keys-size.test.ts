import { expect } from "vitest"
import { attack } from "../../../../tests/attack.js"
import { outcome } from "../flows/oauth/app.js"
import { penOf } from "./keys-setup.js"
import { world } from "./openid-setup.js"

const pen = await penOf("RS256", "padded")

attack("OIDC-16", "at most 64 kB of a key set are read", async (mode) => {
  for (const [filler, fate] of [
    [60, "home"],
    [65, "Configuration"],
  ] as const) {
    const { op, browser } = await world(mode)
    const keys = { keys: [pen.published], filler: "x".repeat(filler * 1024) }
    op.inject({ jwks: () => Response.json(keys), idToken: ({ claims }) => pen.write({}, claims) })
    await browser.signInWith(op, { as: "ada" })
    expect(outcome(browser)).toBe(fate)
  }
})
