import { memoryAdapter } from "@latchkey/adapter-kit/memory"
import type { Adapter } from "@latchkey/core/adapters"
import { createServer } from "@latchkey/core/server"
import { createAuthenticator } from "@latchkey/testing"
import { describe, expect, test } from "vitest"
import { hasSession, intercept, withoutTransactions } from "../flows/signin/setup.js"
import { attack, type Mode } from "../../../../tests/attack.js"
import { equipped, sessionKinds } from "./behaviors.js"
import { keepCookies, linkIn, site, type SiteOptions, visitorOf } from "./setup.js"

/** Ada, and Grace in another browser, with an account and a passkey each. */
async function two(config: SiteOptions = {}) {
  const its = await equipped(memoryAdapter(), config)
  const other = await its.phone()
  await other.signInWith(its.first, { as: "grace" })
  await other.registerPasskey(createAuthenticator())
  return { ...its, other, grace: () => its.account(other) }
}

const modes: Readonly<Record<Mode, SiteOptions>> = {
  compatible: {},
  strict: { security: "strict", trustHost: ["https://app.test"] },
}

/** A site at which something happens right before an email is stored. */
async function interrupted(transactions: boolean, config: SiteOptions) {
  const store = memoryAdapter()
  let meanwhile: (() => Promise<unknown>) | undefined
  const plain: Adapter = transactions ? store : withoutTransactions(store)
  const adapter = intercept(plain, async (method, run) => {
    const work = method === "updateUser" || method === "transaction" ? meanwhile : undefined
    if (work !== undefined) meanwhile = undefined
    await work?.()
    return run()
  })
  const its = await site<Adapter>(adapter, config)
  return { ...its, store, before: (work: () => Promise<unknown>) => void (meanwhile = work) }
}

attack("SESS-06", "a user sees and ends their own sessions, and no other user's", async (mode) => {
  const { account, browser, first, grace, phone } = await two({ ...modes[mode], session: { strategy: "database" } })
  const second = await phone()
  await second.signInWith(first, { as: "ada" })
  expect(await account().sessions()).toHaveLength(2)
  const [hers] = await grace().sessions()
  expect(await account().revokeSession(hers?.id ?? "")).toBe(false)
  expect(await account().revokeOtherSessions()).toBe(1)
  expect([await second.session(), await browser.session()]).toEqual([null, expect.anything()])
  expect(await grace().sessions()).toHaveLength(1)
})

attack("LINK-05", "the last way to sign in stays, also if two are removed at once", async (mode) => {
  const { account } = await equipped(memoryAdapter(), { ...modes[mode], withoutEmail: true })
  const [passkey] = await account().passkeys()
  const removals = [
    ...(await account().accounts()).map((each) => async () => account().unlinkAccount(each)),
    async () => account().removePasskey(passkey?.id ?? ""),
  ]
  const results = await Promise.allSettled(removals.map(async (remove) => remove()))
  expect(results.filter(({ status }) => status === "rejected")).toMatchObject([
    { reason: { type: "LastSignInMethod" } },
  ])
  expect([...(await account().accounts()), ...(await account().passkeys())]).toHaveLength(1)
})

describe("ids of another user (IDOR)", () => {
  test("change nothing, and the answer is the same as for ids that don't exist", async () => {
    const { account, adapter, grace, other } = await two()
    const [passkey] = await grace().passkeys()
    const [linked] = await grace().accounts()
    const [session] = await grace().sessions()
    if (linked === undefined) throw new Error("Grace has an account")
    const before = JSON.stringify(adapter.rows())
    expect(await account().renamePasskey(passkey?.id ?? "", "mine")).toBe(false)
    expect(await account().removePasskey(passkey?.id ?? "")).toBe(false)
    expect(await account().unlinkAccount(linked)).toBe(false)
    expect(await account().revokeSession(session?.id ?? "")).toBe(false)
    expect(JSON.stringify(adapter.rows())).toBe(before)
    expect(await other.session()).not.toBeNull()
  })

  test("a passkey isn't an account that can be disconnected", async () => {
    const { account, adapter } = await equipped(memoryAdapter())
    const row = adapter.rows().accounts.find(({ type }) => type === "webauthn")
    if (row === undefined) throw new Error("The passkey has an account")
    expect(await account().unlinkAccount(row)).toBe(false)
    expect(await account().passkeys()).toHaveLength(1)
  })

  test("a session id is neither the token nor its hash, and no page has them", async () => {
    const { account, adapter, browser } = await equipped(memoryAdapter())
    await browser.get("/auth/account")
    const [session] = await account().sessions()
    for (const { sessionToken } of adapter.rows().sessions) {
      expect(session?.id).not.toContain(sessionToken)
      expect(browser.text).not.toContain(sessionToken)
    }
    expect(session?.id).toMatch(/^[0-9a-f]{32}$/)
  })
})

