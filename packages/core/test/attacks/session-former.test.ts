import { setTimeout } from "node:timers/promises"
import type { MemoryAdapter } from "@latchkey/adapter-kit/memory"
import { Auth } from "@latchkey/core"
import type { Adapter } from "@latchkey/core/adapters"
import { createServer } from "@latchkey/core/server"
import type { AuthConfig, SecurityOptions } from "@latchkey/core/types"
import { type Browser, openBrowser } from "@latchkey/testing"
import { expect } from "vitest"
import { strictAttack } from "../../../../tests/attack.js"
import {
  appOf,
  configOf,
  cookieNames,
  mailer,
  sessionCookie,
  strongSecret,
  whoIs,
  type World,
  world,
} from "../modes/setup.js"
import { forgeVersion4, putCookie, version4Name } from "../version4/setup.js"
import { adaAt, cookieHeader, gated, lagging, thiefOf } from "./session-setup.js"
import { withoutUniqueTokens } from "./token-tables.js"

const session = { strategy: "jwt" } as const
const email = "ada@example.test"

/** Waits for another process are a fiftieth as long, unless a test needs the time. */
const sleep = async (milliseconds: number) => setTimeout(milliseconds / 50)

function runtimeOf({ clock }: World) {
  return { ...clock.runtime, sleep }
}

/** The application as another process runs it. Sites with different clocks share no memory. */
function otherProcess(its: World, browser: Browser, rest: Partial<AuthConfig>, wait = sleep): Browser {
  const runtime = { ...its.clock.runtime, sleep: wait, now: () => its.clock.now() }
  const config = configOf(its, { session, ...rest, runtime })
  const handle = (request: Request) => Auth(request, config)
  const other = openBrowser({ origin: browser.origin, handle, clock: its.clock })
  for (const cookie of browser.cookies) other.jar.put(cookie)
  return other
}

/** Only what published adapters have. */
function published(store: MemoryAdapter): Adapter {
  const { deleteSessions: _, listSessions: __, listAccounts: ___, updateAccount: ____, ...rest } = store
  const { transaction: _____, deleteVerificationTokens: ______, updateAuthenticator: _______, ...v5 } = rest
  return v5
}

const tables: Readonly<Record<string, (store: MemoryAdapter) => Adapter>> = {
  "a database": (store) => store,
  "a published adapter": published,
  "a database without a unique index": (store) => withoutUniqueTokens(store, false),
  "a key-value store": (store) => withoutUniqueTokens(store, true),
}

/** Ada signed in before the switch. A thief has a copy of her cookie. */
async function before(make: (store: MemoryAdapter) => Adapter = (store) => store, its: World = world()) {
  const adapter = make(its.adapter)
  const { browser: old } = await adaAt("compatible", { adapter, session }, its)
  const userId = its.adapter.rows().users[0]?.id ?? ""
  const strict = { security: "strict", adapter, session } as const
  return { its, adapter, strict, browser: otherProcess(its, old, strict), thief: thiefOf(old), old, userId }
}

strictAttack(
  "JWT-04",
  "revocable sessions",
  "a database that fails once while a session from before the switch is adopted doesn't end it",
  async () => {
    for (const times of [1, 2, 20]) {
      let failures = 0
      const failing = (store: MemoryAdapter): Adapter => ({
        ...store,
        createVerificationToken: async (row) => {
          if (failures-- > 0) throw new Error("the database is away")
          return store.createVerificationToken(row)
        },
      })
      const { its, old, strict } = await before(failing)
      // The first record tells whether the table has a unique index.
      const another = old.fresh()
      await another.signInWith(its.op, { as: "grace" })
      const present = otherProcess(its, another, strict)
      expect(await whoIs(present)).toBe("grace@example.test")
      const other = present.fresh()
      for (const cookie of old.cookies) other.jar.put(cookie)
      failures = times
      await other.session()
      failures = 0
      expect(await whoIs(other)).toBe(email)
    }
  },
)

strictAttack(
  "JWT-04",
  "revocable sessions",
  "a sign-out ends a session from before the switch although a replica still has it",
  async () => {
    const its = world()
    const { adapter, stop } = lagging(its.adapter)
    const { browser } = await before(() => adapter, its)
    expect(await whoIs(browser)).toBe(email)
    await stop()
    await browser.signOut()
    expect([browser.location, cookieNames(browser)]).toEqual(["https://app.test/", []])
    expect(its.adapter.rows().sessions.filter(({ expires }) => expires.getTime() > its.clock.now())).toEqual([])
  },
)

