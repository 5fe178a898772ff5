import { createHash } from "node:crypto"
import type { MemoryAdapter } from "@latchkey/adapter-kit/memory"
import { Auth } from "@latchkey/core"
import type { Adapter } from "@latchkey/core/adapters"
import { type Browser, createAuthenticator, openBrowser } from "@latchkey/testing"
import { expect } from "vitest"
import { attack } from "../../../../tests/attack.js"
import { emailOf, hasSession } from "../flows/signin/setup.js"
import { answer, issue, send } from "../methods/webauthn/setup.js"
import { withoutUniqueTokens } from "./token-tables.js"
import { ada, adaWithPasskey, assertRefused, passkeySite, type PasskeySite, plant } from "./webauthn-setup.js"

/** The application as a new process that shares the database would run it. */
function otherProcess({ config, clock, browser }: PasskeySite, adapter: Adapter): Browser {
  // Sites with different clocks share no memory.
  const runtime = { ...clock.runtime, now: () => clock.now() }
  const handle = (request: Request) => Auth(request, { ...config, adapter, runtime })
  return openBrowser({ origin: browser.origin, handle, clock })
}

/** Stops before it writes a row of a used challenge, until it's released. */
function paused(store: MemoryAdapter): {
  readonly adapter: Adapter
  readonly reached: Promise<void>
  readonly release: () => void
} {
  let [reach, release] = [() => {}, () => {}]
  const reached = new Promise<void>((resolve) => (reach = resolve))
  const released = new Promise<void>((resolve) => (release = resolve))
  const createVerificationToken: MemoryAdapter["createVerificationToken"] = async (row) => {
    reach()
    await released
    return store.createVerificationToken(row)
  }
  return { adapter: { ...store, createVerificationToken }, reached, release }
}

attack("WAN-05", "a used answer isn't accepted while another process checks a copy of it", async (mode) => {
  const its = await passkeySite(mode)
  const authenticator = await adaWithPasskey(its, createAuthenticator({ counter: false }))
  const browser = its.browser.fresh()
  const captured = await answer(authenticator, await issue(browser, { action: "authenticate" }))
  const { cookies } = browser
  await send(browser, "authenticate", captured)
  expect(await emailOf(browser)).toBe(ada)
  const { adapter, reached, release } = paused(its.store)
  const [first, second] = [otherProcess(its, adapter), otherProcess(its, its.store)]
  plant(first, cookies)
  plant(second, cookies)
  const sent = send(first, "authenticate", captured)
  await reached
  await send(second, "authenticate", captured)
  release()
  await sent
  assertRefused(first)
  assertRefused(second)
})

attack("WAN-05", "a used answer isn't accepted after two processes checked a copy at the same moment", async (mode) => {
  const its = await passkeySite(mode)
  const authenticator = await adaWithPasskey(its, createAuthenticator({ counter: false }))
  const browser = its.browser.fresh()
  const captured = await answer(authenticator, await issue(browser, { action: "authenticate" }))
  const pauses = [paused(its.store), paused(its.store)]
  const copies = pauses.map(({ adapter }) => otherProcess(its, adapter))
  for (const copy of copies) plant(copy, browser.cookies)
  const sent = copies.map((copy) => send(copy, "authenticate", captured))
  for (const { reached } of pauses) await reached
  for (const { release } of pauses) release()
  await Promise.all(sent)
  expect(copies.filter(hasSession)).toHaveLength(1)
  const late = otherProcess(its, its.store)
  plant(late, browser.cookies)
  await send(late, "authenticate", captured)
  assertRefused(late)
})

for (const kind of ["several rows", "one row"] as const) {
  attack("WAN-05", `a database that keeps ${kind} with one token doesn't accept an answer twice`, async (mode) => {
    const its = await passkeySite(mode)
    const authenticator = await adaWithPasskey(its, createAuthenticator({ counter: false }))
    const browser = its.browser.fresh()
    const captured = await answer(authenticator, await issue(browser, { action: "authenticate" }))
    const store = withoutUniqueTokens(its.store, kind === "one row")
    const sessions = []
    for (let count = 0; count < 4; count += 1) {
      const process = otherProcess(its, store)
      plant(process, browser.cookies)
      await send(process, "authenticate", captured)
      sessions.push(hasSession(process))
    }
    expect(sessions).toEqual([true, false, false, false])
  })
}

attack("T3-07", "an answer that an earlier release accepted isn't accepted again after the update", async (mode) => {
  const its = await passkeySite(mode)
  const authenticator = await adaWithPasskey(its, createAuthenticator({ counter: false }))
  const browser = its.browser.fresh()
  const issued = await issue(browser, { action: "authenticate" })
  const captured = await answer(authenticator, issued)
  const identifier = "webauthn-challenge"
  const token = createHash("sha256").update(`${identifier} ${issued.options.challenge}`).digest("hex")
  await its.store.createVerificationToken({ identifier, token, expires: new Date(its.clock.now() + 900_000) })
  for (let count = 0; count < 2; count += 1) {
    const updated = otherProcess(its, its.store)
    plant(updated, browser.cookies)
    await send(updated, "authenticate", captured)
    assertRefused(updated)
  }
})

/** The given calls of a new process fail, the first one being 1. */
function failingAt(store: MemoryAdapter, failures: readonly number[]): Adapter {
  let calls = 0
  return {
    ...store,
    createVerificationToken: async (row) => {
      calls += 1
      if (failures.includes(calls)) throw new Error("connection lost")
      return store.createVerificationToken(row)
    },
  }
}

attack(
  "WAN-05",
  "a database that keeps copies of a token and fails for a moment accepts no answer twice",
  async (mode) => {
    for (const failures of [[2], [2, 4]]) {
      const its = await passkeySite(mode)
      const authenticator = await adaWithPasskey(its, createAuthenticator({ counter: false }))
      const browser = its.browser.fresh()
      const captured = await answer(authenticator, await issue(browser, { action: "authenticate" }))
      const store = withoutUniqueTokens(its.store, false)
      const used = otherProcess(its, store)
      plant(used, browser.cookies)
      await send(used, "authenticate", captured)
      expect(await emailOf(used)).toBe(ada)
      const copy = otherProcess(its, failingAt(store, failures))
      plant(copy, browser.cookies)
      await send(copy, "authenticate", captured)
      assertRefused(copy)
    }
  },
)
