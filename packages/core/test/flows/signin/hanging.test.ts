import { memoryAdapter } from "@latchkey/adapter-kit"
import { createProvider, visit } from "@latchkey/testing"
import { afterEach, beforeEach, expect, test, vi } from "vitest"
import { errorAt, hasSession, mailbox } from "./setup.js"

beforeEach(() => void vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] }))
afterEach(() => void vi.useRealTimers())

/** A function that never returns, and a promise for its first call. */
function hanging() {
  let tell = () => {}
  const asked = new Promise<void>((resolve) => {
    tell = resolve
  })
  const never = () => {
    tell()
    return new Promise<void>(() => undefined)
  }
  return { asked, never }
}

test("MAIL-11: a mailer that never answers times out after ten seconds, and its token is invalid", async () => {
  const { asked, never } = hanging()
  const store = memoryAdapter()
  const browser = await visit({ providers: [mailbox({ sendVerificationRequest: never }).provider], adapter: store })
  const done = browser.signIn("email", { email: "ada@example.test" })
  await asked
  expect(store.rows().verificationTokens).toHaveLength(1)
  await vi.advanceTimersByTimeAsync(10_000)
  await done
  expect(errorAt(browser)).toBe("/auth/signin EmailSignin")
  expect(store.rows().verificationTokens).toHaveLength(0)
})

test.each(["createUser", "linkAccount", "signIn"] as const)(
  "FAULT-07: a %s handler that never answers delays a sign-in by at most three seconds",
  async (name) => {
    const { asked, never } = hanging()
    const op = createProvider()
    const browser = await visit({ providers: [op.provider()], adapter: memoryAdapter(), events: { [name]: never } })
    const done = browser.signInWith(op, { as: "ada" })
    await asked
    await vi.advanceTimersByTimeAsync(3000)
    await done
    expect(hasSession(browser)).toBe(true)
  },
)

test("FAULT-07: with waitUntil, a handler that never answers delays nothing", async () => {
  const { never } = hanging()
  const kept: Promise<unknown>[] = []
  const op = createProvider()
  const browser = await visit({
    providers: [op.provider()],
    events: { signIn: never },
    waitUntil: (work) => void kept.push(work),
  })
  await browser.signInWith(op, { as: "ada" })
  expect(hasSession(browser)).toBe(true)
  expect(kept).toHaveLength(1)
})

test("FAULT-02: an adapter that never answers blocks the same user for at most ten seconds", async () => {
  const { asked, never } = hanging()
  // An adapter that serializes transactions would wait forever.
  const { transaction: _, ...store } = memoryAdapter()
  let [users, attempts] = [0, 0]
  const createUser: typeof store.createUser = async (user) => {
    users += 1
    if (users === 1) await never()
    return store.createUser(user)
  }
  const op = createProvider()
  const second = hanging()
  const signIn = () => {
    attempts += 1
    if (attempts === 2) void second.never()
    return true
  }
  const stuck = await visit({ providers: [op.provider()], adapter: { ...store, createUser }, callbacks: { signIn } })
  void stuck.signInWith(op, { as: "ada" })
  await asked
  const again = stuck.fresh()
  const done = again.signInWith(op, { as: "ada" })
  await second.asked
  for (let turn = 0; turn < 20; turn += 1) await new Promise(setImmediate)
  expect(users).toBe(1)
  await vi.advanceTimersByTimeAsync(10_000)
  await done
  expect(hasSession(again)).toBe(true)
})
