import { type Browser, createAuthenticator, oneTimeCode } from "@latchkey/testing"
import { expect } from "vitest"
import { behavior } from "../behavior.js"
import type { Site } from "../site.js"
import { at, enterPassword, environments, password, sessionCookies, signedIn, textOf, userOn } from "../steps.js"

/** The variable that adds `@latchkey/mfa` to the configuration. */
const withFactor = { SECOND_FACTOR: "mfa" }

/** Milliseconds for which an authenticator app shows a code. */
const step = 30_000

/** `@latchkey/mfa`, in every framework. */
export const secondFactor = [
  behavior({
    id: "second-factor.page",
    title: "a second factor holds a sign-in on the built-in page: no session before it",
    needs: "http",
    env: { STRATEGY: "database", ...withFactor },
    async run(site) {
      const email = "factor@users.test"
      const { key } = await enrolled(site, await signedIn(site, email))
      const browser = site.browse()
      await browser.get("/account?tab=1")
      await browser.submitForm("callback/credentials", { email, password })
      await expectHeld(site, browser, email)
      await answer(site, browser, nextCode(key))
      expect(at(browser)).toBe("/account?tab=1")
      expect(textOf(browser.text, "account")).toBe(email)
    },
  }),
  behavior({
    id: "second-factor.own-page",
    title: "a second factor holds a sign-in on the application's page: no session before it",
    needs: "http",
    env: { ...environments.database, ...withFactor },
    async run(site) {
      const email = "own-factor@users.test"
      const { recovery } = await enrolled(site, await signedIn(site, email))
      const browser = site.browse()
      await browser.get("/account?tab=1")
      await enterPassword(browser, email)
      await expectHeld(site, browser, email)
      await answer(site, browser, recovery[0])
      expect(at(browser)).toBe("/account?tab=1")
      expect(textOf(browser.text, "account")).toBe(email)
    },
  }),
  behavior({
    id: "second-factor.methods",
    title: "a second factor holds each method: a code of the app or a recovery code gives the session",
    needs: "http",
    env: withFactor,
    async run(site) {
      for (const { email, signIn } of methods) {
        const first = site.browse()
        await signIn(site, first)
        const { key, recovery } = await enrolled(site, first)
        for (const code of [nextCode(key), recovery[0]]) {
          const browser = site.browse()
          await signIn(site, browser)
          await expectHeld(site, browser, email)
          await answer(site, browser, "000000")
          expect(await browser.session()).toBeNull()
          await answer(site, browser, code)
          expect(await userOn(browser)).toBe(email)
        }
      }
    },
  }),
  behavior({
    id: "second-factor.passkey",
    title: "a passkey that verified the user is asked for no second factor",
    needs: "http",
    env: withFactor,
    async run(site) {
      const email = "two-in-one@users.test"
      const browser = site.browse()
      await signInByPassword(site, browser, email)
      const authenticator = createAuthenticator()
      await browser.registerPasskey(authenticator)
      await enrolled(site, browser)
      await browser.signOut()
      await browser.signInWithPasskey(authenticator)
      expect(await userOn(browser)).toBe(email)
    },
  }),
]

interface Method {
  /** Whom it signs in, and up the first time. */
  readonly email: string
  signIn(site: Site, browser: Browser): Promise<unknown>
}

const methods: readonly Method[] = [
  {
    email: "by-password@users.test",
    signIn: async (site, browser) => signInByPassword(site, browser, "by-password@users.test"),
  },
  {
    email: "linus@example.test",
    signIn: async (site, browser) => browser.signInWith(site.op, { as: "linus", fields: toAccount(site) }),
  },
  {
    email: "by-link@users.test",
    async signIn(site, browser) {
      await browser.signIn("email", { email: "by-link@users.test", ...toAccount(site) })
      const link = site.services.links.at(-1) ?? ""
      await browser.get(link)
      // A page asks, unless this browser requested the link.
      if (new URL(browser.location).pathname === new URL(link).pathname) await browser.submitForm(0)
    },
  },
  {
    email: "by-code@users.test",
    async signIn(site, browser) {
      await browser.signIn("email", { email: "by-code@users.test", ...toAccount(site) })
      await browser.submitForm(0, { code: site.services.codes.at(-1) ?? "" })
    },
  },
]

async function signInByPassword(site: Site, browser: Browser, email: string): Promise<void> {
  await browser.signIn("credentials", { email, password, ...toAccount(site) })
}

/** A sign-in that leads to the account page is one that the page takes as recent. */
function toAccount({ basePath }: Site): { readonly callbackUrl: string } {
  return { callbackUrl: `${basePath}/account` }
}

interface Enrolled {
  /** The key of the authenticator app. */
  readonly key: string
  readonly recovery: readonly (string | undefined)[]
}

/** Sets an authenticator app up for the user who is signed in. */
async function enrolled({ basePath }: Site, browser: Browser): Promise<Enrolled> {
  await browser.get(`${basePath}/account`)
  await browser.submitForm("mfa/enroll", { method: "app" })
  const key = codesOn(browser).find((code) => /^[A-Z2-7]{32}$/.test(code)) ?? ""
  await browser.submitForm("mfa/confirm", { code: oneTimeCode(key) })
  expect(browser.response.status).toBe(200)
  const recovery = codesOn(browser)
  expect(recovery).toHaveLength(10)
  return { key, recovery }
}

function codesOn({ text }: Browser): readonly string[] {
  return [...text.matchAll(/<li>([^<]+)<\/li>/g)].map(([, code = ""]) => code)
}

/** The code of the enrollment is used up, and a server accepts that of the next 30 seconds, too. */
function nextCode(key: string): string {
  return oneTimeCode(key, Date.now() + step)
}

async function expectHeld({ basePath }: Site, browser: Browser, email: string): Promise<void> {
  expect(new URL(browser.location).pathname).toBe(`${basePath}/factor`)
  expect(browser.trail.flatMap(({ headers }) => sessionCookies(headers))).toEqual([])
  expect(await browser.session()).toBeNull()
  // In Next.js 14 the route redirects.
  expect(await (await browser.fetch("/api/account")).text()).not.toContain(email)
  expect(await userOn(browser)).toBe("Not signed in")
  await browser.get(`${basePath}/factor`)
}

/** Types a code on the page that asks. */
async function answer({ basePath }: Site, browser: Browser, code = ""): Promise<void> {
  await browser.submitForm(`${basePath}/factor`, { code })
}
