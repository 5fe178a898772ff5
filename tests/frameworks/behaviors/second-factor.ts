import { fileURLToPath } from "node:url"
import type { Browser } from "@latchkey/testing"
import { expect } from "vitest"
import { codeAt, stepAt } from "../../../examples/module-totp/src/codes.js"
import { behavior } from "../behavior.js"
import type { Site } from "../site.js"
import { at, enterPassword, environments, password, sessionCookies, signedIn, textOf, userOn } from "../steps.js"

/** The file of the module. The server imports it when it runs. */
const file = fileURLToPath(new URL("../../../examples/module-totp/src/totp.ts", import.meta.url))

/** A module of the configuration, in every framework. */
export const secondFactor = [
  behavior({
    id: "second-factor.page",
    title: "a second factor holds a sign-in on the built-in page: no session before it",
    needs: "http",
    env: { STRATEGY: "database", SECOND_FACTOR: file },
    async run(site) {
      const { seed, email } = await enrolled(site, "factor@users.test")
      const browser = site.browse()
      await browser.get("/account?tab=1")
      await browser.submitForm("callback/credentials", { email, password })
      await expectHeld(site, browser, email)
      await answer(site, browser, seed)
      expect(at(browser)).toBe("/account?tab=1")
      expect(textOf(browser.text, "account")).toBe(email)
    },
  }),
  behavior({
    id: "second-factor.own-page",
    title: "a second factor holds a sign-in on the application's page: no session before it",
    needs: "http",
    env: { ...environments.database, SECOND_FACTOR: file },
    async run(site) {
      const { seed, email } = await enrolled(site, "own-factor@users.test")
      const browser = site.browse()
      await browser.get("/account?tab=1")
      await enterPassword(browser, email)
      await expectHeld(site, browser, email)
      await answer(site, browser, seed)
      expect(at(browser)).toBe("/account?tab=1")
      expect(textOf(browser.text, "account")).toBe(email)
    },
  }),
]

/** A user with an authenticator app, whose last code is so old that the next one works. */
async function enrolled(site: Site, email: string): Promise<{ readonly email: string; readonly seed: string }> {
  const browser = await signedIn(site, email)
  await browser.get(`${site.basePath}/account`)
  await browser.submitForm("totp/enroll")
  const seed = /<li>([A-Z2-7]{32})<\/li>/.exec(browser.text)?.[1] ?? ""
  await browser.submitForm("totp/confirm", { code: codeAt(seed, stepAt(Date.now()) - 1) })
  expect(browser.response.status).toBe(200)
  return { email, seed }
}

async function expectHeld(site: Site, browser: Browser, email: string): Promise<void> {
  expect(new URL(browser.location).pathname).toBe(`${site.basePath}/factor`)
  expect(browser.trail.flatMap(({ headers }) => sessionCookies(headers))).toEqual([])
  expect(await browser.session()).toBeNull()
  // In Next.js 14 the route redirects.
  expect(await (await browser.fetch("/api/account")).text()).not.toContain(email)
  expect(await userOn(browser)).toBe("Not signed in")
  await browser.get(`${site.basePath}/factor`)
}

/** Types the code that the app shows. */
async function answer(site: Site, browser: Browser, seed: string): Promise<void> {
  await browser.submitForm(`${site.basePath}/factor`, { code: codeAt(seed, stepAt(Date.now())) })
}
