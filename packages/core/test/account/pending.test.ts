import { memoryAdapter } from "@latchkey/adapter-kit/memory"
import type { Adapter } from "@latchkey/core/adapters"
import { type Browser, createAuthenticator } from "@latchkey/testing"
import { expect, test } from "vitest"
import { attack, type Mode } from "../../../../tests/attack.js"
import { hasSession } from "../flows/signin/setup.js"
import { answer, issue, send } from "../methods/webauthn/setup.js"
import { sessionKinds } from "./behaviors.js"
import { linkIn, type Site, site, type SiteOptions } from "./setup.js"

const modes: Readonly<Record<Mode, SiteOptions>> = {
  compatible: {},
  strict: { trustHost: ["https://app.test"] },
}

/** Ada, and a thief who is signed in as her. */
interface Stolen extends Site<Adapter> {
  readonly thief: Browser
  /** The email of the account. */
  emailOf(): Promise<unknown>
}

async function stolen(mode: Mode, kind: SiteOptions): Promise<Stolen> {
  const security = { mode, revocableSessions: true }
  const store = memoryAdapter()
  const its = await site<Adapter>(store, { ...modes[mode], ...kind, security })
  await its.browser.signInWith(its.first, { as: "ada" })
  const thief = await its.phone()
  await thief.signInWith(its.first, { as: "ada" })
  return { ...its, thief, emailOf: async () => store.rows().users.find(({ name }) => name === "Ada Lovelace")?.email }
}

type End = (its: Stolen) => Promise<unknown>

const ends: Readonly<Record<string, End>> = {
  "the session is ended": async ({ account }) => {
    const [other] = (await account().sessions()).filter(({ isCurrent }) => !isCurrent)
    expect(await account().revokeSession(other?.id ?? "")).toBe(true)
  },
  "the other sessions are ended": ({ account }) => account().revokeOtherSessions(),
  "all sessions are ended": ({ account }) => account().revokeSessions(),
}

/** Starts something, and returns how it's finished. */
type Start = (its: Stolen) => Promise<() => Promise<unknown>>

const starts: Readonly<Record<string, Start>> = {
  "a change of the email": async ({ account, accountMail, browser, first, thief, emailOf }) => {
    await account(thief).changeEmail("mallory@evil.test")
    const link = linkIn(accountMail)
    return async () => {
      await expect(account(thief).confirmEmail(link)).rejects.toMatchObject({ type: "SessionRequired" })
      // The thief makes the owner confirm it.
      await browser.signInWith(first, { as: "ada" })
      await browser.get(accountMail.at(-1)?.url ?? "")
      expect(browser.text).toContain("This link is no longer valid.")
      await expect(account().confirmEmail(link)).rejects.toMatchObject({ type: "Verification" })
      expect(await emailOf()).toBe("ada@example.test")
    }
  },
  "an account to link": async ({ account, browser, first, second, thief }) => {
    await thief.post("/auth/signin/second", { csrfToken: (await thief.csrf()) ?? "", link: "true" })
    const response = await second.authorize(thief.location, { as: "grace" })
    return async () => {
      await thief.follow(response, second.issuer)
      expect(new URL(thief.location).searchParams.get("error")).not.toBeNull()
      expect(hasSession(thief)).toBe(false)
      await browser.signInWith(first, { as: "ada" })
      expect(await account().accounts()).toMatchObject([{ provider: "op" }])
    }
  },
  "a passkey to add": async ({ account, browser, first, thief }) => {
    const issued = await issue(thief, { action: "register" })
    return async () => {
      await send(thief, "register", await answer(createAuthenticator(), issued))
      expect(hasSession(thief)).toBe(false)
      await browser.signInWith(first, { as: "ada" })
      expect(await account().passkeys()).toEqual([])
    }
  },
  "a link to sign in that the thief has read": async ({ browser, mail, thief }) => {
    await browser.signIn("email", { email: "ada@example.test" })
    const link = mail.link()
    return async () => {
      await thief.get(link)
      if (thief.forms.length > 0) await thief.submitForm(0)
      expect(hasSession(thief)).toBe(false)
    }
  },
}

