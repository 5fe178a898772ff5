import type { Adapter } from "@latchkey/core/adapters"
import type { AuthConfig } from "@latchkey/core/types"
import { expect, test } from "vitest"
import { hasSession } from "../flows/signin/setup.js"
import { keepCookies, linkIn, type Site, site, type SiteOptions } from "./setup.js"

/** Under revocable JWT sessions and under database sessions, everything works the same. */
export const sessionKinds: readonly (readonly [string, Partial<AuthConfig>])[] = [
  ["database sessions", {}],
  ["JWT sessions", { session: { strategy: "jwt" }, security: { revocableSessions: true } }],
]

/** A user with two accounts and a passkey. */
export async function equipped<A extends Adapter>(adapter: A, config: SiteOptions = {}): Promise<Site<A>> {
  const its = await site(adapter, config)
  await its.browser.signInWith(its.first, { as: "ada" })
  await its.browser.signInWith(its.second, { as: "ada", fields: { link: "true" } })
  await its.browser.registerPasskey(its.authenticator)
  return its
}

/** What every adapter with all capabilities does. */
export function testAccountFunctions(create: () => Adapter | Promise<Adapter>): void {
  test("a user names and removes a passkey", async () => {
    const { account, authenticator, browser, clock, events } = await equipped(await create())
    const created = new Date(clock.now())
    const [passkey] = await account().passkeys()
    expect(passkey).toMatchObject({ provider: "passkey", name: undefined, createdAt: created, lastUsedAt: created })
    const id = passkey?.id ?? ""
    expect(await account().renamePasskey(id, "  Work\u0000 laptop\n")).toBe(true)
    clock.advance({ minutes: 1 })
    await browser.signInWithPasskey(authenticator)
    expect(await account().passkeys()).toMatchObject([
      { id, name: "Work laptop", createdAt: created, lastUsedAt: new Date(clock.now()) },
    ])
    expect(await account().renamePasskey(id, "")).toBe(true)
    expect(await account().passkeys()).toMatchObject([{ id, name: undefined }])
    expect(await account().removePasskey(id)).toBe(true)
    expect(await account().removePasskey(id)).toBe(false)
    expect(await account().passkeys()).toEqual([])
    expect(events.filter((name) => name.endsWith("Passkey"))).toEqual([
      "renamePasskey",
      "renamePasskey",
      "removePasskey",
    ])
    const other = browser.fresh()
    await other.signInWithPasskey(authenticator)
    expect(hasSession(other)).toBe(false)
  })

  test("a user disconnects accounts, but not the last way to sign in", async () => {
    const { account, browser, events } = await equipped(await create(), { withoutEmail: true })
    const accounts = await account().accounts()
    expect(accounts.map(({ provider, isRemovable }) => `${provider} ${isRemovable}`).toSorted()).toEqual([
      "op true",
      "second true",
    ])
    const [passkey] = await account().passkeys()
    expect(await account().removePasskey(passkey?.id ?? "")).toBe(true)
    const [one, other] = accounts
    if (one === undefined || other === undefined) throw new Error("Two accounts are linked")
    expect(await account().unlinkAccount(one)).toBe(true)
    expect(await account().unlinkAccount(one)).toBe(false)
    expect(await account().accounts()).toMatchObject([{ provider: other.provider, isRemovable: false }])
    await expect(account().unlinkAccount(other)).rejects.toMatchObject({ type: "LastSignInMethod" })
    expect(await account().accounts()).toHaveLength(1)
    expect(events.filter((name) => name === "unlinkAccount")).toHaveLength(1)
    expect((await account().overview()).user.email).toBe("ada@example.test")
    expect(hasSession(browser)).toBe(true)
  })

  test("of parallel removals, one way to sign in stays", async () => {
    const { account } = await equipped(await create(), { withoutEmail: true })
    const accounts = await account().accounts()
    const [passkey] = await account().passkeys()
    const removals = [
      ...accounts.map((each) => () => account().unlinkAccount(each)),
      () => account().removePasskey(passkey?.id ?? ""),
    ]
    const results = await Promise.allSettled(removals.map(async (remove) => remove()))
    expect(results.map(({ status }) => status).toSorted()).toEqual(["fulfilled", "fulfilled", "rejected"])
    const left = [...(await account().accounts()), ...(await account().passkeys())]
    expect(left).toHaveLength(1)
  })

  test.each(sessionKinds)("%s: a user sees and ends sessions", async (_, config) => {
    const { account, browser, clock, first, phone, events } = await equipped(await create(), config)
    clock.advance({ hours: 2 })
    const mobile = await phone()
    await mobile.signInWith(first, { as: "ada" })
    const [own, other, ...more] = await account().sessions()
    expect(more).toEqual([])
    expect(own).toMatchObject({ isCurrent: true, browser: "Firefox", system: "Linux" })
    expect(other).toMatchObject({
      isCurrent: false,
      browser: "Safari",
      system: "iPhone",
      createdAt: new Date(clock.now()),
      lastUsedAt: new Date(clock.now()),
    })
    expect(await account().revokeSession("unknown")).toBe(false)
    expect(await account().revokeSession(other?.id ?? "")).toBe(true)
    expect(await mobile.session()).toBeNull()
    expect(await browser.session()).not.toBeNull()
    expect(events.at(-1)).toBe("revokeSessions one 1")
    const ending = account()
    expect(await ending.revokeSession(own?.id ?? "")).toBe(true)
    keepCookies(browser, ending)
    expect(hasSession(browser)).toBe(false)
  })

  test.each(sessionKinds)("%s: a user ends the other sessions, or all", async (_, config) => {
    const { account, browser, first, phone, events } = await equipped(await create(), config)
    const others = [await phone(), await phone()]
    for (const each of others) await each.signInWith(first, { as: "ada" })
    const stranger = await phone()
    await stranger.signInWith(first, { as: "grace" })
    expect(await account().revokeOtherSessions()).toBe(2)
    for (const each of others) expect(await each.session()).toBeNull()
    expect(await browser.session()).not.toBeNull()
    const [again = browser] = others
    await again.signInWith(first, { as: "ada" })
    const ending = account()
    await ending.revokeSessions()
    keepCookies(browser, ending)
    expect(hasSession(browser)).toBe(false)
    expect(await again.session()).toBeNull()
    expect(await stranger.session()).not.toBeNull()
    expect(events.filter((name) => name.startsWith("revokeSessions"))).toEqual([
      "revokeSessions others 2",
      "revokeSessions all undefined",
    ])
  })

  test.each(sessionKinds)("%s: the last use of a session is stored once an hour", async (_, config) => {
    const { account, browser, clock } = await equipped(await create(), config)
    const started = clock.now()
    const lastUse = async () => (await account().sessions())[0]?.lastUsedAt?.getTime()
    clock.advance({ minutes: 59 })
    await browser.session()
    expect(await lastUse()).toBe(started)
    clock.advance({ minutes: 1 })
    await browser.session()
    expect(await lastUse()).toBe(started + 3_600_000)
    expect(JSON.stringify(await browser.session())).not.toContain("Firefox")
  })

  test.each(sessionKinds)("%s: a user changes the email by a link", async (_, config) => {
    const { account, accountMail, browser, events } = await equipped(await create(), config)
    expect(await account().changeEmail(" Ada@New.test ")).toEqual({ email: "ada@new.test", expiresIn: 3600 })
    const link = linkIn(accountMail)
    expect((await account().overview()).user.email).toBe("ada@example.test")
    const confirming = account()
    await confirming.confirmEmail(link)
    keepCookies(browser, confirming)
    expect((await account().overview()).user).toMatchObject({ email: "ada@new.test", emailVerified: true })
    expect(await browser.session()).toMatchObject({ user: { email: "ada@new.test" } })
    expect(accountMail.map(({ kind, identifier }) => [kind, identifier])).toEqual([
      ["confirm", "ada@new.test"],
      ["changed", "ada@example.test"],
    ])
    expect(events.filter((name) => name.endsWith("Email") || name.endsWith("EmailChange"))).toEqual([
      "requestEmailChange",
      "changeEmail",
    ])
    await expect(account().confirmEmail(link)).rejects.toMatchObject({ type: "Verification" })
  })

  test.each(sessionKinds)("%s: a user deletes the account", async (_, config) => {
    const { account, authenticator, browser, first, phone, events, adapter } = await equipped(await create(), config)
    const mobile = await phone()
    await mobile.signInWith(first, { as: "ada" })
    const { id } = (await account().overview()).user
    const deleting = account()
    await deleting.deleteAccount()
    keepCookies(browser, deleting)
    expect(hasSession(browser)).toBe(false)
    expect(await mobile.session()).toBeNull()
    expect(await adapter.getUser?.(id)).toBeNull()
    expect(await adapter.listAccounts?.(id)).toEqual([])
    expect(await adapter.listAuthenticatorsByUserId?.(id)).toEqual([])
    expect(events.slice(-2)).toEqual(["signOut", "deleteUser"])
    const other = browser.fresh()
    await other.signInWithPasskey(authenticator)
    expect(hasSession(other)).toBe(false)
    await other.signInWith(first, { as: "ada" })
    expect(hasSession(other)).toBe(true)
  })

  test.each(sessionKinds)("%s: after ten minutes, dangerous functions need another sign-in", async (_, config) => {
    const { account, browser, clock, first } = await equipped(await create(), config)
    const [passkey] = await account().passkeys()
    const [linked] = await account().accounts()
    if (passkey === undefined || linked === undefined) throw new Error("There is a passkey and an account")
    clock.advance({ minutes: 10, milliseconds: 1 })
    const dangerous = [
      () => account().removePasskey(passkey.id),
      () => account().unlinkAccount(linked),
      () => account().changeEmail("ada@new.test"),
      () => account().deleteAccount(),
    ]
    for (const each of dangerous) await expect(each()).rejects.toMatchObject({ type: "RecentSignInRequired" })
    expect((await account().overview()).isRecent).toBe(false)
    await browser.signInWith(first, { as: "ada" })
    expect((await account().overview()).isRecent).toBe(true)
    expect(await account().removePasskey(passkey.id)).toBe(true)
  })
}
