import type { MemoryAdapter } from "@latchkey/adapter-kit/memory"
import { Auth } from "@latchkey/core"
import type { Adapter } from "@latchkey/core/adapters"
import { type Browser, createAuthenticator, openBrowser } from "@latchkey/testing"
import { expect } from "vitest"
import { attack } from "../../../../tests/attack.js"
import { emailOf, errorAt, hasSession } from "../flows/signin/setup.js"
import { answer, issue, send } from "../methods/webauthn/setup.js"
import {
  ada,
  adaWithPasskey,
  assertRefused,
  challengeCookies,
  grace,
  passkeySite,
  type PasskeySite,
  plant,
  rowsOf,
  signUpAllowed,
} from "./webauthn-setup.js"

/** A database without tokens: what is used up is known only to the process. */
function withoutTokens(store: MemoryAdapter): Adapter {
  const { createVerificationToken: _, useVerificationToken: __, deleteVerificationTokens: ___, ...adapter } = store
  return adapter
}

/** The application as a new process that shares the database would run it. */
function otherProcess({ config, clock, browser }: PasskeySite, store: MemoryAdapter): Browser {
  const adapter: Adapter = { ...store }
  const handle = (request: Request) => Auth(request, { ...config, adapter, runtime: clock.runtime })
  return openBrowser({ origin: browser.origin, handle, clock })
}

attack("WAN-05", "an answer that was sent once isn't accepted again, in any browser", async (mode) => {
  for (const adapter of [undefined, withoutTokens]) {
    for (const counter of [true, false]) {
      const its = await passkeySite(mode, adapter && { adapter, byEmail: false })
      const authenticator = await adaWithPasskey(its, createAuthenticator({ counter }))
      const browser = its.browser.fresh()
      const issued = await issue(browser, { action: "authenticate" })
      const cookies = challengeCookies(browser)
      const captured = await answer(authenticator, issued)
      await send(browser, "authenticate", captured)
      expect(await emailOf(browser)).toBe(ada)
      for (const other of [its.browser.fresh(), browser.fresh()]) {
        plant(other, cookies)
        await send(other, "authenticate", captured)
        assertRefused(other)
      }
      its.clock.advance({ minutes: 14 })
      const late = its.browser.fresh()
      plant(late, cookies)
      await send(late, "authenticate", captured)
      assertRefused(late)
    }
  }
})

attack("WAN-05", "exactly one of twenty parallel uses of one answer signs in", async (mode) => {
  const its = await passkeySite(mode, { rest: { session: { strategy: "database" } } })
  const authenticator = await adaWithPasskey(its, createAuthenticator({ counter: false }))
  const sessions = its.store.rows().sessions.length
  const first = its.browser.fresh()
  const captured = await answer(authenticator, await issue(first, { action: "authenticate" }))
  const copies = Array.from({ length: 20 }, () => {
    const copy = first.fresh()
    plant(copy, first.cookies)
    return copy
  })
  await Promise.all(copies.map((copy) => send(copy, "authenticate", captured)))
  expect(copies.filter(hasSession)).toHaveLength(1)
  expect(its.store.rows().sessions).toHaveLength(sessions + 1)
})

attack("WAN-05", "an answer isn't accepted by another process that shares the database", async (mode) => {
  const its = await passkeySite(mode)
  const authenticator = await adaWithPasskey(its, createAuthenticator({ counter: false }))
  const browser = its.browser.fresh()
  const issued = await issue(browser, { action: "authenticate" })
  const [cookies, captured] = [browser.cookies, await answer(authenticator, issued)]
  await send(browser, "authenticate", captured)
  expect(await emailOf(browser)).toBe(ada)
  const elsewhere = otherProcess(its, its.store)
  plant(elsewhere, cookies)
  await send(elsewhere, "authenticate", captured)
  assertRefused(elsewhere)
})

attack("WAN-05", "one answer signs in once even if each request creates its configuration", async (mode) => {
  const its = await passkeySite(mode)
  const authenticator = await adaWithPasskey(its, createAuthenticator({ counter: false }))
  const handle = (request: Request) => Auth(request, { ...its.config, runtime: its.clock.runtime })
  const first = openBrowser({ origin: "https://app.test", handle, clock: its.clock })
  const captured = await answer(authenticator, await issue(first, { action: "authenticate" }))
  const cookies = first.cookies
  const copies = Array.from({ length: 10 }, () => first.fresh())
  for (const copy of copies) plant(copy, cookies)
  await Promise.all(copies.map((copy) => send(copy, "authenticate", captured)))
  expect(copies.filter(hasSession)).toHaveLength(1)
})

