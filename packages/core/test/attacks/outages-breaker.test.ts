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
    for (const fault of Object.values(faults)) {
      const op = createProvider({ faults: fault })
      let now = Date.parse("2026-01-01")
      const { post } = bare(mode, {
        rateLimit: false,
        providers: [op.provider()],
        runtime: { now: () => now },
      })
      for (let at = 0; at < 1000; at++) {
        expect(location(await post("/auth/signin/op"))).toContain("error=Configuration")
      }
      expect(op.requests.length).toBe(5)
      now += 31_000
      await Promise.all(Array.from({ length: 50 }, () => post("/auth/signin/op")))
      expect(op.requests.length).toBe(6)
    }
  },
)
