import { memoryAdapter } from "@latchkey/adapter-kit/memory"
import { frozenClock } from "@latchkey/testing"
import { expect, test } from "vitest"
import { loggerOf } from "../observability/logger.js"
import { hasSessions, revocation } from "./revocation.js"
import { recentSignInMs, assumedSignInTime } from "./live-session.js"

test.each(["createSession", "getSessionAndUser", "updateSession", "deleteSession"] as const)(
  "an adapter without %s can't store sessions",
  (method) => {
    const store = memoryAdapter()
    expect(hasSessions(store)).toBe(true)
    expect(hasSessions({ ...store, [method]: undefined })).toBe(false)
  },
)

test("a session ID is valid until its expiry and invalid from then on", async () => {
  const clock = frozenClock()
  const store = memoryAdapter()
  await store.createUser({ id: "u1", email: "ada@app.test", emailVerified: null })
  const { issue, holds } = revocation({
    adapter: store,
    runtime: { now: clock.now, uuid: () => "sid" },
    logger: loggerOf({}),
  })
  const sid = await issue("u1", new Date(clock.now() + 1000))
  clock.advance(999)
  expect(await holds(sid)).toBe(true)
  clock.advance(1)
  expect(await holds(sid)).toBe(false)
})

test("a sign-in at an unknown time doesn't count as recent", () => {
  expect(recentSignInMs).toBe(900_000)
  expect(assumedSignInTime(2_000_000)).toBeLessThan(2_000_000 - recentSignInMs)
})
