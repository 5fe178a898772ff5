import type { AuthConfig } from "@latchkey/core"
import type { Adapter } from "@latchkey/core/adapters"
import {
  type Browser,
  createProvider,
  type FakeProvider,
  frozenClock,
  type FrozenClock,
  visit,
} from "@latchkey/testing"
import { describe, expect, test } from "vitest"
import { byName, lastOf, mailer, sessionToken } from "./applications.js"
import { stores } from "./stores.js"

interface Application {
  readonly adapter: Adapter
  readonly browser: Browser
  readonly clock: FrozenClock
  readonly op: FakeProvider
  /** A second provider, at which the same users have other accounts. */
  readonly other: FakeProvider
  readonly links: readonly string[]
  /** The events of sign-ins, sign-ups and links. */
  readonly events: readonly string[]
}

async function application(
  open: () => Promise<Adapter>,
  strategy: "jwt" | "database",
  more: Partial<AuthConfig> = {},
): Promise<Application> {
  const clock = frozenClock()
  const people = { ada: { email: "ada@elsewhere.test", name: "Ada", sub: "ada-elsewhere" } }
  const op = createProvider({ clock })
  const other = createProvider({ clock, id: "other", issuer: "https://other.test", people })
  const { provider: mail, links } = mailer()
  const happened: string[] = []
  const adapter = await open()
  const config: AuthConfig = {
    adapter,
    session: { strategy },
    providers: [op.provider(), other.provider(), mail, byName],
    callbacks: { session: ({ session, token, user }) => ({ ...session, id: token?.sub ?? text(user.id) }) },
    events: {
      createUser: ({ user }) => void happened.push(`created ${user.email}`),
      linkAccount: ({ account }) => void happened.push(`linked ${account.provider}`),
      signIn: ({ isNewUser }) => void happened.push(isNewUser === true ? "signed up" : "signed in"),
    },
    ...more,
  }
  return { adapter, browser: await visit(config, { clock }), clock, op, other, links, events: happened }
}

/** Some adapters have numbers as ids, despite their types. */
function text(id: unknown): string {
  return String(id)
}

async function idOf(browser: Browser): Promise<unknown> {
  return Object(await browser.session()).id
}

/** An application with credentials, and a user in its store. */
async function withStoredUser(open: () => Promise<Adapter>): Promise<Application & { id: string }> {
  const adapter = await open()
  const user = await adapter.createUser?.({ id: "1", email: "ada@example.test", emailVerified: null })
  const id = String(user?.id)
  const providers = [{ ...byName, authorize: () => ({ id }) }]
  return { ...(await application(async () => adapter, "database", { providers })), id }
}