for (const [kind, rest] of sessionKinds) {
  for (const [what, start] of Object.entries(starts)) {
    for (const [when, end] of Object.entries(ends)) {
      attack("T3-11", `${what} ends when ${when} (${kind})`, async (mode) => {
        const its = await stolen(mode, rest)
        const finish = await start(its)
        await end(its)
        expect(await its.thief.session()).toBeNull()
        await finish()
      })
    }
  }
}

attack("T3-11", "a change of the email ends with the first proof of the mailbox", async (mode) => {
  const security = { mode, reclaimMailbox: false }
  const its = await site(memoryAdapter(), { ...modes[mode], session: { strategy: "database" }, security })
  const { account, accountMail, browser: mallory, first, mail } = its
  first.people["mallory"] = { sub: "mallory", email: "ada@example.test", email_verified: false }
  await mallory.signInWith(first, { as: "mallory" })
  await account().changeEmail("mallory@evil.test")
  const ada = mallory.fresh()
  await ada.signIn("email", { email: "ada@example.test" })
  await ada.get(mail.link())
  await expect(account().confirmEmail(linkIn(accountMail))).rejects.toMatchObject({ type: "Verification" })
  expect(await ada.session()).toMatchObject({ user: { email: "ada@example.test" } })
})

test("a change of the email that a published adapter stored ends when the user is deleted", async () => {
  const { deleteVerificationTokens: _, ...adapter } = memoryAdapter()
  const { account, browser, first } = await site<Adapter>(adapter)
  await browser.signInWith(first, { as: "ada" })
  await account().changeEmail("new@example.test")
  await account().deleteAccount()
  expect(adapter.rows().verificationTokens).toEqual([])
})

test("a change that is requested while all sessions end isn't pending afterwards", async () => {
  const store = memoryAdapter()
  let meanwhile: (() => Promise<unknown>) | undefined
  const adapter: Adapter = {
    ...store,
    async createVerificationToken(row) {
      const work = meanwhile
      meanwhile = undefined
      await work?.()
      return store.createVerificationToken(row)
    },
  }
  const { account, accountMail, browser, first, phone } = await site<Adapter>(adapter)
  await browser.signInWith(first, { as: "ada" })
  const thief = await phone()
  await thief.signInWith(first, { as: "ada" })
  meanwhile = () => account().revokeSessions()
  await expect(account(thief).changeEmail("mallory@evil.test")).rejects.toMatchObject({ type: "SessionRequired" })
  expect([accountMail, store.rows().verificationTokens]).toEqual([[], []])
})

const parameters = (link: URL) => link.searchParams

test.each([
  ["expired", (_: URL, { clock }: Site<Adapter>) => clock.advance({ hours: 2 })],
  ["for another email", (link: URL) => parameters(link).set("email", "mallory@evil.test")],
  ["incomplete", (link: URL) => parameters(link).delete("token")],
  ["damaged", (link: URL) => parameters(link).set("token", "x")],
] as const)("a link that is %s says so at once, and nothing is used up", async (_, change) => {
  const its = await site<Adapter>(memoryAdapter())
  const { account, accountMail, browser, first } = its
  await browser.signInWith(first, { as: "ada" })
  await account().changeEmail("new@example.test")
  const link = new URL(accountMail[0]?.url ?? "")
  change(link, its)
  await browser.get(link.href)
  expect(browser.text).toContain("This link is no longer valid.")
  expect(browser.text).not.toContain('value="confirm-email"')
  const step = await browser.fetch(link.href, { headers: { accept: "application/json" } })
  expect(await step.json()).toMatchObject({ status: "error", error: { code: "Verification" } })
})

test("an application's own page gets the error instead of the link", async () => {
  const { account, accountMail, browser, first } = await site<Adapter>(memoryAdapter(), { pages: { account: "/me" } })
  await browser.signInWith(first, { as: "ada" })
  await account().changeEmail("new@example.test")
  const url = accountMail[0]?.url ?? ""
  await browser.get(url)
  expect(browser.location).toBe(url.replace("/auth/account", "/me"))
  await account().confirmEmail(linkIn(accountMail))
  await browser.get(url)
  expect(browser.location).toBe("https://app.test/me?error=Verification")
})
