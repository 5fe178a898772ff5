import type { AuthConfig, LoggerInstance } from "@latchkey/core/types"
import { afterEach, beforeEach, expect, vi } from "vitest"
import { attack, type Mode } from "../../../../tests/attack.js"
import { appOf, whoIs, world } from "../modes/setup.js"
import { errorOf, hasSession } from "./faults-setup.js"

const names = ["signIn", "signOut", "createUser", "linkAccount", "session", "signInFailure"] as const

const unhandled: unknown[] = []
const note = (reason: unknown) => void unhandled.push(reason)
beforeEach(() => {
  unhandled.length = 0
  process.on("unhandledRejection", note)
})
afterEach(() => {
  process.off("unhandledRejection", note)
  vi.useRealTimers()
})

/** A sign-in, a session read, a failing callback and a sign-out have the same result as without observers. */
async function live(mode: Mode, rest: Partial<AuthConfig>): Promise<void> {
  const its = world()
  const browser = await appOf(its, { security: mode, logger: { error: () => undefined }, ...rest })
  await browser.signInWith(its.op, { as: "ada" })
  expect([errorOf(browser), await whoIs(browser)]).toEqual([null, "ada@example.test"])
  const other = browser.fresh()
  await other.get("/auth/callback/op?code=1&state=2")
  expect([other.location, hasSession(other)]).toEqual([
    "https://app.test/auth/error?error=Configuration&code=InvalidCheck",
    false,
  ])
  await browser.signOut()
  expect([browser.location, hasSession(browser), its.adapter.rows().sessions]).toEqual(["https://app.test/", false, []])
  expect(its.adapter.rows().users).toHaveLength(1)
  // Node reports unhandled rejections after the current turn of the event loop.
  await new Promise((resolve) => setImmediate(resolve))
  expect(unhandled).toEqual([])
}

const broken: Record<string, () => unknown> = {
  throws: () => {
    throw new Error("no audit today")
  },
  rejects: async () => Promise.reject(new Error("no audit today")),
  "throws no error": () => {
    throw null as unknown as Error
  },
}

for (const [what, fail] of Object.entries(broken)) {
  attack("FAULT-07", `an event handler that ${what} has no effect and is logged`, async (mode) => {
    for (const name of names) {
      const logged: string[] = []
      const logger = { error: (error: Error) => void logged.push(error.name) }
      await live(mode, { events: { [name]: fail }, logger })
      expect([name, logged.filter((error) => error === "EventError").length > 0]).toEqual([name, true])
    }
  })

  attack("FAULT-07", `a logger that ${what} has no effect`, async (mode) => {
    const logger = { error: fail, warn: fail, debug: fail } as LoggerInstance
    await live(mode, { logger, debug: true })
    await live(mode, { logger, debug: true, events: { signIn: fail } as AuthConfig["events"] })
  })

  attack("FAULT-07", `a \`waitUntil\` that ${what} has no effect`, async (mode) => {
    await live(mode, { waitUntil: fail, events: { signIn: () => undefined } })
  })
}

attack("FAULT-07", "an event handler that hangs delays the response by three seconds at most", async (mode) => {
  for (const name of ["signIn", "createUser", "signOut"] as const) {
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] })
    let tell = () => {}
    const asked = new Promise<void>((resolve) => {
      tell = resolve
    })
    const hang = async () => {
      tell()
      return new Promise<void>(() => undefined)
    }
    const done = live(mode, { events: { [name]: hang } })
    await asked
    await vi.advanceTimersByTimeAsync(3000)
    await done
    vi.useRealTimers()
  }
})
