import { memoryAdapter } from "@latchkey/adapter-kit/memory"
import { frozenClock } from "@latchkey/testing"
import { expect, test } from "vitest"
import { hasSessions, revocation } from "./revocation.js"
import { recentSignInMs, assumedSignInTime } from "./live-session.js"

test.each(["createSession", "getSessionAndUser", "updateSession", "deleteSession"] as const)(
  "a store without %s cannot keep sessions",
  (method) => {
    const store = memoryAdapter()
    expect(hasSessions(store)).toBe(true)
    expect(hasSessions({ ...store, [method]: undefined })).toBe(false)
  },
)

test("a sealed session is known to the store up to its end, and not at it", async () => {
  const clock = frozenClock()
  const store = memoryAdapter()
  await store.createUser({ id: "u1", email: "ada@app.test", emailVerified: null })
  const { issue, holds } = revocation(store, { now: clock.now, uuid: () => "sid" })
  const sid = await issue("u1", new Date(clock.now() + 1000))
  clock.advance(999)
  expect(await holds(sid)).toBe(true)
  clock.advance(1)
  expect(await holds(sid)).toBe(false)
})

test("a sign-in at an unknown time is no recent one", () => {
  expect(recentSignInMs).toBe(900_000)
  expect(assumedSignInTime(2_000_000)).toBeLessThan(2_000_000 - recentSignInMs)
})
