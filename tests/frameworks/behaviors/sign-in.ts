import { createAuthenticator } from "@latchkey/testing"
import { expect } from "vitest"
import { behavior } from "../behavior.js"
import { at, enterPassword, environments, password, signedIn, signInPage, textOf, userOn } from "../steps.js"

/** Every way to sign in, from a protected page and back. */
export const signIn = [
  behavior({
    id: "sign-in.password",
    title: "a password on the built-in page signs in and returns to the protected page with its query",
    needs: "http",
    async run(site) {
      const browser = site.browse()
      await browser.get("/account?tab=1")
      expect(signInPage(browser)).toEqual({ page: `${site.basePath}/signin`, returnsTo: "/account?tab=1" })
      await browser.submitForm("callback/credentials", { email: "ada@users.test", password })
      expect(at(browser)).toBe("/account?tab=1")
      expect(textOf(browser.text, "account")).toBe("ada@users.test")
      expect(textOf(browser.text, "name")).toBe("ada")
    },
  }),
  behavior({
    id: "sign-in.own-page",
    title: "a password on the application's page signs in and returns to the protected page with its query",
    needs: "http",
    env: environments.database,
    async run(site) {
      const browser = site.browse()
      await browser.get("/account?tab=1")
      expect(signInPage(browser)).toEqual({ page: "/sign-in", returnsTo: "/account?tab=1" })
      await enterPassword(browser)
      expect(at(browser)).toBe("/account?tab=1")
      expect(textOf(browser.text, "account")).toBe("ada@users.test")
    },
  }),
  behavior({
    id: "sign-in.form",
    title: "the application's form that names no provider leads to the sign-in page, and then to its target",
    needs: "http",
    async run(site) {
      const browser = site.browse()
      await browser.get("/")
      expect(textOf(browser.text, "user")).toBe("Not signed in")
      await browser.submitForm("sign-in")
      expect(new URL(browser.location).pathname).toBe(`${site.basePath}/signin`)
      await browser.submitForm("callback/credentials", { email: "grace@users.test", password })
      expect(at(browser)).toBe("/account")
      expect(textOf(browser.text, "account")).toBe("grace@users.test")
    },
  }),
  behavior({
    id: "sign-in.provider",
    title: "an OpenID provider signs in and returns to the protected page",
    needs: "http",
    async run(site) {
      const browser = site.browse()
      await browser.get("/account?tab=2")
      await browser.submitForm("signin/op")
      await browser.consentAt(site.op, { as: "linus" })
      expect(at(browser)).toBe("/account?tab=2")
      expect(textOf(browser.text, "account")).toBe("linus@example.test")
    },
  }),
  behavior({
    id: "sign-in.provider-in-database",
    title: "an OpenID provider signs in with a session in the database",
    needs: "http",
    env: environments.renewing,
    async run(site) {
      const browser = site.browse()
      await browser.get("/account")
      await browser.submitForm("signin/op")
      await browser.consentAt(site.op, { as: "linus" })
      expect(at(browser)).toBe("/account")
      expect(textOf(browser.text, "account")).toBe("linus@example.test")
      expect(await site.calls()).toContain("createSession")
    },
  }),
  behavior({
    id: "sign-in.email-link",
    title: "an email link signs in and returns to the protected page",
    needs: "http",
    async run(site) {
      const browser = site.browse()
      await browser.get("/account")
      await browser.submitForm("signin/email", { email: "link@users.test" })
      expect(browser.response.status).toBe(200)
      await browser.get(site.services.links.at(-1) ?? "")
      if (at(browser) !== "/account") await browser.submitForm(0)
      expect(at(browser)).toBe("/account")
      expect(textOf(browser.text, "account")).toBe("link@users.test")
    },
  }),
  behavior({
    id: "sign-in.email-code",
    title: "the code of an email signs in",
    needs: "http",
    async run(site) {
      const browser = site.browse()
      await browser.get(`${site.basePath}/signin`)
      await browser.submitForm("signin/email", { email: "code@users.test" })
      await browser.submitForm(0, { code: site.services.codes.at(-1) ?? "" })
      expect(await userOn(browser)).toBe("code@users.test")
    },
  }),
  behavior({
    id: "sign-in.passkey",
    title: "a user creates a passkey, signs out, and signs in with it",
    needs: "http",
    env: environments.renewing,
    async run(site) {
      const browser = await signedIn(site, "margaret@users.test")
      const authenticator = createAuthenticator()
      await browser.registerPasskey(authenticator)
      await browser.signOut()
      expect(await userOn(browser)).toBe("Not signed in")
      await browser.signInWithPasskey(authenticator)
      expect(await userOn(browser)).toBe("margaret@users.test")
    },
  }),
  behavior({
    id: "sign-in.strict",
    title: 'with `security: "strict"`, the built-in page and the application\'s page sign in',
    needs: "http",
    env: environments.strict,
    async run(site) {
      const own = site.browse()
      await own.get("/account")
      await enterPassword(own)
      expect(textOf(own.text, "account")).toBe("ada@users.test")
      const provider = site.browse()
      await provider.signInWith(site.op, { as: "linus" })
      expect(await userOn(provider)).toBe("linus@example.test")
      await provider.get("/")
      await provider.submitForm("sign-out")
      expect(await userOn(provider)).toBe("Not signed in")
    },
  }),
  behavior({
    id: "sign-in.token",
    title:
      'with `security: "strict"`, a form of the application needs the token of `csrfToken` to post to the auth routes',
    needs: "http",
    env: environments.strict,
    async run(site) {
      const browser = site.browse()
      const route = `${site.basePath}/callback/credentials`
      const fields = { email: "ada@users.test", password }
      await browser.post(route, fields)
      expect(await browser.session()).toBeNull()
      const { csrfToken } = await (await browser.fetch("/api/csrf-token")).json()
      await browser.post(route, { ...fields, csrfToken })
      expect(await browser.session()).toMatchObject({ user: { email: "ada@users.test" } })
    },
  }),
]