describe("removals in two processes", () => {
  test("without transactions, the one that leaves no way to sign in restores what it removed", async () => {
    const store = memoryAdapter()
    const { transaction: _, ...plain } = store
    let meanwhile: (() => Promise<unknown>) | undefined
    const adapter: Adapter = {
      ...plain,
      async unlinkAccount(account) {
        const other = meanwhile
        meanwhile = undefined
        await other?.()
        return store.unlinkAccount(account)
      },
    }
    const { account, browser, first, second } = await site<Adapter>(adapter, { withoutEmail: true })
    await browser.signInWith(first, { as: "ada" })
    await browser.signInWith(second, { as: "ada", fields: { link: "true" } })
    const [one, other] = await account().accounts()
    if (one === undefined || other === undefined) throw new Error("Two accounts are linked")
    const before = store.rows().accounts
    meanwhile = async () => store.unlinkAccount(other)
    await expect(account().unlinkAccount(one)).rejects.toMatchObject({ type: "LastSignInMethod" })
    expect(store.rows().accounts).toEqual(before.filter(({ provider }) => provider === one.provider))
    expect(await account().accounts()).toMatchObject([{ provider: one.provider, isRemovable: false }])
  })
})

describe("forged forms (CSRF)", () => {
  test("a form without the token changes nothing", async () => {
    const { account, browser } = await equipped(memoryAdapter())
    const [passkey] = await account().passkeys()
    await browser.post("/auth/account", { action: "remove-passkey", id: passkey?.id ?? "" })
    expect(new URL(browser.location).searchParams.get("error")).toBe("MissingCSRF")
    expect(await account().passkeys()).toHaveLength(1)
  })

  test("a form of another site changes nothing, even with a token", async () => {
    const { account, browser } = await equipped(memoryAdapter())
    const csrfToken = (await browser.csrf()) ?? ""
    const fields = { action: "delete-account", confirm: "ada@example.test", csrfToken }
    await browser.post("/auth/account", fields, { from: "https://evil.test/" })
    expect(await account().passkeys()).toHaveLength(1)
  })

  test("with forwardsForms, a form of another site changes nothing", async () => {
    const { account, browser, config } = await equipped(memoryAdapter())
    const { headers, origin } = visitorOf(browser)
    headers.set("origin", "https://evil.test")
    const forwarded = createServer(config, { forwardsForms: true }).account({ headers, origin, method: "POST" })
    await expect(forwarded.deleteAccount()).rejects.toMatchObject({ type: "MissingCSRF" })
    expect(await forwarded.passkeys()).toHaveLength(1)
    expect(await account().passkeys()).toHaveLength(1)
  })
})

