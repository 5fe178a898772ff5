import { describe, expect, test } from "vitest"
import { captureLog } from "@latchkey/testing"
import { intercept } from "../flows/signin/setup.js"
import { appOf, compatible, hardened, mailer, whoIs, world } from "./setup.js"

const ada = { email: "ada@example.test" }

async function app(security: Parameters<typeof appOf>[1]["security"], maxAge?: number) {
  const its = world()
  const { provider, links } = mailer(maxAge === undefined ? {} : { maxAge })
  const browser = await appOf(its, { security, providers: [provider, its.op.provider()] })
  return { its, browser, links, link: (index: number) => links[index] ?? "" }
}

const lifetimes = [
  ['"compatible"', "compatible", 86_400],
  ['"strict" with emailLinkMaxAge', { mode: "strict", emailLinkMaxAge: 60 }, 60],
  ['"strict"', "strict", 900],
  ["the option emailLinkMaxAge", { emailLinkMaxAge: 900 }, 900],
] as const

test.each(lifetimes)("under %s a link expires after its lifetime, to the second", async (_, security, seconds) => {
  const { its, browser, link } = await app(security)
  await browser.signIn("mail", ada)
  its.clock.advance({ seconds: seconds - 1 })
  await browser.get(link(0))
  expect(await whoIs(browser)).toBe(ada.email)

  const late = browser.fresh()
  await late.signIn("mail", { email: "grace@example.test" })
  its.clock.advance({ seconds })
  await late.get(link(1))
  expect(late.location).toBe("https://app.test/auth/error?error=Verification")
  expect(await late.session()).toBeNull()
})

test("a provider's own `maxAge` wins over the mode", async () => {
  const { its, browser, link } = await app("strict", 7200)
  await browser.signIn("mail", ada)
  its.clock.advance({ minutes: 100 })
  await browser.get(link(0))
  expect(await whoIs(browser)).toBe(ada.email)
})

test.each(compatible("newestEmailLinkOnly", false))("under %s every outstanding link works", async (_, security) => {
  const { browser, link } = await app(security)
  await browser.signIn("mail", ada)
  await browser.signIn("mail", ada)
  await browser.get(link(0))
  expect(await whoIs(browser)).toBe(ada.email)
})

describe.each(hardened("newestEmailLinkOnly", true))("under %s", (_, security) => {
  test("a new link invalidates the older one", async () => {
    const { its, browser, link } = await app(security)
    await browser.signIn("mail", ada)
    await browser.signIn("mail", ada)
    expect(its.adapter.rows().verificationTokens).toHaveLength(1)
    await browser.get(link(0))
    expect(browser.location).toBe("https://app.test/auth/error?error=Verification")
    await browser.get(link(1))
    expect(await whoIs(browser)).toBe(ada.email)
  })

  test("links of other addresses remain valid", async () => {
    const { browser, link } = await app(security)
    await browser.signIn("mail", ada)
    await browser.signIn("mail", { email: "grace@example.test" })
    await browser.get(link(0))
    expect(await whoIs(browser)).toBe(ada.email)
  })
})

/** Mallory signs up with ada's address, unverified by the provider, and waits for ada to sign in. */
async function hijack(security: Parameters<typeof appOf>[1]["security"], change: object = {}) {
  const its = world()
  its.op.people["mallory"] = { sub: "mallory", name: "Mallory", email: ada.email, email_verified: false }
  const { provider, links } = mailer()
  const adapter = Object.assign(its.adapter, change)
  const browser = await appOf(its, { security, adapter, providers: [provider, its.op.provider()] })
  const mallory = browser.fresh()
  await mallory.signInWith(its.op, { as: "mallory" })
  await browser.signIn("mail", ada)
  await browser.get(links[0] ?? "")
  return { its, browser, mallory }
}

test.each(compatible("reclaimMailbox", false))(
  "under %s the first verification of an email address removes nothing",
  async (_, security) => {
    const { its, browser, mallory } = await hijack(security)
    expect(await whoIs(browser)).toBe(ada.email)
    expect(await whoIs(mallory)).toBe(ada.email)
    expect(its.adapter.rows().accounts).toHaveLength(1)
  },
)

