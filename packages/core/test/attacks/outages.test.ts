import type { FakeProvider } from "@latchkey/testing"
import { createProvider, hang } from "@latchkey/testing"
import { expect } from "vitest"
import { attack } from "../../../../tests/attack.js"
import { location } from "../http/app.js"
import { bare } from "./surface-setup.js"

const discoveries = (op: FakeProvider) => op.requestsTo("discovery").length

attack("DOS-04", "a thousand sign-ins request the metadata once", async (mode) => {
  const op = createProvider()
  const { post } = bare(mode, { providers: [op.provider()] })
  for (let at = 0; at < 1000; at++) await post("/auth/signin/op")
  expect(op.requests.map(({ endpoint }) => endpoint)).toEqual(["discovery"])
})

attack("DOS-04", "sign-ins that start while the metadata are loading share one request", async (mode) => {
  const slow = hang("discovery")
  const op = createProvider({ faults: slow.fault })
  const { post } = bare(mode, { providers: [op.provider()] })
  const waiting = Array.from({ length: 50 }, () => post("/auth/signin/op"))
  await slow.reached
  slow.release()
  for (const response of await Promise.all(waiting)) {
    expect(new URL(location(response) ?? "").origin).toBe(op.issuer)
  }
  expect(discoveries(op)).toBe(1)
})

attack(
  "DOS-04",
  "while the provider is down the application redirects to the error page, and sign-ins work again once it is back",
  async (mode) => {
    for (const status of [500, 502, 429]) {
      const op = createProvider()
      const heal = op.inject({ discovery: () => new Response("down", { status }) })
      let now = Date.parse("2026-01-01")
      const { post, log } = bare(mode, { providers: [op.provider()], runtime: { now: () => now } })
      const response = await post("/auth/signin/op")
      expect(location(response)).toBe("https://app.test/auth/error?error=Configuration")
      expect(log.entries.filter(({ level }) => level === "error")).toHaveLength(1)
      heal()
      now += 60_000
      expect(new URL(location(await post("/auth/signin/op")) ?? "").origin).toBe(op.issuer)
    }
  },
)

attack("DOS-04", "only a form with the CSRF token causes a request to the provider", async (mode) => {
  const op = createProvider()
  const { get, send } = bare(mode, { providers: [op.provider()] })
  for (let at = 0; at < 20; at++) {
    await get("/auth/signin/op")
    await get(`/auth/callback/op?code=c${at}&state=s${at}`)
    await get("/auth/callback/op?error=access_denied")
    await send("/auth/signin/op", { method: "POST" })
    await send("/auth/signin/op", { method: "HEAD" })
    await send("/auth/callback/op", { method: "POST", body: new URLSearchParams({ code: "c", state: "s" }) })
  }
  expect(op.requests).toEqual([])
})
