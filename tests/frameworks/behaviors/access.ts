import { expect } from "vitest"
import { behavior } from "../behavior.js"
import { at, enterPassword, environments, password, sessionCookies, signedIn, stackTrace, textOf } from "../steps.js"

const outside = "https://evil.test/"
const foreign = [outside, "//evil.test/", "/\\evil.test", "https:evil.test", "javascript:alert(1)"]

/** Of the path of a page, as some routers, servers or caches resolve them. */
const spellings: readonly ((name: string) => string)[] = [
  (name) => `/${name}`,
  (name) => `/${name}/`,
  (name) => `//${name}`,
  (name) => `/./${name}`,
  (name) => `/sign-in/../${name}`,
  (name) => `/sign-in/..%2f${name}`,
  (name) => `/sign-in\\..\\${name}`,
  (name) => `/${name}%2f`,
  (name) => `/${name};a=1`,
  (name) => `/${name.toUpperCase()}`,
  (name) => `/%${name.charCodeAt(0).toString(16)}${name.slice(1)}`,
  (name) => `/%25${name.charCodeAt(0).toString(16)}${name.slice(1)}`,
]

/** Of requests that aren't navigations. */
const apiHeaders = [{}, { accept: "application/json" }, { accept: "*/*", "sec-fetch-mode": "cors" }]