for (const [whose, isTheirs] of [
  ["an earlier release", (identifier: string) => !identifier.includes(";")],
  ["this release", (identifier: string) => identifier.includes(";")],
] as const) {
  strictAttack(
    "T3-07",
    "revocable sessions",
    `the records of ${whose} alone keep a session from before the switch ended`,
    async () => {
      const { its, strict, browser, old } = await before()
      await whoIs(browser)
      await browser.signOut()
      for (const row of its.adapter.rows().verificationTokens)
        if (!isTheirs(row.identifier)) await its.adapter.useVerificationToken(row)
      expect(await whoIs(otherProcess(its, old, strict))).toBeNull()
    },
  )
}

type Before = Awaited<ReturnType<typeof before>>

const ends: Readonly<Record<string, (all: Before) => Promise<unknown>>> = {
  "sign-out": ({ browser }) => browser.signOut(),
  "sign-out by the application": ({ browser, its, strict }) =>
    createServer(configOf(its, { ...strict, runtime: runtimeOf(its) })).signOut({
      headers: new Headers({ cookie: cookieHeader(browser) }),
    }),
  "another sign-in of the browser": ({ its, browser }) => browser.signInWith(its.op, { as: "ada" }),
  "the removal of the user": async ({ its, userId }) => its.adapter.deleteUser(userId),
  "sign-out everywhere": async ({ its, userId, browser }) => {
    await whoIs(browser)
    await its.adapter.deleteSessions(userId)
  },
}

/** What a copy of the cookie is worth in the process that ended the session, and in a new one. */
async function worthOf({ its, strict, thief, old }: Before): Promise<readonly unknown[]> {
  const same = createServer(configOf(its, { ...strict, runtime: runtimeOf(its) }))
  const visitor = { headers: new Headers({ cookie: cookieHeader(thief) }) }
  const there = otherProcess(its, old, strict)
  return [
    (await same.session(visitor, { readOnly: true })).session,
    (await same.update(visitor, { user: { name: "Mallory" } })).session,
    await there.session(),
    cookieNames(there),
  ]
}

for (const [table, make] of Object.entries(tables)) {
  for (const [what, end] of Object.entries(ends)) {
    for (const used of [true, false]) {
      const when = used ? "used since the switch" : "not used since the switch"
      strictAttack(
        "JWT-04",
        "revocable sessions",
        `with ${table}, after ${what} a copy of a cookie from before the switch, ${when}, is no session`,
        async () => {
          const all = await before(make)
          if (used) expect(await whoIs(all.browser)).toBe(email)
          await end(all)
          expect(await worthOf(all)).toEqual([null, null, null, []])
        },
      )
    }
  }
}

function its({ its: { adapter } }: Before) {
  return adapter.rows()
}

strictAttack(
  "JWT-04",
  "revocable sessions",
  "parallel reads of one cookie from before the switch are one session",
  async () => {
    for (const make of Object.values(tables)) {
      const all = await before(make)
      const tabs = Array.from({ length: 5 }, () => otherProcess(all.its, all.old, all.strict))
      expect(new Set(await Promise.all(tabs.map(whoIs)))).toEqual(new Set([email]))
      expect(its(all).sessions).toHaveLength(1)
      for (const tab of tabs) expect(await whoIs(tab)).toBe(email)
      await tabs[0]?.signOut()
      for (const tab of tabs) expect(await tab.session()).toBeNull()
      expect(await worthOf(all)).toEqual([null, null, null, []])
    }
  },
)

strictAttack(
  "JWT-04",
  "revocable sessions",
  "a sign-out also ends earlier renewals of a session from before the switch",
  async () => {
    const all = await before()
    all.its.clock.advance({ days: 2 })
    await all.old.session()
    expect(sessionCookie(all.old)).not.toBe(sessionCookie(all.thief))
    const browser = otherProcess(all.its, all.old, all.strict)
    expect(await whoIs(browser)).toBe(email)
    await browser.signOut()
    expect(await worthOf({ ...all, old: all.thief })).toEqual([null, null, null, []])
  },
)

