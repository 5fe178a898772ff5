import { createProvider } from "@latchkey/testing"
import { expect } from "vitest"
import { attack } from "../../../../tests/attack.js"
import { location } from "../http/app.js"
import { bare } from "./surface-setup.js"

attack(
  "DOS-04",
  "while the provider is down a thousand sign-ins send it a handful of requests, and later ones two a minute",
  async (mode) => {
    const faults = {
      "an error": { discovery: () => new Response("down", { status: 503 }) },
      "no response": {
        answer: () => {
          throw new TypeError("fetch failed")
        },
      },
      "no JSON": { discovery: () => new Response("<html>") },
    }
    for (const [at, fault] of Object.values(faults).entries()) {
      const op = createProvider({ faults: fault })
      let now = Date.parse("2026-01-01")
      const { post } = bare(mode, {
        rateLimit: false,
        providers: [op.provider()],
        runtime: { now: () => now },
      })
      // A thousand with one kind of failure, because the others lead to the same breaker.
      for (let count = at === 0 ? 1000 : 100; count > 0; count--) {
        expect(location(await post("/auth/signin/op"))).toContain("error=Configuration")
      }
      expect(op.requests.length).toBe(5)
      now += 31_000
      await Promise.all(Array.from({ length: 50 }, () => post("/auth/signin/op")))
      expect(op.requests.length).toBe(6)
    }
  },
)