attack(
  "WAN-05",
  "one registration that is sent twenty times in parallel creates one user and passkey",
  async (mode) => {
    const its = await passkeySite(mode, { security: signUpAllowed })
    const { browser } = its
    const captured = await answer(createAuthenticator(), await issue(browser, { action: "register", email: ada }))
    const copies = Array.from({ length: 20 }, () => {
      const copy = browser.fresh()
      plant(copy, browser.cookies)
      return copy
    })
    await Promise.all(copies.map((copy) => send(copy, "register", captured)))
    expect(copies.filter(hasSession)).toHaveLength(1)
    expect(its.store.rows()).toMatchObject({
      users: { length: 1 },
      accounts: { length: 1 },
      authenticators: { length: 1 },
    })
  },
)

attack("WAN-05", "an answer without the cookie of its browser is refused", async (mode) => {
  const its = await passkeySite(mode)
  const authenticator = await adaWithPasskey(its)
  const browser = its.browser.fresh()
  const captured = await answer(authenticator, await issue(browser, { action: "authenticate" }))
  const other = its.browser.fresh()
  await send(other, "authenticate", captured)
  assertRefused(other)
  // The attempt without a cookie doesn't use up the challenge of the user.
  await send(browser, "authenticate", captured)
  expect(await emailOf(browser)).toBe(ada)
})

attack("WAN-05", "a challenge of another provider is refused", async (mode) => {
  const its = await passkeySite(mode)
  const second = { ...its.provider, id: "second", enableConditionalUI: false }
  const config = { ...its.config, providers: [its.provider, second, its.op.provider()] }
  const handle = (request: Request) => Auth(request, { ...config, runtime: its.clock.runtime })
  const authenticator = await adaWithPasskey(its)
  const browser = openBrowser({ origin: "https://app.test", handle, clock: its.clock })
  const issued = await issue(browser, { action: "authenticate" }, "second")
  await send(browser, "authenticate", await answer(authenticator, issued))
  assertRefused(browser)
  // And a passkey of one provider doesn't sign in with another.
  const own = await issue(browser, { action: "authenticate" }, "second")
  await send(browser, "authenticate", await answer(authenticator, own), { provider: "second" })
  assertRefused(browser)
})

for (const strategy of ["jwt", "database"] as const) {
  attack("WAN-05", `a registration ends for the user who began it, or not at all (${strategy})`, async (mode) => {
    const its = await passkeySite(mode, { rest: { session: { strategy } }, security: signUpAllowed })
    const notForHer = expect.stringMatching(/AccountNotLinked|WebAuthnVerificationError/)
    // Begun as Grace, finished as Ada.
    const { browser } = its
    await browser.signInWith(its.op, { as: "grace" })
    const issued = await issue(browser, { action: "register" })
    await browser.signOut()
    await browser.signInWith(its.op, { as: "ada" })
    await send(browser, "register", await answer(createAuthenticator(), issued))
    expect([errorAt(browser), await emailOf(browser)]).toEqual([notForHer, ada])
    expect(its.store.rows().authenticators).toEqual([])
    // Begun as a visitor, finished as Ada: an attacker who plants the cookie would add a passkey to her account.
    const attacker = its.browser.fresh()
    const planted = await issue(attacker, { action: "register", email: "eve@example.test" })
    plant(browser, challengeCookies(attacker))
    await send(browser, "register", await answer(createAuthenticator(), planted))
    expect([errorAt(browser), await emailOf(browser)]).toEqual([notForHer, ada])
    expect(its.store.rows().authenticators).toEqual([])
    // Begun as Ada, finished signed out.
    const last = await issue(browser, { action: "register" })
    await browser.signOut()
    await send(browser, "register", await answer(createAuthenticator(), last))
    expect([errorAt(browser), hasSession(browser)]).toEqual([notForHer, false])
    expect(its.store.rows().authenticators).toEqual([])
    expect(
      its.store
        .rows()
        .users.map(({ email }) => email)
        .toSorted(),
    ).toEqual([ada, grace])
  })
}

attack("JWT-06", "a passkey ceremony that began with the old secret ends with the new one, once", async (mode) => {
  const its = await passkeySite(mode)
  const authenticator = await adaWithPasskey(its, createAuthenticator({ counter: false }))
  const old = its.browser.fresh()
  const captured = await answer(authenticator, await issue(old, { action: "authenticate" }))
  const secrets = ["mQ7o3nT9xZ4hB6sD1fGqR8eJ2aV5pLwk0Wc5v2uYl1u8", String(its.config.secret)]
  const rotated = (secret: string | string[]) => {
    const handle = (request: Request) => Auth(request, { ...its.config, secret, runtime: its.clock.runtime })
    const browser = openBrowser({ origin: "https://app.test", handle, clock: its.clock })
    plant(browser, old.cookies)
    return browser
  }
  const removed = rotated(secrets[0] ?? "")
  await send(removed, "authenticate", captured)
  assertRefused(removed)
  const kept = rotated(secrets)
  const again = rotated(secrets)
  await send(kept, "authenticate", captured)
  expect(await emailOf(kept)).toBe(ada)
  await send(again, "authenticate", captured)
  assertRefused(again)
  expect(rowsOf(its.store)).toMatchObject({ users: { length: 1 } })
})