strictAttack(
  "JWT-04",
  "revocable sessions",
  "a sign-out keeps sessions of the user that were used since the switch",
  async () => {
    const all = await before()
    const other = await appOf(all.its, { session })
    await other.signInWith(all.its.op, { as: "ada" })
    const laptop = otherProcess(all.its, other, all.strict)
    expect([await whoIs(laptop), await whoIs(all.browser)]).toEqual([email, email])
    await all.browser.signOut()
    expect(await whoIs(laptop)).toBe(email)
  },
)

strictAttack(
  "JWT-04",
  "revocable sessions",
  "a first proof of a mailbox ends sessions from before the switch",
  async () => {
    const mail = mailer()
    const its = world()
    const providers = [its.op.provider({ checks: ["pkce"] }), mail.provider]
    its.op.people["mallory"] = { sub: "mallory", name: "Mallory", email, email_verified: false }
    const old = await appOf(its, { session, providers })
    await old.signInWith(its.op, { as: "mallory" })
    const strict = { security: "strict", session, providers } as const
    const ada = otherProcess(its, old.fresh(), strict)
    await ada.signIn("mail", { email })
    await ada.get(mail.links[0] ?? "")
    expect(await whoIs(ada)).toBe(email)
    expect(await otherProcess(its, old, strict).session()).toBeNull()
  },
)

strictAttack("JWT-04", "revocable sessions", "a session of next-auth 4 ends at the sign-out", async () => {
  const all = await before()
  const iat = Math.floor(all.its.clock.now() / 1000)
  const token = forgeVersion4({ content: { sub: all.userId, email, iat, exp: iat + 2_592_000 } })
  const strict = { ...all.strict, session: { ...session, version4: { acceptUntil: "2027-01-01" } } }
  const fresh = all.old.fresh()
  putCookie(fresh, version4Name, token)
  const browser = otherProcess(all.its, fresh, strict)
  expect(await whoIs(browser)).toBe(email)
  await browser.signOut()
  expect(await otherProcess(all.its, fresh, strict).session()).toBeNull()
})

strictAttack(
  "JWT-04",
  "revocable sessions",
  "a session that was sealed with the old secret ends at the sign-out",
  async () => {
    const all = await before()
    const rotated = { ...all.strict, secret: ["p9Xr2wQe7tYu1iOp4aSd6fGh8jKl0zXcVbNm3qWeRtY", strongSecret] }
    const browser = otherProcess(all.its, all.old, rotated)
    expect(await whoIs(browser)).toBe(email)
    await browser.signOut()
    expect(await worthOf({ ...all, strict: rotated })).toEqual([null, null, null, []])
  },
)

strictAttack(
  "JWT-04",
  "revocable sessions",
  "sessions from before the switch end at `formerSessionsUntil`",
  async () => {
    const options: readonly SecurityOptions[] = [
      { revocableSessions: true },
      { revocableSessions: true, keyPerPurpose: true },
    ]
    for (const option of options) {
      const all = await before()
      const security = { ...option, formerSessionsUntil: "2026-01-05" }
      expect(await whoIs(otherProcess(all.its, all.old, { security }))).toBe(email)
      const late = await before()
      late.its.clock.set(new Date("2026-01-05"))
      expect(await otherProcess(late.its, late.old, { security }).session()).toBeNull()
    }
  },
)

strictAttack(
  "JWT-04",
  "revocable sessions",
  "without a table of verification tokens, sessions from before the switch end at the switch",
  async () => {
    const { browser } = await before((store) => {
      const { createVerificationToken: _, useVerificationToken: __, ...rest } = store
      return rest
    })
    expect(await browser.session()).toBeNull()
  },
)

strictAttack(
  "RACE-03",
  "revocable sessions",
  "a first read that sign-out in another process overtakes restores no session",
  async () => {
    const all = await before()
    const { adapter, arrived, close, open } = gated(all.its.adapter, "createSession")
    const slow = otherProcess(all.its, all.old, { ...all.strict, adapter })
    close()
    const reading = slow.session()
    await arrived
    await otherProcess(all.its, all.old, all.strict, setTimeout).signOut()
    open()
    expect(await reading).toBeNull()
    expect(its(all).sessions).toEqual([])
    expect(await worthOf(all)).toEqual([null, null, null, []])
  },
)

