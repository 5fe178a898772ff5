import { memoryAdapter } from "@latchkey/adapter-kit/memory"
import type { Adapter } from "@latchkey/core/adapters"
import { expect } from "vitest"
import { attack, type Mode } from "../../../../tests/attack.js"
import { forgeVersion4, putCookie, version4Name } from "../version4/setup.js"
import { keepCookies, linkIn, secret, type Site, site, type SiteOptions } from "./setup.js"

const modes: Readonly<Record<Mode, SiteOptions>> = {
  compatible: {},
  strict: { security: "strict", trustHost: ["https://app.test"] },
}

/** Where the time of the sign-in is kept. */
const places: Readonly<Record<string, { readonly options: SiteOptions; readonly hasDetails: boolean }>> = {
  "a row with details": { options: { session: { strategy: "database", updateAge: 0 } }, hasDetails: true },
  "a row without details": { options: { session: { strategy: "database", updateAge: 0 } }, hasDetails: false },
  "a sealed cookie": { options: { session: { strategy: "jwt", updateAge: 0 } }, hasDetails: false },
}

const toAccountPage = { callbackUrl: "https://app.test/auth/account" }

/** Ada signed in eleven minutes ago. A change of her email is pending. */
async function eleven(mode: Mode, { options, hasDetails }: (typeof places)[string] & object): Promise<Site<Adapter>> {
  const { describeSession: _, ...plain } = memoryAdapter()
  const its = await site<Adapter>(hasDetails ? memoryAdapter() : plain, { ...modes[mode], ...options })
  await its.browser.signInWith(its.first, { as: "ada", fields: toAccountPage })
  await its.account().changeEmail("ada@new.test")
  its.clock.advance({ minutes: 11 })
  return its
}

type Event = (its: Site<Adapter>) => Promise<unknown>

/** Everything else that touches a session. */
const events: Readonly<Record<string, Event>> = {
  "linking an account": async ({ account, browser, second }) => {
    await browser.signInWith(second, { as: "grace", fields: { link: "true", ...toAccountPage } })
    expect(await account().accounts()).toHaveLength(2)
  },
  "adding a passkey": async ({ account, authenticator, browser }) => {
    await browser.registerPasskey(authenticator, { fields: toAccountPage })
    expect(await account().passkeys()).toHaveLength(1)
  },
  "confirming another email": async ({ account, accountMail, browser }) => {
    const confirming = account()
    await confirming.confirmEmail(linkIn(accountMail))
    keepCookies(browser, confirming)
  },
  "reading and extending the session": async ({ browser }) => void (await browser.session()),
  "updating the session": async ({ browser, clock }) => {
    const data = { auth_time: clock.now() / 1000, createdAt: new Date(clock.now()) }
    const body = JSON.stringify({ csrfToken: (await browser.csrf()) ?? "", data })
    await browser.fetch("/auth/session", { method: "POST", body, headers: { "content-type": "application/json" } })
  },
  "opening the account page": async ({ browser }) => void (await browser.get("/auth/account")),
}

for (const [place, kept] of Object.entries(places)) {
  for (const [event, happen] of Object.entries(events)) {
    attack("T3-08", `${event} isn't a recent sign-in (${place})`, async (mode) => {
      const its = await eleven(mode, kept)
      await happen(its)
      const { account, browser, first } = its
      expect((await account().overview()).isRecent).toBe(false)
      await expect(account().deleteAccount()).rejects.toMatchObject({ type: "RecentSignInRequired" })
      await browser.signInWith(first, { as: "ada", fields: toAccountPage })
      expect((await account().overview()).isRecent).toBe(true)
    })
  }
}

attack("T3-08", "a session of Auth.js that is taken over isn't a recent sign-in", async (mode) => {
  const adapter = memoryAdapter()
  const jwt: SiteOptions = { session: { strategy: "jwt", version4: { acceptUntil: "2100-01-01" } } }
  const before = await site<Adapter>(adapter, jwt)
  await before.browser.signInWith(before.first, { as: "ada" })
  const { id: sub, email } = (await before.account().overview()).user
  const { account, browser, clock } = await site<Adapter>(adapter, { ...modes[mode], ...jwt })
  const iat = Math.floor(clock.now() / 1000)
  const version4 = browser.fresh()
  putCookie(version4, version4Name, forgeVersion4({ secret, content: { sub, email, iat, exp: iat + 3600, jti: "1" } }))
  const version5 = browser.fresh()
  for (const cookie of before.browser.cookies) version5.jar.put(cookie)
  for (const each of [version4, version5]) {
    await each.session()
    expect(await account(each).overview()).toMatchObject({ user: { id: sub }, isRecent: false })
    await expect(account(each).deleteAccount()).rejects.toMatchObject({ type: "RecentSignInRequired" })
  }
})
