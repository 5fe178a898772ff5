import { createServer } from "@latchkey/core/server"
import { createSessionReader } from "@latchkey/core/session-reader"
import type { Adapter, AuthConfig, SetCookie } from "@latchkey/core/types"
import { captureLog } from "@latchkey/testing"
import fc from "fast-check"
import { expect, test } from "vitest"
import { withoutUniqueTokens } from "../attacks/token-tables.js"
import { holds, patience } from "../fuzz/holds.js"
import { appOf, strongSecret, type World, world } from "../modes/setup.js"

const maxStaleness = 120

const stores = {
  "a database": (its: World): Adapter => its.adapter,
  "rows without a unique index": (its: World): Adapter => withoutUniqueTokens(its.adapter, false),
  "a key-value store": (its: World): Adapter => withoutUniqueTokens(its.adapter, true),
} as const

const step = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({
      kind: fc.constantFrom("read", "readOnly", "update", "edge"),
      copy: fc.nat(),
      process: fc.nat(2),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      kind: fc.constant("wait"),
      copy: fc.constantFrom(1, 61, 121, 3600, 86_401),
      process: fc.constant(0),
    }),
  },
  { weight: 2, arbitrary: fc.record({ kind: fc.constantFrom("parallel"), copy: fc.nat(), process: fc.nat(2) }) },
  {
    weight: 1,
    arbitrary: fc.record({
      kind: fc.constantFrom("signOut", "everywhere", "remove"),
      copy: fc.nat(),
      process: fc.nat(2),
    }),
  },
)

const site = fc.record({
  store: fc.constantFrom(...(Object.keys(stores) as (keyof typeof stores)[])),
  security: fc.constantFrom<NonNullable<AuthConfig["security"]>>(
    "strict",
    { revocableSessions: true },
    { mode: "strict", sessionCookiePrefix: "__Secure-" },
  ),
  /** The session began before the switch. */
  isFormer: fc.boolean(),
  hasCallback: fc.boolean(),
  steps: fc.array(step, { minLength: 3, maxLength: 14 }),
})

type Cookies = ReadonlyMap<string, string>

function headerOf(cookies: Cookies): Headers {
  return new Headers({ cookie: [...cookies].map((pair) => pair.join("=")).join("; ") })
}

/** What a browser has after a response. */
function after(cookies: Cookies, set: readonly SetCookie[]): Cookies {
  const next = new Map(cookies)
  for (const { name, value } of set) {
    if (value === "") next.delete(name)
    else next.set(name, value)
  }
  return next
}

interface Step {
  readonly kind: string
  readonly copy: number
  readonly process: number
}

type Case = typeof site extends fc.Arbitrary<infer T> ? T : never

/** Servers that share a database but no memory, and one without the database. */
function deploy(its: World, { store, security, hasCallback }: Case) {
  const session = { strategy: "jwt", revocation: { maxStaleness } } as const
  const callbacks = hasCallback ? { jwt: ({ token }: { token: object }) => ({ ...token, at: its.clock.now() }) } : {}
  const { logger } = captureLog()
  const shared = { secret: strongSecret, url: "https://app.test/auth", session, security, callbacks, logger } as const
  const adapter = stores[store](its)
  const servers = Array.from({ length: 3 }, () => {
    // Sites with different clocks share no memory.
    const runtime = { ...its.clock.runtime, now: () => its.clock.now(), sleep: async () => {} }
    return createServer({ ...shared, adapter, providers: [], runtime })
  })
  return { servers, edge: createSessionReader({ ...shared, runtime: its.clock.runtime }), shared }
}

/** Ada's session, with every copy that was made of its cookie. */
async function play(given: Case) {
  const its = world()
  const { servers, edge, shared } = deploy(its, given)
  const browser = await appOf(its, given.isFormer ? { session: { strategy: "jwt" } } : shared)
  await browser.signInWith(its.op, { as: "ada" })
  const copies: Cookies[] = [new Map(browser.cookies.map(({ name, value }) => [name, value]))]
  const userId = its.adapter.rows().users[0]?.id ?? ""
  let hasRow = !given.isFormer
  let endedAt: number | undefined

  const check = (read: unknown) => {
    if (endedAt !== undefined) expect(read).toBeNull()
    else if (read !== null) hasRow = true
  }
  const at = ({ copy, process }: Step) => {
    const cookies = copies[copy % copies.length] ?? new Map<string, string>()
    const server = servers[process % servers.length] ?? servers[0]
    if (server === undefined) throw new Error("there is no server")
    return { cookies, server, visitor: { headers: headerOf(cookies) } }
  }
  const end = () => {
    endedAt ??= its.clock.now()
  }

  const steps: Readonly<Record<string, (step: Step) => Promise<void>>> = {
    wait: async ({ copy }) => its.clock.advance({ seconds: copy }),
    read: async (step) => {
      const { cookies, server, visitor } = at(step)
      const view = await server.session(visitor)
      check(view.session)
      if (view.session !== null) copies.push(after(cookies, view.cookies))
    },
    readOnly: async (step) => check((await at(step).server.session(at(step).visitor, { readOnly: true })).session),
    update: async (step) => check((await at(step).server.update(at(step).visitor, { name: "x" })).session),
    parallel: async (step) => {
      const { server, visitor } = at(step)
      // Without a unique index, processes that read in the same moment may miss each other's record.
      const together = given.store === "a database" ? [...servers, server] : [server, server]
      for (const view of await Promise.all(together.map((each) => each.session(visitor)))) check(view.session)
    },
    edge: async (step) => {
      const view = await edge.session(at(step).visitor)
      expect(view.cookies).toEqual([])
      const isLate = endedAt !== undefined && its.clock.now() > endedAt + maxStaleness * 1000
      if (isLate) expect(view.session).toBeNull()
    },
    signOut: async (step) => {
      const { server, visitor } = at(step)
      if ((await server.session(visitor, { readOnly: true })).session === null) return
      await server.signOut(visitor)
      end()
    },
    // The engine doesn't see this call, so it ends the sessions that have a row.
    everywhere: async () => {
      await its.adapter.deleteSessions(userId)
      if (hasRow) end()
    },
    remove: async () => {
      await its.adapter.deleteUser(userId)
      end()
    },
  }
  for (const each of given.steps) await steps[each.kind]?.(each)
  for (const [copy] of copies.entries())
    for (const [process] of servers.entries()) await steps["readOnly"]?.({ kind: "readOnly", copy, process })
}

test(
  "a session that ended is none in any copy, process and reader, whenever its copies were made",
  () => holds(fc.asyncProperty(site, play), 0.2),
  patience,
)
