import type { MemoryAdapter } from "@latchkey/adapter-kit/memory"
import { Auth } from "@latchkey/core"
import { expect } from "vitest"
import { attack, strictAttack } from "../../../../tests/attack.js"
import { configOf, cookieNames, sessionCookie, world } from "../modes/setup.js"
import { adaAt, askSession, cookieHeader, gated, lagging, strategies, type Strategy } from "./session-setup.js"

/** A `GET /auth/session` that is sent first and gets its response last. */
async function overtaken(strategy: Strategy, mode: "strict" | "compatible", method: string, days: number) {
  const its = world()
  const { adapter, arrived, close, open } = gated(its.adapter, method)
  const { browser } = await adaAt(mode, { adapter, session: { strategy, maxAge: 864_000 } }, its)
  const tab = browser.clone()
  its.clock.advance({ days })
  const csrfToken = (await tab.csrf()) ?? ""
  close()
  const reading = browser.fetch("/auth/session")
  await arrived
  return { its, browser, tab, csrfToken, reading, open }
}

attack("RACE-03", "a read during a sign-out does not restore a database session", async (mode) => {
  const { its, browser, tab, csrfToken, reading, open } = await overtaken("database", mode, "updateSession", 2)
  await tab.post("/auth/signout", { csrfToken })
  open()
  const response = await reading
  expect(await response.json()).toBeNull()
  expect(response.headers.getSetCookie().filter((line) => !line.includes("Max-Age=0"))).toEqual([])
  expect([await browser.session(), cookieNames(browser), its.adapter.rows().sessions]).toEqual([null, [], []])
})

strictAttack("RACE-03", "revocable sessions", "a read during a sign-out does not restore a JWT session", async () => {
  const { its, browser, tab, csrfToken, reading, open } = await overtaken("jwt", "strict", "updateSession", 2)
  await tab.post("/auth/signout", { csrfToken })
  open()
  const response = await reading
  expect(await response.json()).toBeNull()
  expect(response.headers.getSetCookie().filter((line) => !line.includes("Max-Age=0"))).toEqual([])
  expect([await browser.session(), cookieNames(browser), its.adapter.rows().sessions]).toEqual([null, [], []])
})

attack(
  "RACE-03",
  "a read without a due renewal sets no cookie, so a late response does not sign in again",
  async (mode) => {
    for (const strategy of strategies) {
      const { its, browser } = await adaAt(mode, { session: { strategy } })
      its.clock.advance({ hours: 1 })
      const cookie = cookieHeader(browser)
      const config = configOf(its, { security: mode, session: { strategy }, runtime: its.clock.runtime })
      const late = await Auth(new Request("https://app.test/auth/session", { headers: { cookie } }), config)
      expect([(await late.text()).length > 4, late.headers.getSetCookie()]).toEqual([true, []])
    }
  },
)

strictAttack(
  "RACE-03",
  "tokens at rest",
  "a session stored before hashing is replaced without signing out parallel requests",
  async () => {
    const its = world()
    const { browser } = await adaAt("compatible", { session: { strategy: "database" } }, its)
    const config = configOf(its, { security: "strict", session: { strategy: "database" }, runtime: its.clock.runtime })
    const cookie = cookieHeader(browser)
    const send = async () => Auth(new Request("https://app.test/auth/session", { headers: { cookie } }), config)
    const first = await send()
    const second = await send()
    expect([await first.json(), await second.json()]).toMatchObject([
      { user: { name: "Ada Lovelace" } },
      { user: { name: "Ada Lovelace" } },
    ])
    // The second response must not overwrite the new cookie with the old token.
    expect(second.headers.getSetCookie()).toEqual([])
    its.clock.advance({ seconds: 30 })
    expect(await (await send()).json()).toBeNull()
    expect(its.adapter.rows().sessions).toHaveLength(1)
  },
)

strictAttack(
  "RACE-03",
  "tokens at rest",
  "a session stored before hashing that ends while it is replaced stays ended",
  async () => {
    const its = world()
    const { browser } = await adaAt("compatible", { session: { strategy: "database" } }, its)
    const { adapter, arrived, close, open } = gated(its.adapter, "updateSession")
    const config = configOf(its, {
      adapter,
      security: "strict",
      session: { strategy: "database" },
      runtime: its.clock.runtime,
    })
    const cookie = cookieHeader(browser)
    close()
    const reading = Auth(new Request("https://app.test/auth/session", { headers: { cookie } }), config)
    await arrived
    await its.adapter.deleteSession(sessionCookie(browser))
    open()
    const response = await reading
    expect([await response.json(), its.adapter.rows().sessions]).toEqual([null, []])
  },
)

/** What an adapter may do when it updates a session that's gone, or one that isn't. */
const updates: Readonly<Record<string, (store: MemoryAdapter) => MemoryAdapter["updateSession"]>> = {
  "returns the row": (store) => store.updateSession,
  "rejects if there is no row": (store) => async (changes) => {
    const row = await store.updateSession(changes)
    if (row === null) throw new Error("No record was found for an update")
    return row
  },
  "returns nothing": (store) => async (changes) => {
    await store.updateSession(changes)
    return null
  },
}

for (const [what, make] of Object.entries(updates)) {
  strictAttack(
    "RACE-03",
    "tokens at rest",
    `a session stored before hashing is replaced once, and stays ended if it ended, with an adapter that ${what}`,
    async () => {
      for (const isEnded of [false, true]) {
        const its = world()
        const { browser } = await adaAt("compatible", { session: { strategy: "database" } }, its)
        const updateSession = make(its.adapter)
        const { adapter, arrived, close, open } = gated({ ...its.adapter, updateSession }, "updateSession")
        const rest = { adapter, security: "strict", session: { strategy: "database" } } as const
        close()
        const reading = askSession(configOf(its, { ...rest, runtime: its.clock.runtime }), cookieHeader(browser))
        await arrived
        if (isEnded) await its.adapter.deleteSession(sessionCookie(browser))
        open()
        expect([isEnded, (await reading).body === null]).toEqual([isEnded, isEnded])
        expect(its.adapter.rows().sessions).toHaveLength(isEnded ? 0 : 2)
      }
    },
  )
}

strictAttack(
  "RACE-03",
  "tokens at rest",
  "a session stored before hashing stays ended although a replica still has it",
  async () => {
    const its = world()
    const { browser } = await adaAt("compatible", { session: { strategy: "database" } }, its)
    const { adapter, stop } = lagging(its.adapter)
    await stop()
    await its.adapter.deleteSession(sessionCookie(browser))
    const rest = { adapter, security: "strict", session: { strategy: "database" } } as const
    const read = await askSession(configOf(its, { ...rest, runtime: its.clock.runtime }), cookieHeader(browser))
    expect([read.body, its.adapter.rows().sessions]).toEqual([null, []])
  },
)
