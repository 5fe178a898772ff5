import { type MemoryAdapter, memoryAdapter } from "@latchkey/adapter-kit/memory"
import type { Adapter } from "@latchkey/core/adapters"
import Passkey from "@latchkey/core/providers/passkey"
import type { AuthConfig } from "@latchkey/core/types"
import { type Browser, createAuthenticator, createProvider, type FakeProvider, visit } from "@latchkey/testing"
import { expect } from "vitest"
import { attack, type Mode } from "../../../../tests/attack.js"
import {
  emailOf,
  errorAt,
  hasSession,
  intercept,
  mailbox,
  type Mailbox,
  signInByMail,
  withoutTransactions,
} from "../flows/signin/setup.js"
import { strongSecret } from "../modes/setup.js"

const victim = "ada@example.test"

interface Site {
  readonly browser: Browser
  /** At another process of the application, which doesn't wait for this one. */
  readonly elsewhere: Browser
  readonly store: MemoryAdapter
  readonly op: FakeProvider
  readonly other: FakeProvider
  readonly mail: Mailbox
  /** Runs `work` right before the next call of the method. */
  before(method: string, work: () => Promise<unknown>): void
}

interface Kind {
  readonly transactions: boolean
  readonly session: NonNullable<AuthConfig["session"]>["strategy"]
}

const kinds: readonly Kind[] = [true, false].flatMap((transactions) =>
  (["database", "jwt"] as const).map((session) => ({ transactions, session })),
)

/** An application with two providers, passkeys and email, whose sessions can be ended. */
async function site(mode: Mode, { transactions, session }: Kind): Promise<Site> {
  const store = memoryAdapter()
  const op = createProvider()
  const other = createProvider({ id: "other", issuer: "https://other.test" })
  const mail = mailbox()
  let trap: { readonly method: string; readonly work: () => Promise<unknown> } | undefined
  const plain: Adapter = transactions ? store : withoutTransactions(store)
  const adapter = intercept(plain, async (method, run) => {
    const sprung = trap?.method === method ? trap : undefined
    if (sprung !== undefined) trap = undefined
    await sprung?.work()
    return run()
  })
  const config: AuthConfig = {
    secret: strongSecret,
    url: "https://app.test/auth",
    security: { mode, reclaimMailbox: true, revocableSessions: true, passkeySignUp: true },
    session: { strategy: session },
    adapter,
    providers: [op.provider(), other.provider(), mail.provider, Passkey()],
    experimental: { enableWebAuthn: true },
    rateLimit: false,
  }
  // A clock of its own has a memory of its own.
  const elsewhere = await visit({ ...config, runtime: { now: () => Date.now() } })
  return {
    browser: await visit(config),
    elsewhere,
    store,
    op,
    other,
    mail,
    before: (method, work) => void (trap = { method, work }),
  }
}

type Link = (its: Site, browser: Browser) => Promise<unknown>

/** With the calls before and after the link is stored. */
const links: readonly { readonly link: Link; readonly calls: readonly string[] }[] = [
  {
    link: ({ other }, browser) => browser.signInWith(other, { as: "mallory", fields: { link: "true" } }),
    calls: ["linkAccount", "createSession"],
  },
  {
    link: (_, browser) => browser.registerPasskey(createAuthenticator()),
    calls: ["linkAccount", "createAuthenticator", "createSession"],
  },
]

/** Every way to link, at every point, with every kind of adapter and session. */
async function eachLink(mode: Mode, play: (its: Site, link: Link, call: string) => Promise<void>): Promise<void> {
  for (const kind of kinds) {
    for (const { link, calls } of links) for (const call of calls) await play(await site(mode, kind), link, call)
  }
}

/** Mallory signs up with the victim's email, which the provider hasn't verified. */
async function mallorySignsUp({ browser, op, other }: Site): Promise<Browser> {
  op.people["mallory"] = { sub: "mallory", email: victim, email_verified: false }
  other.people["mallory"] = { sub: "mallory2", email: "mallory@evil.test", email_verified: true }
  const mallory = browser.fresh()
  await mallory.signInWith(op, { as: "mallory" })
  expect(await emailOf(mallory)).toBe(victim)
  return mallory
}

attack("ADV-BA-13", "a link that the owner of the email overtakes doesn't survive", async (mode) => {
  await eachLink(mode, async (its, link, call) => {
    const mallory = await mallorySignsUp(its)
    const { elsewhere: owner } = its
    await owner.signIn("email", { email: victim })
    its.before(call, () => owner.get(its.mail.link()))
    await link(its, mallory)
    expect([call, errorAt(mallory), await mallory.session()]).toEqual([call, "/auth/error AccessDenied", null])
    expect(await emailOf(owner)).toBe(victim)
    const { users, accounts, authenticators, sessions } = its.store.rows()
    expect([users.length, accounts, authenticators, sessions.length]).toEqual([1, [], [], 1])
    expect(users[0]?.emailVerified).toBeInstanceOf(Date)
    const later = mallory.fresh()
    await later.signInWith(its.other, { as: "mallory" })
    expect(await emailOf(later)).toBe("mallory@evil.test")
  })
})