describe.each(hardened("reclaimMailbox", true))("under %s", (_, security) => {
  test("the first verification of an email address removes sessions and accounts created before it", async () => {
    const { its, browser, mallory } = await hijack(security)
    expect(await whoIs(browser)).toBe(ada.email)
    expect(await mallory.session()).toBeNull()
    expect(its.adapter.rows().accounts).toEqual([])
    await mallory.signInWith(its.op, { as: "mallory" })
    expect(mallory.location).toMatch(/error=OAuth(?:AccountNotLinked|CallbackError)/)
  })

  test("a user without `emailVerified` counts as unverified", async () => {
    const its = world()
    const found = its.adapter.getUserByEmail
    its.op.people["mallory"] = { sub: "mallory", email: ada.email, email_verified: false }
    const { provider, links } = mailer()
    const adapter = Object.assign(its.adapter, {
      getUserByEmail: async (email: string) => {
        const whole = await found(email)
        if (whole === null) return null
        const { emailVerified: __, ...rest } = whole
        return rest
      },
    })
    const browser = await appOf(its, { security, adapter, providers: [provider, its.op.provider()] })
    await browser.fresh().signInWith(its.op, { as: "mallory" })
    await browser.signIn("mail", ada)
    await browser.get(links[0] ?? "")
    expect(its.adapter.rows().accounts).toEqual([])
  })

  test("a session created during the verification is removed as well", async () => {
    const its = world()
    its.op.people["mallory"] = { sub: "mallory", email: ada.email, email_verified: false }
    const { provider, links } = mailer()
    let meanwhile: (() => Promise<unknown>) | undefined
    const adapter = intercept(its.adapter, async (method, run) => {
      if (method === "createSession") await take()
      return run()
    })
    async function take(): Promise<void> {
      const work = meanwhile
      meanwhile = undefined
      await work?.()
    }
    const providers = [provider, its.op.provider()]
    const mallory = await appOf(its, { security, adapter, providers, session: { strategy: "database" } })
    await mallory.signInWith(its.op, { as: "mallory" })
    await mallory.signOut()
    const owner = mallory.fresh()
    await owner.signIn("mail", ada)
    meanwhile = async () => owner.get(links[0] ?? "")
    await mallory.signInWith(its.op, { as: "mallory" })
    expect(meanwhile).toBeUndefined()
    expect(mallory.location).toMatch(/error=AccessDenied/)
    expect(await mallory.session()).toBeNull()
    expect(await whoIs(owner)).toBe(ada.email)
    expect(its.adapter.rows().sessions).toHaveLength(1)
  })

  test("a session created while the verification is being stored is removed as well", async () => {
    const its = world()
    its.op.people["mallory"] = { sub: "mallory", email: ada.email, email_verified: false }
    const { provider, links } = mailer()
    let trap: (() => Promise<unknown>) | undefined
    const adapter = intercept(its.adapter, async (method, run) => {
      const result = await run()
      if (method === "transaction") await trap?.()
      return result
    })
    const providers = [provider, its.op.provider()]
    const owner = await appOf(its, { security, adapter, providers, session: { strategy: "database" } })
    await owner.fresh().signInWith(its.op, { as: "mallory" })
    const userId = its.adapter.rows().users[0]?.id ?? ""
    const expires = new Date(its.clock.now() + 60_000)
    trap = async () => its.adapter.createSession?.({ sessionToken: "trap", userId, expires })
    await owner.signIn("mail", ada)
    await owner.get(links[0] ?? "")
    expect(its.adapter.rows().sessions.map(({ sessionToken }) => sessionToken)).not.toContain("trap")
    expect(await whoIs(owner)).toBe(ada.email)
  })

  test("a later sign-in by email removes nothing", async () => {
    const { its, browser, link } = await app(security)
    await browser.signIn("mail", ada)
    await browser.get(link(0))
    await browser.signInWith(its.op, { as: "grace", fields: { link: "true" } })
    const elsewhere = browser.fresh()
    await elsewhere.signIn("mail", ada)
    await elsewhere.get(link(1))
    expect(await whoIs(browser)).toBe(ada.email)
    expect(its.adapter.rows().sessions).toHaveLength(2)
  })
})

test("a missing adapter method is logged once", async () => {
  const log = captureLog()
  const its = world()
  const { deleteSessions: _, deleteVerificationTokens: __, listAccounts: ___, ...adapter } = its.adapter
  const { provider } = mailer()
  const browser = await appOf(its, {
    security: "strict",
    adapter: Object.assign(adapter, { rows: its.adapter.rows }),
    providers: [provider],
    logger: log.logger,
  })
  await browser.signIn("mail", ada)
  await browser.signIn("mail", ada)
  const said = log.entries.filter(({ message }) => message === "store-capability-missing")
  expect(said.map(({ detail }) => detail)).toEqual([
    expect.stringMatching(/deleteVerificationTokens, deleteSessions, listAccounts/),
  ])
})
