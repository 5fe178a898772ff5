import { type MemoryAdapter, memoryAdapter } from "@latchkey/adapter-kit/memory"
import { conformance } from "@latchkey/adapter-kit"
import { Auth } from "@latchkey/core"
import type { Adapter } from "@latchkey/core/adapters"
import { type Browser, createProvider, type FakeProvider, faults, openBrowser, visit } from "@latchkey/testing"
import { expect } from "vitest"
import { attack } from "../../../../tests/attack.js"
import { errorAt, hasSession, intercept, withoutTransactions } from "../flows/signin/setup.js"
import { ClassAdapter } from "../../../adapter-kit/test/class-adapter.js"
import { type Site, site, victim } from "./email-setup.js"

/** Reads the token, waits and then deletes it, so parallel uses all find it. */
function readThenDelete(good: MemoryAdapter): Adapter {
  return {
    ...good,
    useVerificationToken: async (key) => {
      const row = good
        .rows()
        .verificationTokens.find(({ identifier, token }) => identifier === key.identifier && token === key.token)
      for (let turn = 0; turn < 20; turn++) await Promise.resolve()
      await good.useVerificationToken(key)
      return row ?? null
    },
  }
}

/** Lets two users have the same email. */
class Careless extends ClassAdapter {
  override assertFree(): void {}
}

async function inParallel(browsers: readonly Browser[], work: (browser: Browser) => Promise<unknown>): Promise<void> {
  await Promise.all(browsers.map(work))
}

attack("ADV-BA-17", "exactly one of twenty parallel uses of one link signs in", async (mode) => {
  for (const adapter of [undefined, readThenDelete]) {
    const its = await site(mode, { ...(adapter && { adapter }) })
    await its.browser.signIn("email", { email: victim })
    const others = Array.from({ length: 19 }, () => its.browser.fresh())
    await inParallel(others, (other) => other.get(its.mail.link()))
    // Two of the uses are tabs of the requesting browser.
    const tabs = [its.browser, its.browser.clone()]
    await Promise.all([...others.map((other) => other.submitForm(0)), ...tabs.map((tab) => tab.get(its.mail.link()))])
    expect([...others, its.browser].filter(hasSession)).toHaveLength(1)
    const losers = others.filter((other) => !hasSession(other))
    expect(new Set(losers.map(errorAt))).toEqual(new Set(["/auth/error Verification"]))
    expect(its.store.rows().users).toHaveLength(1)
    expect(its.store.rows().sessions).toHaveLength(1)
  }
})

attack(
  "ADV-BA-17",
  "only one parallel use of a link signs in even if each request creates its configuration",
  async (mode) => {
    const its = await site(mode, { adapter: readThenDelete })
    await its.browser.signIn("email", { email: victim })
    const handle = (request: Request) => Auth(request, { ...its.config, runtime: its.clock.runtime })
    const others = Array.from({ length: 20 }, () =>
      openBrowser({ origin: "https://app.test", handle, clock: its.clock }),
    )
    await inParallel(others, (other) => other.get(its.mail.link()))
    await inParallel(others, (other) => other.submitForm(0))
    expect(others.filter(hasSession)).toHaveLength(1)
  },
)

/** The response of the provider to a sign-in that this browser started. */
async function answered({ browser, op }: Pick<Site, "browser" | "op">, as: string) {
  await browser.post(`/auth/signin/${op.id}`, { csrfToken: (await browser.csrf()) ?? "" })
  return op.authorize(browser.location, { as })
}

attack("ADV-BA-17", "exactly one of twenty parallel callbacks of one sign-in succeeds", async (mode) => {
  const its = await site(mode)
  // This provider would accept the same code twice.
  its.op.inject(faults.codeReplay)
  const answer = await answered(its, "ada")
  const copies = Array.from({ length: 20 }, () => {
    const copy = its.browser.fresh()
    for (const cookie of its.browser.cookies) copy.jar.put(cookie)
    return copy
  })
  await inParallel(copies, (copy) => copy.follow(answer, its.op.issuer))
  expect(copies.filter(hasSession)).toHaveLength(1)
  expect(its.op.requestsTo("token")).toHaveLength(1)
  expect(its.store.rows().sessions).toHaveLength(1)
})

