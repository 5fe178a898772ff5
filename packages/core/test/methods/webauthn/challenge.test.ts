import { Auth } from "@latchkey/core"
import { decode, encode } from "@latchkey/core/jwt"
import { type Browser, createAuthenticator, frozenClock, openBrowser } from "@latchkey/testing"
import { describe, expect, test } from "vitest"
import { emailOf, errorAt, hasSession } from "../../flows/signin/setup.js"
import { ada, answer, grace, issue, secret, send, signUp, site, type Site } from "./setup.js"

const cookieName = "__Secure-authjs.challenge"
const salt = "encodedWebauthnChallenge"
const newSecret = "mQ7o3nT9xZ4hB6sD1fGqR8eJ2aV5pLwk0Wc5v2uYl1u8"

function challengeCookie({ cookies }: Browser): string {
  return cookies.find(({ name }) => name === cookieName)?.value ?? ""
}

/** v5 encrypts the token twice: a JWE in a cookie that is a JWE too. */
async function opened(browser: Browser, withSecret = secret): Promise<Record<string, unknown>> {
  const outer = await decode<{ value?: string }>({
    token: challengeCookie(browser),
    secret: withSecret,
    salt: cookieName,
  })
  const inner = await decode({ token: outer?.value ?? "", secret: withSecret, salt })
  return { ...inner }
}

/** The site of a test with another secret, and the same browser. */
function redeployed({ browser, config, clock }: Site, secrets: string | string[]): Browser {
  const after = openBrowser({
    origin: browser.origin,
    clock,
    handle: (request) => Auth(request, { ...config, secret: secrets, runtime: clock.runtime }),
  })
  for (const cookie of browser.cookies) after.jar.put(cookie)
  return after
}

describe("a challenge", () => {
  test("is valid for 15 minutes", async () => {
    const its = await site()
    for (const [minutes, works] of [
      [14, true],
      [16, false],
    ] as const) {
      const browser = its.browser.fresh()
      const authenticator = createAuthenticator()
      const email = `after-${minutes}@example.test`
      const issued = await issue(browser, { action: "register", email })
      // A cookie that the browser kept for too long.
      const kept = browser.cookies
      its.clock.advance({ minutes })
      for (const cookie of kept) browser.jar.put({ ...cookie, expires: undefined })
      await send(browser, "register", await answer(authenticator, issued))
      expect(hasSession(browser), `${minutes} minutes`).toBe(works)
    }
  })

  test("works in several tabs at once, in any order", async () => {
    const its = await site()
    await signUp(its)
    const browser = its.browser.fresh()
    const tabs = [browser, browser.clone(), browser.clone()]
    const issued = []
    for (const tab of tabs) issued.push(await issue(tab))
    for (const nth of [1, 2, 0]) {
      const tab = tabs[nth] ?? browser
      await send(tab, "authenticate", await answer(its.authenticator, issued[nth] ?? (await issue(tab))))
      expect(tab.location).toBe("https://app.test/")
      expect(await emailOf(tab)).toBe(ada)
      await tab.signOut()
    }
  })

  test("of an unused autofill doesn't break a registration in another tab", async () => {
    const its = await site()
    const register = await issue(its.browser, { action: "register", email: ada })
    await issue(its.browser.clone(), { action: "authenticate" })
    await send(its.browser, "register", await answer(its.authenticator, register))
    expect(await emailOf(its.browser)).toBe(ada)
  })

  test("makes older ones of the same browser invalid after the fourth", async () => {
    const its = await site()
    await signUp(its)
    const browser = its.browser.fresh()
    const first = await issue(browser)
    for (let count = 0; count < 4; count += 1) await issue(browser)
    await send(browser, "authenticate", await answer(its.authenticator, first))
    expect(errorAt(browser)).toBe("/auth/error WebAuthnVerificationError")
    expect(challengeCookie(browser).length).toBeLessThan(4000)
  })

  test("keeps its cookie small, even with long emails and after many tabs", async () => {
    const { browser } = await site()
    for (let count = 0; count < 12; count += 1) {
      await issue(browser, { action: "register", email: `${"a".repeat(60)}${count}@${"b".repeat(60)}.example.test` })
    }
    expect(challengeCookie(browser)).not.toBe("")
  })

  test("isn't needed any more after a sign-in, so the cookie is removed", async () => {
    const its = await site()
    await signUp(its)
    expect(challengeCookie(its.browser)).toBe("")
    await its.browser.signInWithPasskey(its.authenticator)
    expect(challengeCookie(its.browser)).toBe("")
  })
})

describe("a challenge cookie", () => {
  test("is one that v5 can read", async () => {
    const { browser } = await site({ clock: frozenClock(new Date()) })
    const authenticate = await issue(browser)
    expect(await opened(browser)).toMatchObject({ challenge: authenticate.options.challenge })
    const register = await issue(browser, { action: "register", email: ada })
    expect(await opened(browser)).toMatchObject({
      challenge: register.options.challenge,
      registerData: { email: ada },
    })
  })

  test("of v5 is accepted for a sign-in and for a registration", async () => {
    const its = await site()
    await signUp(its)
    const other = its.browser.fresh()
    await other.csrf()
    const plant = async (token: Record<string, unknown>) => {
      const inner = await encode({ token, secret, salt, maxAge: 900 })
      const value = await encode({
        token: { value: inner, provider: "passkey" },
        secret,
        salt: cookieName,
        maxAge: 900,
      })
      const [like] = other.cookies
      if (like === undefined) throw new Error("There is no cookie.")
      other.jar.put({ ...like, name: cookieName, value })
    }
    const begun = { challenge: Buffer.alloc(32, 1).toString("base64url"), rpId: "app.test" }
    await plant({ challenge: begun.challenge })
    await send(other, "authenticate", await its.authenticator.get(begun))
    expect(await emailOf(other)).toBe(ada)
    await other.signOut()

    const second = Buffer.alloc(32, 2).toString("base64url")
    await plant({ challenge: second, registerData: { email: grace } })
    const registration = await createAuthenticator().create({
      challenge: second,
      rp: { id: "app.test", name: "app" },
      user: { id: Buffer.alloc(32, 3).toString("base64url"), name: grace, displayName: "" },
      pubKeyCredParams: [{ alg: -7 }],
    })
    await send(other, "register", registration)
    expect(await emailOf(other)).toBe(grace)
  })

  test("survives the rotation of the secret", async () => {
    const its = await site({ clock: frozenClock(new Date()) })
    const issued = await issue(its.browser, { action: "register", email: ada })
    const after = redeployed(its, [newSecret, secret])
    await send(after, "register", await answer(its.authenticator, issued))
    expect(await emailOf(after)).toBe(ada)
    await after.signOut()
    const next = await issue(after)
    expect(await opened(after, newSecret)).toMatchObject({ challenge: next.options.challenge })
  })

  test("is worthless once its secret is removed", async () => {
    const its = await site()
    const issued = await issue(its.browser, { action: "register", email: ada })
    const after = redeployed(its, newSecret)
    await send(after, "register", await answer(its.authenticator, issued))
    expect(hasSession(after)).toBe(false)
    expect(errorAt(after)).toBe("/auth/error WebAuthnVerificationError")
  })
})
