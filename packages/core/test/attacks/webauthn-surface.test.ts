import { createAuthenticator } from "@latchkey/testing"
import { expect } from "vitest"
import { attack } from "../../../../tests/attack.js"
import { emailOf, errorAt, hasSession } from "../flows/signin/setup.js"
import { answer, issue, onlyPasskey, send } from "../methods/webauthn/setup.js"
import { sessionCookie } from "../modes/setup.js"
import {
  ada,
  adaWithPasskey,
  assertRefused,
  challengeCookies,
  passkeySite,
  plant,
  rowsOf,
  signUpAllowed,
} from "./webauthn-setup.js"

const callback = "/auth/callback/passkey"

/** Names that other libraries give to their routes. */
const names = ["passkey", "passkeys", "authenticator", "authenticators", "credentials", "webauthn", "accounts", "user"]

attack("ADV-BA-04", "no route lists, renames or deletes passkeys or accounts", async (mode) => {
  const its = await passkeySite(mode)
  const authenticator = await adaWithPasskey(its)
  const { browser, store } = its
  await browser.signInWith(its.op, { as: "grace" })
  const before = rowsOf(store)
  const { credentialID, userId, credentialPublicKey } = onlyPasskey(store)
  const id = encodeURIComponent(credentialID)
  const nested = [`webauthn-options/passkey/${id}`, `callback/passkey/${id}`, `signin/passkey/${id}`]
  const csrfToken = (await browser.csrf()) ?? ""
  for (const path of [
    ...names.flatMap((name) => [name, `${name}/${id}`, `${name}/${userId}`, `${name}/1`]),
    ...nested,
  ]) {
    for (const method of ["GET", "POST", "PUT", "PATCH", "DELETE"]) {
      const body = new URLSearchParams({ csrfToken, id: credentialID })
      const response = await browser.fetch(`/auth/${path}`, { method, ...(method !== "GET" && { body }) })
      expect([path, method, response.status]).toEqual([path, method, expect.toSatisfy((status) => status >= 400)])
      expect(await response.text()).not.toContain(credentialPublicKey)
    }
  }
  for (const method of ["PUT", "PATCH", "DELETE"]) await browser.fetch(callback, { method })
  expect(rowsOf(store)).toEqual(before)
  const other = browser.fresh()
  await other.signInWithPasskey(authenticator)
  expect(await emailOf(other)).toBe(ada)
})

attack("CSRF-01", "a passkey that is posted without the CSRF token of the browser does nothing", async (mode) => {
  const its = await passkeySite(mode, { security: signUpAllowed })
  // Mallory's passkey: a sign-in of the victim with it would be a login CSRF.
  const authenticator = await adaWithPasskey(its, createAuthenticator(), "grace")
  const before = rowsOf(its.store)
  const { browser } = its
  const foreign = (await its.browser.fresh().csrf()) ?? ""
  const own = (await browser.csrf()) ?? ""
  for (const action of ["authenticate", "register"]) {
    const issued = await issue(browser, { action, email: "eve@example.test" })
    const key = action === "register" ? createAuthenticator() : authenticator
    const data = JSON.stringify(await answer(key, issued))
    const fields = { action, data }
    for (const form of [
      new URLSearchParams(fields),
      new URLSearchParams({ ...fields, csrfToken: foreign }),
      new URLSearchParams({ ...fields, csrfToken: "" }),
      new URLSearchParams({ ...fields, "csrfToken[]": own }),
    ]) {
      await browser.post(callback, Object.fromEntries(form))
      expect([errorAt(browser), hasSession(browser)]).toEqual(["/auth/signin MissingCSRF", false])
    }
    await browser.post(`${callback}?csrfToken=${own}`, fields)
    expect([errorAt(browser), hasSession(browser)]).toEqual(["/auth/signin MissingCSRF", false])
    for (const csrfToken of [[own], { value: own }, true]) {
      const body = JSON.stringify({ ...fields, csrfToken })
      await browser.fetch(callback, { method: "POST", body, headers: { "content-type": "application/json" } })
      expect(hasSession(browser)).toBe(false)
    }
    await browser.post(callback, { ...fields, csrfToken: own }, { from: "https://evil.test" })
    expect(hasSession(browser)).toBe(false)
  }
  expect(rowsOf(its.store)).toEqual(before)
})

attack("CSRF-01", "a foreign page can't add its passkey to the user who is signed in", async (mode) => {
  const its = await passkeySite(mode, { security: signUpAllowed })
  const { browser } = its
  await browser.signInWith(its.op, { as: "ada" })
  const mallory = its.browser.fresh()
  const issued = await issue(mallory, { action: "register", email: "eve@example.test" })
  const data = JSON.stringify(await answer(createAuthenticator(), issued))
  for (const from of ["https://evil.test", "https://user-content.app.test"]) {
    await browser.post(callback, { action: "register", data, csrfToken: (await mallory.csrf()) ?? "" }, { from })
    expect([await emailOf(browser), its.store.rows().authenticators]).toEqual([ada, []])
  }
})

