import type { MemoryAdapter } from "@latchkey/adapter-kit/memory"
import { vault } from "@latchkey/core/tokens"
import type { SecurityEventName } from "../../src/model/security-catalogue.js"
import { linkIn, type SiteOptions } from "../account/setup.js"
import { signInByMail } from "../flows/signin/setup.js"
import { send } from "../methods/webauthn/setup.js"
import { givePin, pin } from "../modules/factor-site.js"
import type { Audited } from "./setup.js"

export type Action = (its: Audited) => Promise<unknown>
export type Outcome = "success" | "failure"

const signIn: Action = ({ browser, first }) => browser.signInWith(first, { as: "ada" })
const ignore = () => undefined
const fails = (work: Promise<unknown>) => work.then(() => Promise.reject(new Error("It was allowed")), ignore)

function breakDown(adapter: MemoryAdapter, method: "deleteSession" | "deleteSessions"): void {
  Object.assign(adapter, { [method]: () => Promise.reject(new Error("connection lost")) })
}

/** Too long ago to change the account. */
const later: Action = async (its) => {
  await signIn(its)
  its.clock.advance({ minutes: 20 })
}

const withPasskey: Action = async (its) => {
  await signIn(its)
  await its.browser.registerPasskey(its.authenticator)
}

const passkeyId = async ({ account }: Audited) => (await account().passkeys())[0]?.id ?? ""

/** Signed out, with a PIN. */
const withPin: Action = async (its) => {
  await signIn(its)
  await givePin(its.adapter, await its.userId())
  await its.browser.signOut()
}

const held: Action = async (its) => {
  await withPin(its)
  await signIn(its)
}

/** How each outcome of each security event comes about. */
export const cases: {
  readonly [name in SecurityEventName]: Partial<Record<Outcome, readonly [before: Action, action: Action]>>
} = {
  "sign-in": {
    success: [async () => undefined, signIn],
    failure: [async () => undefined, ({ browser }) => browser.get("/auth/callback/op?code=forged&state=forged")],
  },
  "sign-out": {
    success: [signIn, ({ browser }) => browser.signOut()],
    failure: [
      async (its) => {
        await signIn(its)
        breakDown(its.adapter, "deleteSession")
      },
      ({ browser }) => browser.signOut(),
    ],
  },
  "factor.asked": { success: [withPin, signIn] },
  "factor.answered": {
    success: [held, ({ browser }) => browser.submitForm("auth/factor", { pin: "1234" })],
    failure: [held, ({ browser }) => browser.submitForm("auth/factor", { pin: "0000" })],
  },
  "email-link.requested": {
    success: [signIn, ({ browser }) => browser.signIn("email", { email: "ada@example.test" })],
    failure: [signIn, ({ browser }) => browser.signIn("email", { email: "ada" })],
  },
  "user.created": { success: [async () => undefined, signIn] },
  "user.deleted": {
    success: [signIn, ({ account }) => account().deleteAccount()],
    failure: [later, ({ account }) => fails(account().deleteAccount())],
  },
  "account.linked": { success: [async () => undefined, signIn] },
  "account.unlinked": {
    success: [
      async (its) => {
        await signIn(its)
        await its.browser.signInWith(its.second, { as: "grace", fields: { link: "true" } })
      },
      async ({ account }) => {
        const linked = (await account().accounts()).find(({ provider }) => provider === "second")
        await account().unlinkAccount({ provider: "second", providerAccountId: linked?.providerAccountId ?? "" })
      },
    ],
    failure: [
      signIn,
      ({ account }) => account().unlinkAccount({ provider: "op", providerAccountId: "of another user" }),
    ],
  },
  "passkey.added": {
    success: [signIn, ({ authenticator, browser }) => browser.registerPasskey(authenticator)],
    failure: [signIn, ({ browser }) => send(browser, "register", "{}")],
  },
  "passkey.renamed": {
    success: [withPasskey, async (its) => its.account().renamePasskey(await passkeyId(its), "Laptop")],
    failure: [signIn, ({ account }) => account().renamePasskey("of another user", "Laptop")],
  },
  "passkey.removed": {
    success: [withPasskey, async (its) => its.account().removePasskey(await passkeyId(its))],
    failure: [signIn, ({ account }) => account().removePasskey("of another user")],
  },
  "profile.changed": {
    success: [signIn, async ({ account }) => account().updateProfile({ name: "Ada King" })],
    failure: [signIn, ({ account }) => fails(account().updateProfile({ image: "javascript:alert(1)" }))],
  },
  "email.verified": { success: [signIn, ({ browser, mail }) => signInByMail(browser, mail, "ada@example.test")] },
  "email-change.requested": {
    success: [signIn, ({ account }) => account().changeEmail("ada@new.test")],
    failure: [later, ({ account }) => fails(account().changeEmail("ada@new.test"))],
  },
  "email.changed": {
    success: [
      async (its) => {
        await signIn(its)
        await its.account().changeEmail("ada@new.test")
      },
      ({ account, accountMail }) => account().confirmEmail(linkIn(accountMail)),
    ],
    failure: [signIn, ({ account }) => fails(account().confirmEmail({ token: "forged", email: "ada@new.test" }))],
  },
  "sessions.revoked": {
    success: [signIn, ({ account }) => account().revokeSessions()],
    failure: [signIn, ({ account }) => account().revokeSession("of another user")],
  },
  "user.disabled": {
    success: [signIn, async ({ server, userId }) => server.disable(await userId(), "fraud")],
    failure: [
      async (its) => {
        await signIn(its)
        breakDown(its.adapter, "deleteSessions")
      },
      async ({ server, userId }) => fails(server.disable(await userId())),
    ],
  },
  "user.enabled": {
    success: [signIn, async ({ server, userId }) => server.enable(await userId())],
  },
  "credentials.revoked": {
    success: [signIn, async ({ server, userId }) => server.revoke(await userId(), "stolen laptop")],
    failure: [
      async (its) => {
        await signIn(its)
        breakDown(its.adapter, "deleteSessions")
      },
      async ({ server, userId }) => fails(server.revoke(await userId())),
    ],
  },
  "token.refused": {
    failure: [
      signIn,
      async ({ clock, first, server, userId }) => {
        first.inject({ token: () => Response.json({ error: "invalid_grant" }, { status: 400 }) })
        clock.advance({ hours: 2 })
        await server.token("op", { userId: await userId() })
      },
    ],
  },
  "rate-limit.reached": {
    failure: [
      async () => undefined,
      async ({ browser, heard }) => {
        for (let tries = 0; tries < 50 && !heard.some(({ name }) => name === "rate-limit.reached"); tries++)
          await browser.signIn("email", { email: "ada@example.test" })
      },
    ],
  },
  "csrf.refused": {
    failure: [signIn, ({ browser }) => browser.post("/auth/signout", { csrfToken: "forged" })],
  },
}

/** What the site of an event needs. */
export function optionsFor(name: string): SiteOptions {
  if (/^factor|abled$/.test(name)) return { modules: [pin()] }
  return name === "token.refused" ? { tokens: vault } : {}
}