describe("changing the email", () => {
  test("to the email of another user looks the same as to any other (enumeration)", async () => {
    const { account, accountMail, other } = await two()
    const free = await account().changeEmail("free@example.test")
    const taken = await account().changeEmail("grace@example.test")
    expect({ ...taken, email: "" }).toEqual({ ...free, email: "" })
    expect(accountMail.map(({ kind }) => kind)).toEqual(["confirm", "confirm"])
    await expect(account().confirmEmail(linkIn(accountMail))).rejects.toMatchObject({ type: "AccountNotLinked" })
    expect(await other.session()).toMatchObject({ user: { email: "grace@example.test" } })
  })

  test("a link works only for the user who asked, and only for its email", async () => {
    const { account, accountMail, grace } = await two()
    await account().changeEmail("new@example.test")
    const link = linkIn(accountMail)
    await expect(grace().confirmEmail(link)).rejects.toMatchObject({ type: "Verification" })
    const changed = { ...link, email: "evil@example.test" }
    await expect(account().confirmEmail(changed)).rejects.toMatchObject({ type: "Verification" })
    await account().confirmEmail(link)
    expect((await account().overview()).user.email).toBe("new@example.test")
  })

  test("a link expires, a newer one replaces it, and a change ends all others", async () => {
    const { account, accountMail, browser, clock, first } = await equipped(memoryAdapter())
    await account().changeEmail("one@example.test")
    const one = linkIn(accountMail)
    await account().changeEmail("two@example.test")
    await expect(account().confirmEmail(one)).rejects.toMatchObject({ type: "Verification" })
    const two = linkIn(accountMail)
    // The second link of a second lives a second longer, which tells them apart.
    clock.advance({ hours: 1, seconds: 1 })
    await expect(account().confirmEmail(two)).rejects.toMatchObject({ type: "Verification" })
    await browser.signInWith(first, { as: "ada" })
    await account().changeEmail("three@example.test")
    await account().confirmEmail(linkIn(accountMail))
    expect((await account().overview()).user.email).toBe("three@example.test")
  })

  test("without a way to delete tokens, a change still ends links that were sent before", async () => {
    const { deleteVerificationTokens: _, ...adapter } = memoryAdapter()
    const { account, accountMail } = await equipped<Adapter>(adapter)
    await account().changeEmail("one@example.test")
    const one = linkIn(accountMail)
    await account().changeEmail("two@example.test")
    await account().confirmEmail(linkIn(accountMail))
    await expect(account().confirmEmail(one)).rejects.toMatchObject({ type: "Verification" })
  })

  test("the token can't be used to sign in, and isn't stored", async () => {
    const { account, accountMail, adapter, browser } = await equipped(memoryAdapter())
    await account().changeEmail("new@example.test")
    const { token, email } = linkIn(accountMail)
    expect(JSON.stringify(adapter.rows())).not.toContain(token)
    const other = browser.fresh()
    await other.get(`/auth/callback/email?${new URLSearchParams({ token, email }).toString()}`)
    await other.post("/auth/callback/email", { token, email, csrfToken: (await other.csrf()) ?? "" })
    expect(hasSession(other)).toBe(false)
  })

  test("a request for too many emails is refused", async () => {
    const { account, accountMail } = await equipped(memoryAdapter())
    const results = await Promise.allSettled(
      Array.from({ length: 12 }, async (_, index) => account().changeEmail(`ada${index}@example.test`)),
    )
    const refused = results.filter((result) => result.status === "rejected")
    expect(refused.map(({ reason }) => reason.type)).toEqual(["RateLimited", "RateLimited"])
    expect(accountMail).toHaveLength(10)
  })

  describe.each([true, false])("with transactions: %s", (transactions) => {
    test.each(sessionKinds)(
      "%s: an attacker can't confirm one while the owner of the email signs in",
      async (_, rest) => {
        const its = await interrupted(transactions, {
          ...rest,
          security: { reclaimMailbox: true, revocableSessions: true },
        })
        const { browser: mallory, account, accountMail, adapter, first, mail } = its
        first.people["mallory"] = { sub: "mallory", email: "ada@example.test", email_verified: false }
        await mallory.signInWith(first, { as: "mallory" })
        await account().changeEmail("mallory@evil.test")
        const ada = mallory.fresh()
        await ada.signIn("email", { email: "ada@example.test" })
        its.before(() => ada.get(mail.link()))
        await expect(account().confirmEmail(linkIn(accountMail))).rejects.toMatchObject({ type: "SessionRequired" })
        expect(await ada.session()).toMatchObject({ user: { email: "ada@example.test" } })
        expect(its.store.rows().users.map(({ email }) => email)).toEqual(["ada@example.test"])
        const again = mallory.fresh()
        await again.signIn("email", { email: "mallory@evil.test" })
        await again.get(mail.link())
        const owner = await adapter.getUserByEmail?.("ada@example.test")
        expect(its.store.rows().sessions.filter(({ userId }) => userId === owner?.id)).toHaveLength(1)
      },
    )

    test.each(sessionKinds)("%s: a session that ends meanwhile confirms none", async (_, rest) => {
      const its = await interrupted(transactions, rest)
      const { browser, account, accountMail, first, store } = its
      await browser.signInWith(first, { as: "ada" })
      const before = store.rows().users
      await account().changeEmail("mallory@evil.test")
      its.before(async () => store.deleteSessions(before[0]?.id ?? ""))
      await expect(account().confirmEmail(linkIn(accountMail))).rejects.toMatchObject({ type: "SessionRequired" })
      expect(store.rows().users).toEqual(before)
    })
  })

  test("a scanner that opens the link changes nothing", async () => {
    const { account, accountMail, browser } = await equipped(memoryAdapter())
    await account().changeEmail("new@example.test")
    const url = accountMail[0]?.url ?? ""
    await browser.fresh().get(url)
    await browser.get(url)
    expect((await account().overview()).user.email).toBe("ada@example.test")
    expect(browser.text).toContain('<meta name="referrer" content="strict-origin">')
  })
})