describe.each(stores)("$name", ({ open }) => {
  describe.each(["jwt", "database"] as const)("with strategy %s", (strategy) => {
    test("a first sign-in with a provider creates a user, and the next one finds it", async () => {
      const { adapter, browser, op, events } = await application(open, strategy)
      await browser.signInWith(op, { as: "ada" })
      const id = await idOf(browser)
      expect(await browser.session()).toMatchObject({ user: { email: "ada@example.test", name: "Ada Lovelace" } })
      const stored = await adapter.getUserByAccount?.({ provider: "op", providerAccountId: "ada" })
      expect(String(stored?.id)).toBe(id)
      await browser.signOut()
      expect(await browser.session()).toBeNull()
      await browser.signInWith(op, { as: "ada" })
      expect(await idOf(browser)).toBe(id)
      expect(events).toEqual(["created ada@example.test", "linked op", "signed up", "signed in"])
    })

    test("a second account is linked while signed in, and signs in the same user", async () => {
      const { browser, op, other, events } = await application(open, strategy)
      await browser.signInWith(op, { as: "ada" })
      const id = await idOf(browser)
      await browser.signInWith(other, { as: "ada" })
      expect(await idOf(browser)).toBe(id)
      expect(events.slice(3)).toEqual(["linked other", "signed in"])
      const elsewhere = browser.fresh()
      await elsewhere.signInWith(other, { as: "ada" })
      expect(await idOf(elsewhere)).toBe(id)
    })

    test("signing in again with the same account while signed in changes nothing", async () => {
      const { browser, op, events } = await application(open, strategy)
      await browser.signInWith(op, { as: "ada" })
      const id = await idOf(browser)
      await browser.signInWith(op, { as: "ada" })
      expect(await idOf(browser)).toBe(id)
      expect(events.slice(3)).toEqual(["signed in"])
    })

    test("an account of another user is not linked", async () => {
      const { browser, op, other } = await application(open, strategy)
      await browser.fresh().signInWith(other, { as: "grace" })
      await browser.signInWith(op, { as: "ada" })
      const id = await idOf(browser)
      await browser.signInWith(other, { as: "grace" })
      expect(browser.location).toContain("error=OAuthAccountNotLinked")
      expect(await idOf(browser)).toBe(id)
    })

    test("another provider can't take over an email in use", async () => {
      const { browser, op, other } = await application(open, strategy)
      await browser.signInWith(op, { as: "grace" })
      const elsewhere = browser.fresh()
      await elsewhere.signInWith(other, { as: "grace" })
      expect(elsewhere.location).toContain("error=OAuthAccountNotLinked")
      expect(await elsewhere.session()).toBeNull()
    })

    test("an email link signs up, signs in the same user later, and works once", async () => {
      const { adapter, browser, links, clock, events } = await application(open, strategy)
      await browser.signIn("mail", { email: "Ada@Example.test" })
      await browser.get(lastOf(links))
      const id = await idOf(browser)
      const stored = await adapter.getUserByEmail?.("ada@example.test")
      expect(new Date(stored?.emailVerified ?? 0).getTime()).toBe(clock.now())
      const elsewhere = browser.fresh()
      await elsewhere.get(lastOf(links))
      expect(elsewhere.location).toContain("error=Verification")
      expect(await elsewhere.session()).toBeNull()
      await elsewhere.signIn("mail", { email: "ada@example.test" })
      await elsewhere.get(lastOf(links))
      expect(await idOf(elsewhere)).toBe(id)
      expect(events).toEqual(["created ada@example.test", "signed up", "signed in"])
    })

    test("an expired email link is refused", async () => {
      const { browser, links, clock } = await application(open, strategy)
      await browser.signIn("mail", { email: "ada@example.test" })
      clock.advance({ days: 1 })
      await browser.get(lastOf(links))
      expect(browser.location).toContain("error=Verification")
      expect(await browser.session()).toBeNull()
    })

    test("of 20 parallel uses of an email link exactly one gets a session", async () => {
      const { browser, links, events } = await application(open, strategy)
      await browser.signIn("mail", { email: "ada@example.test" })
      const tabs = Array.from({ length: 20 }, () => browser.clone())
      await Promise.all(tabs.map((tab) => tab.get(lastOf(links))))
      const winners = tabs.filter(({ trail }) => trail.some((response) => setsSession(response)))
      const refused = tabs.filter(({ location }) => location.includes("error=Verification"))
      expect([winners.length, refused.length]).toEqual([1, 19])
      expect(events).toEqual(["created ada@example.test", "signed up"])
      expect(await browser.session()).toMatchObject({ user: { email: "ada@example.test" } })
    })
  })

  test("a database session is extended in the store once it is older than `updateAge`", async () => {
    const { adapter, browser, clock, op } = await application(open, "database")
    await browser.signInWith(op, { as: "ada" })
    const token = sessionToken(browser) ?? ""
    const begun = clock.now()
    clock.advance({ hours: 23 })
    expect(await browser.session()).toMatchObject({ expires: inDays(begun, 30) })
    clock.advance({ hours: 2 })
    expect(await browser.session()).toMatchObject({ expires: inDays(clock.now(), 30) })
    const stored = await adapter.getSessionAndUser?.(token)
    expect(new Date(stored?.session.expires ?? 0).toISOString()).toBe(inDays(clock.now(), 30))
    expect(sessionToken(browser)).toBe(token)
  })

  test("an expired database session is deleted", async () => {
    const { adapter, browser, clock, op } = await application(open, "database")
    await browser.signInWith(op, { as: "ada" })
    const cookie = browser.cookies.find(({ name }) => name.endsWith("session-token"))
    clock.advance({ days: 30 })
    if (cookie !== undefined) browser.jar.put({ ...cookie, expires: undefined })
    expect(await browser.session()).toBeNull()
    expect(await adapter.getSessionAndUser?.(cookie?.value ?? "")).toBeNull()
  })

  test("signing out deletes the database session, and its cookie stops working", async () => {
    const { adapter, browser, op } = await application(open, "database")
    await browser.signInWith(op, { as: "ada" })
    const cookies = browser.cookies
    await browser.signOut()
    expect(await adapter.getSessionAndUser?.(cookies.find(isSession)?.value ?? "")).toBeNull()
    for (const cookie of cookies) browser.jar.put(cookie)
    expect(await browser.session()).toBeNull()
  })

  test("signing in again replaces the database session", async () => {
    const { adapter, browser, op } = await application(open, "database")
    await browser.signInWith(op, { as: "ada" })
    const first = sessionToken(browser) ?? ""
    await browser.signInWith(op, { as: "ada" })
    expect(sessionToken(browser)).not.toBe(first)
    expect(await adapter.getSessionAndUser?.(first)).toBeNull()
  })

  test("credentials get a database session for a user in the store", async () => {
    const { browser, id } = await withStoredUser(open)
    await browser.signIn("credentials", { name: "Ada" })
    expect(sessionToken(browser)?.length).toBeLessThan(100)
    expect(await browser.session()).toMatchObject({ id, user: { email: "ada@example.test" } })
    await browser.signOut()
    expect(await browser.session()).toBeNull()
  })
})

function isSession({ name }: { readonly name: string }): boolean {
  return name.endsWith("session-token")
}

function setsSession(response: Response): boolean {
  return response.headers.getSetCookie().some((line) => /session-token=[^;]/.test(line))
}

function inDays(from: number, days: number): string {
  return new Date(from + days * 86_400_000).toISOString()
}