attack("ADV-BA-13", "a sign-up that the owner of the email overtakes gets no account", async (mode) => {
  const signUps: typeof links = [
    { link: ({ op }, browser) => browser.signInWith(op, { as: "mallory" }), calls: ["linkAccount", "createSession"] },
    {
      link: (_, browser) => browser.registerPasskey(createAuthenticator(), { fields: { email: victim } }),
      calls: ["linkAccount", "createAuthenticator", "createSession"],
    },
  ]
  for (const kind of kinds)
    for (const { link, calls } of signUps)
      for (const call of calls) {
        const its = await site(mode, kind)
        its.op.people["mallory"] = { sub: "mallory", email: victim, email_verified: false }
        const { browser: mallory, elsewhere: owner } = its
        await owner.signIn("email", { email: victim })
        its.before(call, () => owner.get(its.mail.link()))
        await link(its, mallory)
        expect([kind, call, await mallory.session(), await emailOf(owner)]).toEqual([kind, call, null, victim])
        const { users, accounts, sessions } = its.store.rows()
        expect([users.length, accounts, sessions.length]).toEqual([1, [], 1])
      }
})

attack(
  "LINK-04",
  "a link whose session was ended everywhere meanwhile is undone, and starts no session",
  async (mode) => {
    await eachLink(mode, async (its, link, call) => {
      const { store, browser, op } = its
      await browser.signInWith(op, { as: "ada" })
      const thief = browser.clone()
      its.other.people["mallory"] = { sub: "mallory2", email: "mallory@evil.test", email_verified: true }
      its.before(call, async () => store.deleteSessions(store.rows().users[0]?.id ?? ""))
      await link(its, thief)
      expect([call, errorAt(thief), await thief.session()]).toEqual([call, "/auth/error AccessDenied", null])
      const { accounts, authenticators, sessions } = store.rows()
      expect([accounts.map(({ provider }) => provider), authenticators, sessions]).toEqual([["op"], [], []])
    })
  },
)

attack("RACE-03", "an account or passkey that is removed during a sign-in with it starts no session", async (mode) => {
  for (const kind of kinds) {
    for (const call of ["updateAccount", "createSession"]) {
      const its = await site(mode, kind)
      await its.browser.signInWith(its.op, { as: "ada" })
      const thief = its.browser.fresh()
      its.before(call, () => remove(its.store))
      await thief.signInWith(its.op, { as: "ada" })
      expect([call, errorAt(thief), its.store.rows().sessions]).toEqual([call, "/auth/error AccessDenied", []])
    }
    for (const call of ["updateAuthenticator", "createSession"]) {
      const its = await site(mode, kind)
      const authenticator = createAuthenticator()
      await its.browser.signInWith(its.op, { as: "ada" })
      await its.browser.registerPasskey(authenticator)
      const thief = its.browser.fresh()
      its.before(call, () => remove(its.store))
      await thief.signInWithPasskey(authenticator)
      expect([call, errorAt(thief), its.store.rows().sessions]).toEqual([call, "/auth/error AccessDenied", []])
    }
  }
})

/** The user unlinks everything and signs out everywhere. */
async function remove(store: MemoryAdapter): Promise<void> {
  const { accounts, users } = store.rows()
  for (const account of accounts) await store.unlinkAccount(account)
  for (const { id } of users) await store.deleteSessions(id)
}

attack("RACE-03", "a link to a former mailbox doesn't sign in as the user who replaced it meanwhile", async (mode) => {
  for (const kind of kinds) {
    for (const call of ["updateUser", "createSession"]) {
      const its = await site(mode, kind)
      const { browser, mail, store } = its
      await signInByMail(browser, mail, victim)
      const id = store.rows().users[0]?.id ?? ""
      const thief = browser.fresh()
      await thief.signIn("email", { email: victim })
      its.before(call, async () => {
        await store.updateUser({ id, email: "new@example.test", emailVerified: null })
        await store.deleteSessions(id)
        await store.deleteVerificationTokens(victim)
      })
      await thief.get(mail.link())
      expect([call, errorAt(thief), hasSession(thief)]).toEqual([call, "/auth/error Verification", false])
      expect(store.rows().sessions).toEqual([])
      // The used link isn't restored: it would create a user with the former email.
      expect(store.rows().verificationTokens).toEqual([])
      if (kind.transactions && call === "updateUser") expect(store.rows().users[0]?.emailVerified).toBeNull()
    }
  }
})
