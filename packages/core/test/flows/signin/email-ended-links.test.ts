import { type MemoryAdapter, memoryAdapter } from "@latchkey/adapter-kit"
import type { Adapter } from "@latchkey/core/adapters"
import { type Browser, frozenClock, type FrozenClock, visit } from "@latchkey/testing"
import { describe, expect, test } from "vitest"
import { emailOf, errorAt, hasSession, intercept, type Mailbox, mailbox, signInByMail } from "./setup.js"

const ada = "ada@example.test"

interface Site {
  readonly browser: Browser
  readonly clock: FrozenClock
  readonly store: MemoryAdapter
  readonly mail: Mailbox
  /** The methods of the adapter, in the order of their calls. */
  readonly calls: string[]
  /** A browser at another process of the application. */
  readonly elsewhere: Browser
}

/** Ada has requested a link. */
async function asked(make: (store: MemoryAdapter) => Adapter = (store) => store, code = false): Promise<Site> {
  const clock = frozenClock()
  const store = memoryAdapter()
  const mail = mailbox({ code })
  const calls: string[] = []
  const adapter = intercept(make(store), (method, run) => (calls.push(method), run()))
  const config = { providers: [mail.provider], adapter, session: { strategy: "jwt" as const } }
  const browser = await visit(config, { clock })
  // Sites with different clocks share no memory.
  const runtime = { ...clock.runtime, now: () => clock.now() }
  const elsewhere = await visit({ ...config, runtime }, { clock: { ...clock, runtime } })
  await browser.signIn("email", { email: ada })
  return { browser, clock, store, mail, calls, elsewhere }
}

/** Only what published adapters have. */
function published(store: MemoryAdapter): Adapter {
  const { getVerificationToken: _, deleteVerificationTokens: __, ...methods } = store
  return methods
}

/** Returns the link as it's opened. */
type End = (its: Site) => Promise<string> | string

function changed(change: (link: URL) => void): End {
  return ({ mail }) => {
    const link = new URL(mail.link(0))
    change(link)
    return link.href
  }
}

const ends: Readonly<Record<string, End>> = {
  used: async ({ browser, mail }) => {
    await browser.get(mail.link(0))
    expect(await emailOf(browser)).toBe(ada)
    return mail.link(0)
  },
  expired: ({ clock, mail }) => {
    clock.advance({ days: 1 })
    return mail.link(0)
  },
  incomplete: changed(({ searchParams }) => searchParams.delete("token")),
  unknown: changed(({ searchParams }) => searchParams.set("token", "f".repeat(64))),
}

const visitors: Readonly<Record<string, (its: Site) => Promise<Browser> | Browser>> = {
  "the browser that requested it": ({ browser }) => browser,
  "another browser": ({ browser }) => browser.fresh(),
  "the browser of the same user": async ({ browser, mail }) => signedIn(browser.fresh(), mail, ada),
  "the browser of another user": async ({ browser, mail }) => signedIn(browser.fresh(), mail, "grace@example.test"),
}

async function signedIn(browser: Browser, mail: Mailbox, email: string): Promise<Browser> {
  await signInByMail(browser, mail, email)
  return browser
}

describe.each([
  ["an adapter that reads tokens", (store: MemoryAdapter): Adapter => store],
  ["a published adapter", published],
])("with %s", (name, make) => {
  // Without a look-up, only the request that uses a token can tell that there's none.
  const known = Object.entries(ends).filter(([what]) => name !== "a published adapter" || what !== "unknown")
  for (const [what, end] of known) {
    test.each(Object.entries(visitors))(
      `%s reads at once that a link is ${what}, and uses nothing up`,
      async (_, open) => {
        const its = await asked(make)
        const visitor = await open(its)
        const link = await end(its)
        const wasSignedIn = await emailOf(visitor)
        const rows = its.store.rows().verificationTokens
        its.calls.length = 0
        await visitor.fetch(link, { method: "HEAD" })
        const step = await visitor.fetch(link, { headers: { accept: "application/json" } })
        expect([step.status, await step.json()]).toMatchObject([
          401,
          { status: "error", error: { code: "Verification" } },
        ])
        await visitor.get(link)
        expect([errorAt(visitor), visitor.forms]).toEqual(["/auth/error Verification", []])
        expect(its.calls).not.toContain("useVerificationToken")
        expect(its.store.rows().verificationTokens).toEqual(rows)
        expect(await emailOf(visitor)).toBe(wasSignedIn)
      },
    )
  }
})

test("another process reads at once that a link was used", async () => {
  const { browser, elsewhere, mail } = await asked()
  await browser.get(mail.link())
  await elsewhere.get(mail.link())
  expect([errorAt(elsewhere), elsewhere.forms]).toEqual(["/auth/error Verification", []])
})

test("another process with a published adapter reads it after a click", async () => {
  const { browser, elsewhere, mail } = await asked(published)
  await browser.get(mail.link())
  await elsewhere.get(mail.link())
  await elsewhere.submitForm(0)
  expect(errorAt(elsewhere)).toBe("/auth/error Verification")
})

test("a link that a failed sign-in gave back isn't used", async () => {
  let isOpen = false
  const clock = frozenClock()
  const mail = mailbox()
  const callbacks = { signIn: ({ email }: { email?: unknown }) => isOpen || email !== undefined }
  const browser = await visit({ providers: [mail.provider], adapter: published(memoryAdapter()), callbacks }, { clock })
  await browser.signIn("email", { email: ada })
  await browser.get(mail.link())
  expect(errorAt(browser)).toBe("/auth/error AccessDenied")
  isOpen = true
  await browser.get(mail.link())
  await browser.submitForm(0)
  expect(await emailOf(browser)).toBe(ada)
})

test("a database that can't be read shows the button", async () => {
  const { browser, mail } = await asked((store) => ({
    ...store,
    getVerificationToken: () => {
      throw new Error("the database is away")
    },
  }))
  const other = browser.fresh()
  await other.get(mail.link())
  await other.submitForm(0)
  expect(await emailOf(other)).toBe(ada)
})

describe("the form for a code", () => {
  const alert = 'role="alert"><p id="code-error">'

  test.each([
    ["an adapter that reads tokens", (store: MemoryAdapter): Adapter => store],
    ["a published adapter", published],
  ])("says at once that the code is used or expired, with %s", async (_, make) => {
    for (const end of [
      async ({ browser, mail }: Site) => {
        const other = browser.fresh()
        await other.get(mail.link())
        await other.submitForm(0)
        expect(hasSession(other)).toBe(true)
      },
      async ({ clock }: Site) => clock.advance({ minutes: 11 }),
    ]) {
      const its = await asked(make, true)
      await end(its)
      const { browser } = its
      await browser.get("/auth/verify-request?provider=email&type=email")
      expect(browser.text).toContain(alert)
      expect(browser.text).not.toContain('name="code"')
    }
  })

  test("says at once that another process used the code", async () => {
    const { browser, clock, elsewhere, mail } = await asked(undefined, true)
    clock.advance({ minutes: 1 })
    await elsewhere.get(mail.link())
    await elsewhere.submitForm(0)
    await browser.get("/auth/verify-request?provider=email&type=email")
    expect(browser.text).toContain(alert)
  })
})
