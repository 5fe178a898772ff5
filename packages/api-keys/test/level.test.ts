import { mfa } from "@latchkey/mfa"
import { apiKeys } from "@latchkey/api-keys"
import { oneTimeCode } from "@latchkey/testing"
import { expect, test } from "vitest"
import { check, createOn, signedIn, siteOf } from "./site.js"

const modules = [apiKeys({ prefix: "acme", scopes: ["read"], level: 2 }), mfa()]

test("with `level: 2`, a new secret needs two factors in the last 15 minutes", async () => {
  const site = await siteOf({ config: { modules } })
  const browser = await signedIn(site)
  expect(await createOn(browser)).toBe("")
  expect(new URL(browser.location).pathname).toMatch(/^\/auth\/(?:mfa\/verify|step-up)$/)
  expect(await site.keys.list(await site.idOf("ada"))).toEqual([])

  await browser.get("/auth/account")
  await browser.submitForm("mfa/enroll", { method: "app" })
  const [, secret = ""] = /<li>([A-Z2-7]{32})<\/li>/.exec(browser.text) ?? []
  await browser.submitForm("mfa/confirm", { code: oneTimeCode(secret, site.clock.now()) })
  expect(await createOn(browser)).toBe("")

  site.clock.advance({ minutes: 1 })
  await browser.get("/auth/mfa/verify")
  await browser.submitForm("mfa/verify", { code: oneTimeCode(secret, site.clock.now()) })
  const key = await createOn(browser)
  expect(await check(site, key)).toBe("valid")
})

test("a user with a second factor proves it before a new secret, also with `level: 1`", async () => {
  const site = await siteOf({ config: { modules: [apiKeys({ prefix: "acme", scopes: ["read"] }), mfa()] } })
  const [browser, thief] = [await signedIn(site), await signedIn(site)]
  await browser.get("/auth/account")
  await browser.submitForm("mfa/enroll", { method: "app" })
  const [, secret = ""] = /<li>([A-Z2-7]{32})<\/li>/.exec(browser.text) ?? []
  await browser.submitForm("mfa/confirm", { code: oneTimeCode(secret, site.clock.now()) })
  const path = () => new URL(thief.location).pathname
  expect(await createOn(thief)).toBe("")
  expect(path()).toMatch(/^\/auth\/(?:mfa\/verify|step-up)$/)
  expect(await site.keys.list(await site.idOf("ada"))).toEqual([])
  site.clock.advance({ minutes: 1 })
  await thief.get("/auth/mfa/verify")
  await thief.submitForm("mfa/verify", { code: oneTimeCode(secret, site.clock.now()) })
  expect(await check(site, await createOn(thief))).toBe("valid")
})
