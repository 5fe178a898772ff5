import { describe, expect, test } from "vitest"
import { keepCookies, linkIn, site } from "../../packages/core/test/account/setup.js"
import { hasSession } from "../../packages/core/test/flows/signin/setup.js"
import { stores } from "./stores.js"

const toAccount = { callbackUrl: "https://app.test/auth/account" }

describe.each(stores)("the account functions with $name", ({ open, hasPasskeys = false }) => {
  test("say which methods are missing, and the page shows the rest", async () => {
    const { account, browser, first } = await site(await open(), hasPasskeys ? {} : { withoutPasskeys: true })
    await browser.signInWith(first, { as: "ada", fields: toAccount })
    const missing = (methods: readonly string[]) => ({ type: "UnsupportedByAdapter", methods })
    await expect(account().accounts()).rejects.toMatchObject(missing(["listAccounts"]))
    await expect(account().sessions()).rejects.toMatchObject(missing(["listSessions"]))
    await expect(account().revokeSessions()).rejects.toMatchObject(missing(["deleteSessions"]))
    const { user, unavailable, isRecent } = await account().overview()
    expect([user.email, isRecent]).toEqual(["ada@example.test", true])
    expect([unavailable.changeEmail, unavailable.deleteAccount]).toEqual([undefined, undefined])
    await browser.get("/auth/account")
    expect(browser.text).not.toContain("This site&#39;s database")
    expect(browser.text).toContain("Change email")
  })

  test("a user changes the email, disconnects an account, and deletes everything", async () => {
    const its = await site(await open(), hasPasskeys ? {} : { withoutPasskeys: true })
    const { account, accountMail, adapter, authenticator, browser, first } = its
    await browser.signInWith(first, { as: "ada", fields: toAccount })
    if (hasPasskeys) await browser.registerPasskey(authenticator, { fields: toAccount })
    await account().changeEmail("ada@new.test")
    await account().confirmEmail(linkIn(accountMail))
    expect((await account().overview()).user).toMatchObject({ email: "ada@new.test", emailVerified: true })
    const key = { provider: first.id, providerAccountId: "ada" }
    expect(await account().unlinkAccount({ ...key, providerAccountId: "grace" })).toBe(false)
    expect(await account().unlinkAccount(key)).toBe(true)
    expect(await adapter.getUserByAccount?.(key)).toBeFalsy()
    const deleting = account()
    await deleting.deleteAccount()
    keepCookies(browser, deleting)
    expect(hasSession(browser)).toBe(false)
    expect(await adapter.getUserByEmail?.("ada@new.test")).toBeFalsy()
  })

  if (!hasPasskeys) return

  test("a user removes a passkey, which can't sign in anymore", async () => {
    const { account, authenticator, browser, first } = await site(await open())
    await browser.signInWith(first, { as: "ada", fields: toAccount })
    await browser.registerPasskey(authenticator)
    const [passkey, ...more] = await account().passkeys()
    expect(more).toEqual([])
    expect(passkey).toMatchObject({ name: undefined, createdAt: undefined })
    await expect(account().renamePasskey(passkey?.id ?? "", "Laptop")).rejects.toMatchObject({
      methods: ["describeAuthenticator"],
    })
    expect(await account().removePasskey(passkey?.id ?? "")).toBe(true)
    expect(await account().passkeys()).toEqual([])
    const other = browser.fresh()
    await other.signInWithPasskey(authenticator)
    expect(hasSession(other)).toBe(false)
  })
})