attack("ADV-BA-17", "the conformance suite tests parallel uses of everything that is single-use", (mode) => {
  expect(mode).toBeDefined()
  const ids = conformance.map(({ id }) => id)
  expect(ids).toEqual(
    expect.arrayContaining(["tokens.race", "users.email-race", "accounts.race", "users.email-unique"]),
  )
})

interface Way {
  readonly browser: Browser
  readonly op: FakeProvider
}

async function together(ways: readonly Way[]): Promise<void> {
  const answers = []
  for (const way of ways) {
    // Creates the signing key first. Otherwise the first response waits for it, and the two don't run in parallel.
    await way.op.logoutToken({ as: "ada" })
    answers.push([way, await answered(way, "ada")] as const)
  }
  await Promise.all(answers.map(([{ browser, op }, answer]) => browser.follow(answer, op.issuer)))
}

type Rows = () => Pick<ReturnType<MemoryAdapter["rows"]>, "users" | "accounts" | "sessions">

const stores: readonly (() => { rows: Rows; adapter: Adapter })[] = [
  () => {
    const store = memoryAdapter()
    return { rows: store.rows, adapter: store }
  },
  () => {
    const store = memoryAdapter()
    return { rows: store.rows, adapter: withoutTransactions(store) }
  },
  () => {
    const store = new Careless()
    return { rows: () => store, adapter: store }
  },
]

/** Every call takes a few turns of the event loop, as with a database. */
function slow(adapter: Adapter): Adapter {
  return intercept(adapter, async (_, run) => {
    for (let turn = 0; turn < 5; turn++) await new Promise((resolve) => setImmediate(resolve))
    return run()
  })
}

attack("RACE-01", "two parallel first sign-ins with one email create one user; the other is refused", async (mode) => {
  for (const make of stores) {
    const { rows, adapter } = make()
    const [one, two] = [createProvider({ id: "one" }), createProvider({ id: "two", issuer: "https://two.test" })]
    const its = await site(mode)
    const config = { ...its.config, adapter: slow(adapter), providers: [one.provider(), two.provider()] }
    const left = await visit(config)
    const right = left.fresh()
    await together([
      { browser: left, op: one },
      { browser: right, op: two },
    ])
    expect(rows().users).toHaveLength(1)
    expect(rows().accounts).toHaveLength(1)
    const losers = [left, right].filter((browser) => !hasSession(browser))
    expect(losers.map(errorAt)).toEqual(["/auth/signin OAuthAccountNotLinked"])
  }
})

attack("RACE-01", "eight parallel first links for one email create one user, and all sign in", async (mode) => {
  for (const make of stores) {
    const { rows, adapter } = make()
    const its = await site(mode, {
      rest: { adapter: slow(adapter), security: { mode, newestEmailLinkOnly: false } },
    })
    const browsers = [its.browser, ...Array.from({ length: 7 }, () => its.browser.fresh())]
    for (const browser of browsers) await browser.signIn("email", { email: victim })
    await Promise.all(browsers.map((browser, at) => browser.get(its.mail.link(at))))
    expect(browsers.filter((browser) => !hasSession(browser)).map(errorAt)).toEqual([])
    expect(rows().users).toHaveLength(1)
  }
})

attack("RACE-02", "three identical callbacks create one user, one account and one session", async (mode) => {
  for (const make of stores) {
    const { rows, adapter } = make()
    const its = await site(mode, { rest: { adapter: slow(adapter), session: { strategy: "database" } } })
    its.op.inject(faults.codeReplay)
    const answer = await answered(its, "ada")
    const tabs = [its.browser, its.browser.clone(), its.browser.clone()]
    await inParallel(tabs, (tab) => tab.follow(answer, its.op.issuer))
    const counts = [rows().users, rows().accounts, rows().sessions].map(({ length }) => length)
    expect(counts).toEqual([1, 1, 1])
    expect(its.op.requestsTo("token")).toHaveLength(1)
    // The other callbacks have no effect: the browser is signed in.
    expect(await its.browser.session()).toMatchObject({ user: { email: "ada@example.test" } })
    const codes = tabs.map(({ location }) => new URL(location).searchParams.get("code"))
    expect(codes.filter((code) => code === "InvalidCheck")).toHaveLength(2)
    for (const { response } of tabs) expect(response.status).toBeLessThan(500)
    await its.browser.follow(answer, its.op.issuer)
    expect(rows().sessions).toHaveLength(1)
    expect(await its.browser.session()).not.toBeNull()
  }
})
