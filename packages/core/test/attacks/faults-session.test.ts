import { createServer } from "@latchkey/core/server"
import type { AuthConfig } from "@latchkey/core/types"
import { expect } from "vitest"
import { attack, strictAttack } from "../../../../tests/attack.js"
import { configOf, redeployed, sessionCookie, whoIs } from "../modes/setup.js"
import { faults, type Fault, faultySite, type Site } from "./faults-setup.js"
import { cookieHeader, strategies } from "./session-setup.js"

const failing = faults.filter((fault) => fault !== "returns undefined")
const ada = "ada@example.test"

/** The session view has an error, so an integration can respond with 503. The user isn't signed out. */
async function expectUnavailable({ its, given, browser, arm }: Site, method: string, fault: Fault) {
  const server = createServer(configOf(its, { ...given, runtime: its.clock.runtime }))
  const visitor = { headers: new Headers({ cookie: cookieHeader(browser) }) }
  for (const options of [{}, { readOnly: true }]) {
    arm(method, fault)
    const view = await server.session(visitor, options)
    expect([view.session, view.cookies, view.error?.kind]).toEqual([null, [], "error"])
  }
  const cookie = sessionCookie(browser)
  arm(method, fault)
  expect(await browser.session()).toBeNull()
  expect(sessionCookie(browser)).toBe(cookie)
  expect(await whoIs(browser)).toBe(ada)
}

async function signedIn(mode: "strict" | "compatible", rest: Partial<AuthConfig>): Promise<Site> {
  const site = await faultySite(mode, "with transactions", rest)
  await site.browser.signInWith(site.its.op, { as: "ada" })
  return site
}

const database = { session: { strategy: "database", maxAge: 864_000 } } as const
const jwt = { session: { strategy: "jwt", maxAge: 864_000 } } as const

attack(
  "FAULT-04",
  "an adapter failure while a session is read is an error, not a sign-out: the cookie remains valid",
  async (mode) => {
    for (const rest of mode === "strict" ? [database, jwt] : [database])
      for (const fault of failing) await expectUnavailable(await signedIn(mode, rest), "getSessionAndUser", fault)
  },
)

attack(
  "FAULT-04",
  "a session that cannot be extended is still returned, and the next read extends it",
  async (mode) => {
    for (const rest of mode === "strict" ? [database, jwt] : [database]) {
      for (const fault of faults) {
        const { its, browser, arm, hit, log } = await signedIn(mode, rest)
        its.clock.advance({ days: 2 })
        arm("updateSession", fault)
        expect([fault, await whoIs(browser), hit()]).toEqual([fault, ada, true])
        if (fault !== "returns undefined")
          expect(log.entries.some(({ text }) => text.includes("Could not extend the session"))).toBe(true)
        its.clock.advance({ days: 2 })
        expect(await whoIs(browser)).toBe(ada)
        expect(its.adapter.rows().sessions[0]?.expires).toEqual(new Date(its.clock.now() + 864_000_000))
      }
    }
  },
)

strictAttack(
  "FAULT-04",
  "tokens at rest",
  "a session stored before hashing that cannot be replaced is still returned, and leaves no extra row",
  async () => {
    for (const method of ["createSession", "updateSession"]) {
      for (const fault of failing) {
        const before = await signedIn("compatible", database)
        const { its, given, arm, hit } = before
        const after = await redeployed(before.browser, its, { ...given, security: "strict" })
        arm(method, fault)
        expect([method, fault, await whoIs(after), hit()]).toEqual([method, fault, ada, true])
        const left = its.adapter.rows().sessions.length
        expect(left).toBe(method === "createSession" && fault === "rejects afterwards" ? 2 : 1)
        expect(await whoIs(after)).toBe(ada)
        its.clock.advance({ seconds: 30 })
        expect(await whoIs(after)).toBe(ada)
      }
    }
  },
)

const ways: Record<string, () => unknown> = {
  throws: () => {
    throw new Error("lookup failed")
  },
  rejects: async () => Promise.reject(new Error("lookup failed")),
  "throws no error": () => {
    throw "lookup failed" as unknown as Error
  },
}

for (const strategy of strategies) {
  for (const [what, fail] of Object.entries(ways)) {
    attack(
      "FAULT-05",
      `a callback that ${what} once fails one request, not the session (${strategy})`,
      async (mode) => {
        for (const name of strategy === "jwt" ? (["jwt", "session"] as const) : (["session"] as const)) {
          let down = false
          const callback = (params: { token?: unknown; session?: unknown }) => {
            if (down) return fail()
            return name === "jwt" ? params.token : params.session
          }
          const session = { strategy, maxAge: 864_000 }
          const site = await signedIn(mode, { session, callbacks: { [name]: callback } })
          const { its, browser, given } = site
          const server = createServer(configOf(its, { ...given, runtime: its.clock.runtime }))
          for (const days of [0, 2]) {
            its.clock.advance({ days })
            const cookie = sessionCookie(browser)
            const visitor = { headers: new Headers({ cookie: cookieHeader(browser) }) }
            down = true
            expect([name, await browser.session(), sessionCookie(browser)]).toEqual([name, null, cookie])
            const view = await server.session(visitor)
            expect([view.session, view.cookies, view.error?.message]).toEqual([
              null,
              [],
              expect.stringContaining("Could not read the session"),
            ])
            expect((await server.update(visitor, {})).cookies).toEqual([])
            down = false
            expect(await browser.session()).not.toBeNull()
          }
          expect(its.adapter.rows().sessions.length).toBe(strategy === "database" || mode === "strict" ? 1 : 0)
        }
      },
    )
  }
}