strictAttack(
  "RACE-03",
  "revocable sessions",
  "a session from before the switch survives a failing database",
  async () => {
    const all = await before()
    let fails = true
    const adapter: Adapter = {
      ...all.its.adapter,
      createSession: async (row) => {
        if (fails) throw new Error("the database is away")
        return all.its.adapter.createSession(row)
      },
    }
    const logger = { error: () => undefined }
    const browser = otherProcess(all.its, all.old, { ...all.strict, adapter, logger })
    expect(await browser.session()).toBeNull()
    expect(cookieNames(browser)).toHaveLength(1)
    fails = false
    expect(await whoIs(browser)).toBe(email)
  },
)

strictAttack("JWT-04", "revocable sessions", "a row of another user doesn't confirm a session", async () => {
  const its = world()
  const { browser } = await adaAt("strict", { session }, its)
  const [row] = its.adapter.rows().sessions
  await its.adapter.createUser({ id: "mallory", email: "mallory@example.test", emailVerified: null })
  await its.adapter.updateSession({ sessionToken: row?.sessionToken ?? "", userId: "mallory" })
  expect(await browser.session()).toBeNull()
})

strictAttack(
  "JWT-04",
  "revocable sessions",
  "without the table of verification tokens, a session from before the switch is an error, and a new sign-in works",
  async () => {
    const missing = async (): Promise<never> => {
      throw new Error("relation verification_token does not exist")
    }
    const all = await before((store) => ({
      ...store,
      createVerificationToken: missing,
      useVerificationToken: missing,
    }))
    const logger = { error: () => undefined }
    const browser = otherProcess(all.its, all.old, { ...all.strict, logger })
    expect(await browser.session()).toBeNull()
    expect(cookieNames(browser)).toHaveLength(1)
    await browser.signInWith(all.its.op, { as: "ada" })
    expect(await whoIs(browser)).toBe(email)
    await browser.signOut()
    expect(await browser.session()).toBeNull()
  },
)

strictAttack(
  "JWT-04",
  "revocable sessions",
  "a token of the application's own format ends at the sign-out",
  async () => {
    const its = world()
    const jwt = {
      encode: ({ token }: { token?: object | undefined }) => Buffer.from(JSON.stringify(token)).toString("base64url"),
      decode: ({ token }: { token?: string | undefined }) =>
        token === undefined
          ? null
          : (JSON.parse(Buffer.from(token, "base64url").toString()) as Record<string, unknown>),
    }
    const { browser: old } = await adaAt("compatible", { session, jwt }, its)
    const strict = { security: "strict", session, jwt } as const
    const browser = otherProcess(its, old, strict)
    expect(await whoIs(browser)).toBe(email)
    await browser.signOut()
    expect(await otherProcess(its, old, strict).session()).toBeNull()
  },
)

for (const isFormer of [true, false]) {
  const which = isFormer ? "from before the switch" : "from after the switch"
  strictAttack(
    "RACE-03",
    "revocable sessions",
    `a jwt callback that a sign-out overtakes restores no session ${which}, in any tab`,
    async () => {
      const its = world()
      let [arrive, release] = [() => {}, () => {}]
      let gate: Promise<void> | undefined
      const arrived = new Promise<void>((resolve) => (arrive = resolve))
      const callbacks = {
        jwt: async ({ token }: { token: Record<string, unknown> }) => {
          if (gate !== undefined) {
            arrive()
            await gate
          }
          return { ...token, refreshed: its.clock.now() }
        },
      }
      const { browser: old } = await adaAt(isFormer ? "compatible" : "strict", { session, callbacks }, its)
      its.clock.advance({ days: 2 })
      const strict = { security: "strict", session, callbacks } as const
      const tabs = Array.from({ length: 3 }, () => otherProcess(its, old, strict))
      gate = new Promise<void>((resolve) => (release = resolve))
      const readings = tabs.map(async (tab) => tab.session())
      await arrived
      gate = undefined
      const leaving = otherProcess(its, old, strict)
      await leaving.signOut()
      release()
      expect(await Promise.all(readings)).toEqual([null, null, null])
      for (const tab of [...tabs, leaving]) expect(await tab.session()).toBeNull()
      expect(its.adapter.rows().sessions).toEqual([])
    },
  )
}