/** Who may see what, and what users see when something goes wrong. */
export const access = [
  behavior({
    id: "protect.page",
    title: "a protected page redirects to the sign-in page, and no cache may store that",
    needs: "http",
    async run(site) {
      const headers = { accept: "text/html", "sec-fetch-mode": "navigate" }
      const response = await site.send("/account?a=1&b=%26", { headers })
      expect([302, 303, 307]).toContain(response.status)
      const to = new URL(response.headers.get("location") ?? "", site.origin)
      expect(to.origin + to.pathname).toBe(`${site.origin}${site.basePath}/signin`)
      expect(new URL(to.searchParams.get("callbackUrl") ?? "", site.origin).search).toBe("?a=1&b=%26")
      expect(response.text).not.toContain('id="account"')
    },
  }),
  behavior({
    id: "protect.spelling",
    title: "a protected page stays protected, however its path is spelled",
    needs: "http",
    async run(site) {
      for (const path of spellings.flatMap((spelling) => ["account", "admin"].map(spelling))) {
        const { status, text } = await site.send(path, {
          headers: { accept: "text/html", "sec-fetch-mode": "navigate" },
        })
        expect(status, path).not.toBe(500)
        expect(text, path).not.toContain('id="account"')
      }
    },
  }),
  behavior({
    id: "protect.api",
    title: "a protected API route responds with 401, and never redirects",
    needs: "http",
    async run(site) {
      for (const headers of apiHeaders) {
        const response = await site.send("/api/account", { headers })
        expect(response.status).toBe(401)
        expect(response.headers.get("location")).toBeNull()
      }
    },
  }),
  behavior({
    id: "protect.api-body",
    title: "the response of a protected API route without a session is JSON",
    needs: "http",
    async run(site) {
      for (const headers of apiHeaders) {
        const response = await site.send("/api/account", { headers })
        expect(response.headers.get("content-type")).toMatch(/^application\/json/)
        expect(JSON.parse(response.text)).toEqual(expect.anything())
      }
    },
  }),
  behavior({
    id: "error.password",
    title: "the built-in page shows that a password is wrong, and keeps the return target",
    needs: "http",
    async run(site) {
      const browser = site.browse()
      await browser.get("/account?tab=1")
      await browser.submitForm("callback/credentials", { email: "ada@users.test", password: "wrong" })
      const page = new URL(browser.location)
      expect(page.pathname).toBe(`${site.basePath}/signin`)
      expect(page.searchParams.get("error")).toBe("CredentialsSignin")
      await browser.submitForm("callback/credentials", { email: "ada@users.test", password })
      expect(at(browser)).toBe("/account?tab=1")
      expect(textOf(browser.text, "account")).toBe("ada@users.test")
    },
  }),
  behavior({
    id: "error.own-page",
    title: "the application's page shows that a password is wrong, and keeps the return target",
    needs: "http",
    env: environments.database,
    async run(site) {
      const browser = site.browse()
      await browser.get("/account?tab=1")
      await enterPassword(browser, "ada@users.test", "wrong")
      expect(new URL(browser.location).pathname.replace(/\/$/, "")).toBe("/sign-in")
      expect(textOf(browser.text, "error")).toMatch(/\w/)
      expect(await browser.session()).toBeNull()
      await enterPassword(browser)
      expect(at(browser)).toBe("/account?tab=1")
      expect(textOf(browser.text, "account")).toBe("ada@users.test")
    },
  }),
  behavior({
    id: "error.provider",
    title: "a user who cancels at the provider comes back to a page that says so",
    needs: "http",
    env: environments.database,
    async run(site) {
      const browser = site.browse()
      await browser.signIn("op")
      await browser.consentAt(site.op, { error: "access_denied" })
      expect(new URL(browser.location).pathname.replace(/\/$/, "")).toBe("/sign-in")
      expect(textOf(browser.text, "error")).toMatch(/\w/)
      expect(await browser.session()).toBeNull()
    },
  }),
  behavior({
    id: "error.unknown-provider",
    title: "an unknown provider is refused on a page",
    needs: "http",
    async run(site) {
      const browser = site.browse()
      const csrfToken = (await browser.csrf()) ?? ""
      await browser.post(`${site.basePath}/signin/unknown`, { csrfToken })
      expect(browser.response.status).toBeLessThan(500)
      expect(browser.text).not.toMatch(stackTrace)
      expect(await browser.session()).toBeNull()
    },
  }),
  behavior({
    id: "routes.unknown",
    title: "unknown paths below the base path are 404",
    needs: "http",
    async run(site) {
      for (const path of ["/nothing", "/signin/op/more", "/callback"]) {
        const { status, text } = await site.send(site.basePath + path, { headers: { accept: "text/html" } })
        expect([400, 404], `${path}: ${status}`).toContain(status)
        expect(text).not.toMatch(stackTrace)
      }
    },
  }),
  behavior({
    id: "routes.body-limit",
    title: "a body that is too large is refused with 413",
    needs: "http",
    async run(site) {
      const body = `email=ada%40users.test&password=${"x".repeat(200_000)}`
      const headers = { "content-type": "application/x-www-form-urlencoded", origin: site.origin }
      const { status } = await site.send(`${site.basePath}/callback/credentials`, { method: "POST", headers, body })
      expect(status).toBe(413)
    },
  }),
  behavior({
    id: "redirect.built-in",
    title: "no callback URL of a route leads to another site",
    needs: "http",
    async run(site) {
      for (const callbackUrl of foreign) {
        const browser = site.browse()
        await browser.get(`${site.basePath}/signin?${new URLSearchParams({ callbackUrl })}`)
        await browser.submitForm("callback/credentials", { email: "ada@users.test", password, callbackUrl })
        expect(new URL(browser.location).origin, callbackUrl).toBe(site.origin)
        await browser.signOut({ callbackUrl })
        expect(new URL(browser.location).origin, callbackUrl).toBe(site.origin)
      }
    },
  }),
  behavior({
    id: "redirect.own-page",
    title: "no callback URL of the application's sign-in page leads to another site",
    needs: "http",
    env: environments.database,
    async run(site) {
      for (const callbackUrl of foreign) {
        const browser = site.browse()
        await browser.get(`/sign-in?${new URLSearchParams({ callbackUrl })}`)
        await enterPassword(browser)
        expect(new URL(browser.location).origin, callbackUrl).toBe(site.origin)
        expect(await browser.session(), callbackUrl).toMatchObject({ user: { email: "ada@users.test" } })
      }
    },
  }),
  behavior({
    id: "caching.cookies",
    title: "no cache may store a response that sets a cookie",
    needs: "http",
    env: environments.database,
    async run(site) {
      const browser = site.browse()
      await browser.get("/account")
      await enterPassword(browser)
      await browser.get("/")
      await browser.submitForm("sign-out")
      const responses = [...browser.trail, await (await signedIn(site)).fetch(`${site.basePath}/csrf`)]
      expect(responses.some(({ headers }) => sessionCookies(headers).length > 0)).toBe(true)
      for (const { headers } of responses)
        if (headers.getSetCookie().length > 0) expect(headers.get("cache-control")).toMatch(/no-store/)
    },
  }),
  behavior({
    id: "caching.csrf-token",
    title: "no cache may store a response with a new token of `csrfToken`",
    needs: "http",
    env: environments.strict,
    async run(site) {
      const { headers } = await site.send("/api/csrf-token")
      expect(headers.getSetCookie()).not.toEqual([])
      expect(headers.get("cache-control")).toMatch(/no-store/)
    },
  }),
]