describe("the session afterwards", () => {
  test("a deleted account leaves no session in a copied cookie", async () => {
    const { account, browser, config } = await equipped(memoryAdapter())
    const copied = visitorOf(browser)
    expect((await createServer(config).session(copied)).session).not.toBeNull()
    const deleting = account()
    await deleting.deleteAccount()
    keepCookies(browser, deleting)
    expect((await createServer(config).session(copied)).session).toBeNull()
  })

  test("a stolen session cookie alone can't do what needs a recent sign-in", async () => {
    const { describeSession: _, ...plain } = memoryAdapter()
    const its = await site<Adapter>(plain, { session: { strategy: "jwt" } })
    const { account, browser, first } = its
    await browser.signInWith(first, { as: "ada" })
    await expect(account().deleteAccount()).rejects.toMatchObject({ type: "RecentSignInRequired" })
    const fields = { callbackUrl: "https://app.test/auth/account" }
    await browser.signInWith(first, { as: "ada", fields })
    const { headers, origin } = visitorOf(browser)
    const session = browser.cookies.filter(({ name }) => name.includes("session-token"))
    const stolen = new Headers(headers)
    stolen.set("cookie", session.map(({ name, value }) => `${name}=${value}`).join("; "))
    const thief = createServer(its.config).account({ headers: stolen, origin })
    await expect(thief.deleteAccount()).rejects.toMatchObject({ type: "RecentSignInRequired" })
    await account().deleteAccount()
  })

  test("the sign-in time of one user doesn't count for another", async () => {
    const { describeSession: _, ...plain } = memoryAdapter()
    const { account, browser, first, phone } = await site<Adapter>(plain, { session: { strategy: "jwt" } })
    const fields = { callbackUrl: "https://app.test/auth/account" }
    await browser.signInWith(first, { as: "ada", fields })
    const other = await phone()
    await other.signInWith(first, { as: "grace", fields })
    const time = other.cookies.find(({ name }) => name.includes("sign-in-time"))
    if (time === undefined) throw new Error("The sign-in sets the cookie")
    browser.jar.remove(time.name)
    browser.jar.put(time)
    await expect(account().deleteAccount()).rejects.toMatchObject({ type: "RecentSignInRequired" })
  })

  test("text in the URL of the page isn't shown", async () => {
    const { browser } = await equipped(memoryAdapter())
    const words = "Call 555-0100"
    await browser.get(
      `/auth/account?${new URLSearchParams({ status: words, error: words, email: words, token: "t" }).toString()}`,
    )
    // Three digits alone may be in a random token.
    expect(browser.text).not.toContain("555-0100")
    expect(browser.text).not.toContain("Call")
  })
})