attack(
  "ADV-BA-14",
  "no short-lived value is accepted for another purpose, and trying doesn't use it up",
  async (mode) => {
    const its = await passkeySite(mode)
    const authenticator = await adaWithPasskey(its)
    const { browser } = its
    await browser.signIn("email", { email: "eve@example.test" })
    const link = new URL(its.mail.link())
    await browser.post("/auth/signin/op", { csrfToken: (await browser.csrf()) ?? "" })
    const authorization = browser.location
    const issued = await issue(browser, { action: "authenticate" })
    const [challenge] = challengeCookies(browser)
    if (challenge === undefined) throw new Error("There is no challenge.")
    const values = [issued.options.challenge, challenge.value]
    const others = browser.cookies.filter(({ name }) => !name.includes("challenge"))
    // Values of the ceremony elsewhere.
    for (const value of values) {
      const thief = browser.fresh()
      for (const name of ["__Secure-authjs.session-token", "__Host-authjs.session-token"]) {
        const headers = { cookie: `${name}=${value}` }
        expect(await (await thief.fetch("/auth/session", { headers })).json()).toBeNull()
      }
      const forged = new URL(link)
      forged.searchParams.set("token", value)
      await thief.get(forged)
      expect(hasSession(thief)).toBe(false)
      await thief.get(`/auth/callback/op?code=c&state=${encodeURIComponent(value)}`, { from: its.op.issuer })
      expect(hasSession(thief)).toBe(false)
      await thief.post("/auth/signin/email", { csrfToken: value, email: ada })
      expect(errorAt(thief)).toBe("/auth/signin MissingCSRF")
    }
    // Values of other flows, and a session, as the challenge.
    const signedIn = browser.fresh()
    await signedIn.signInWith(its.op, { as: "grace" })
    const { searchParams } = new URL(authorization)
    const texts = [searchParams.get("state"), searchParams.get("nonce"), link.searchParams.get("token")]
    for (const value of [...others.map((cookie) => cookie.value), sessionCookie(signedIn)]) {
      const thief = browser.fresh()
      plant(thief, [{ ...challenge, value }])
      await send(thief, "authenticate", await authenticator.get({ challenge: value, rpId: "app.test" }))
      assertRefused(thief)
    }
    for (const value of texts.filter((text) => text !== null)) {
      const thief = browser.fresh()
      plant(thief, others)
      await send(thief, "authenticate", await authenticator.get({ challenge: value, rpId: "app.test" }))
      assertRefused(thief)
    }
    // Everything still works in the browser that it is for.
    await send(browser, "authenticate", await answer(authenticator, issued))
    expect(await emailOf(browser)).toBe(ada)
    await browser.signOut()
    await browser.get(link)
    expect(await emailOf(browser)).toBe("eve@example.test")
  },
)

attack("HOST-04", "the ID and origin of the site come from `url`, whatever the headers say", async (mode) => {
  for (const headers of [
    { host: "evil.test" },
    { "x-forwarded-host": "evil.test", "x-forwarded-proto": "http" },
    { forwarded: "host=evil.test;proto=http" },
    { origin: "https://evil.test", referer: "https://evil.test/" },
  ] as Record<string, string>[]) {
    const its = await passkeySite(mode, { security: signUpAllowed })
    const authenticator = await adaWithPasskey(its)
    const browser = its.browser.fresh()
    for (const action of ["register", "authenticate"]) {
      const response = await browser.fetch(`/auth/webauthn-options/passkey?action=${action}&email=a@b.test`, {
        headers,
      })
      const text = await response.text()
      expect(text).not.toContain("evil.test")
      expect(text).toContain('"app.test"')
    }
    const phished = createAuthenticator({ origin: "https://evil.test", relatedRpIds: ["app.test"] })
    const issued = await issue(browser, { action: "register", email: "eve@example.test" })
    const created = await answer(phished, issued)
    await browser.post(
      callback,
      { csrfToken: (await browser.csrf()) ?? "", action: "register", data: JSON.stringify(created) },
      { headers },
    )
    expect([hasSession(browser), its.store.rows().authenticators.length]).toEqual([false, 1])
    const signed = await answer(authenticator, await issue(browser, { action: "authenticate" }))
    await send(browser, "authenticate", signed)
    expect(await emailOf(browser)).toBe(ada)
  }
})

attack("XSS-04", "the sign-in page with passkeys loads nothing from elsewhere", async (mode) => {
  const its = await passkeySite(mode, { security: signUpAllowed })
  for (const path of [
    "/auth/signin",
    "/auth/signin?email=%22%3E%3Cscript%3Ealert(1)%3C/script%3E&callbackUrl=/a%27%22",
  ]) {
    await its.browser.get(path)
    const { text, response } = its.browser
    expect(text).toContain("<script")
    expect(text.match(/\s(?:src|srcset|poster|background|manifest)=/gi)).toBeNull()
    expect(text.match(/<(?:link|iframe|object|embed|base|img)\b/gi)).toBeNull()
    expect(text.match(/\bimport\s*\(|importScripts|unpkg|jsdelivr/gi)).toBeNull()
    expect(text).not.toContain("alert(1)</script>")
    const policy = response.headers.get("content-security-policy") ?? ""
    expect(policy).toMatch(/script-src 'nonce-[\w+/=-]+'/)
    expect(policy).toContain("default-src 'none';")
    expect(policy).toContain("connect-src 'self';")
    expect(policy).not.toContain("unsafe")
    const nonces = [...text.matchAll(/<script nonce="([^"]+)"/g)].map(([, nonce]) => nonce)
    expect(nonces).toHaveLength([...text.matchAll(/<script\b/g)].length)
    for (const nonce of nonces) expect(policy).toContain(`'nonce-${nonce}'`)
  }
})

attack("XSS-04", "labels, names and fields of a passkey provider are escaped in the page", async (mode) => {
  const evil = `"><script>alert(1)</script><img src=x onerror=alert(2)>`
  const its = await passkeySite(mode, {
    security: signUpAllowed,
    provider: {
      name: evil,
      formFields: { email: { label: evil, placeholder: evil, value: evil, autocomplete: "username webauthn" } },
    },
  })
  await its.browser.get("/auth/signin")
  expect(its.browser.text).not.toContain("<script>alert(1)")
  expect(its.browser.text).not.toContain("<img")
})
