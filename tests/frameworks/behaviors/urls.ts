import { encode } from "@latchkey/core/jwt"
import { expect } from "vitest"
import { behavior } from "../behavior.js"
import { secret, type Site } from "../site.js"
import { at, enterPassword, password, signedIn, signInPage, textOf, userOn } from "../steps.js"

const shop = "https://shop.test"

/** Signs in with every form, below the base path of the site. */
async function signInBelowBasePath(site: Site): Promise<void> {
  const browser = site.browse()
  await browser.get("/account")
  expect(at(browser)).toBe(`${site.basePath}/signin?callbackUrl=%2Faccount`)
  await browser.submitForm("signin/op")
  const { redirect_uri } = Object.fromEntries(new URL(browser.location).searchParams)
  expect(redirect_uri).toBe(`${site.origin}${site.basePath}/callback/op`)
  await browser.consentAt(site.op, { as: "linus" })
  expect(at(browser)).toBe("/account")
  await browser.get("/")
  await browser.submitForm("sign-out")
  expect(await userOn(browser)).toBe("Not signed in")
  const other = site.framework.basePath ?? "/auth"
  if (other !== site.basePath) expect((await site.send(`${other}/session`)).status).toBe(404)
}

/** A browser at a reverse proxy that terminates TLS. */
function behindProxy(site: Site, headers: Readonly<Record<string, string>>) {
  return site.browse({ origin: shop, headers: { host: new URL(site.origin).host, ...headers } })
}

/** Origins, base paths and cookies. */
export const urls = [
  behavior({
    id: "urls.base-path",
    title: "`basePath` of the configuration moves all routes",
    needs: "http",
    env: { BASE_PATH: "/user/auth" },
    run: signInBelowBasePath,
  }),
  behavior({
    id: "urls.auth-url",
    title: "the path of AUTH_URL moves all routes",
    needs: "http",
    env: { AUTH_URL: "{origin}/login", AUTH_TRUST_HOST: "" },
    run: signInBelowBasePath,
  }),
  behavior({
    id: "urls.redirect-uri",
    title: "the redirect URI has the origin of the request",
    needs: "http",
    async run(site) {
      const browser = site.browse()
      await browser.signIn("op")
      expect(new URL(browser.location).searchParams.get("redirect_uri")).toBe(
        `${site.origin}${site.basePath}/callback/op`,
      )
    },
  }),
  behavior({
    id: "urls.proxy",
    title: "behind a trusted proxy, redirects and cookies have the origin that the browser sees",
    needs: "http",
    async run(site) {
      const browser = behindProxy(site, { "x-forwarded-host": "shop.test", "x-forwarded-proto": "https" })
      await browser.get("/account")
      expect(new URL(browser.location).origin).toBe(shop)
      expect(signInPage(browser)).toEqual({ page: `${site.basePath}/signin`, returnsTo: "/account" })
      await browser.submitForm("signin/op")
      const { redirect_uri } = Object.fromEntries(new URL(browser.location).searchParams)
      expect(redirect_uri).toBe(`${shop}${site.basePath}/callback/op`)
      await browser.consentAt(site.op, { as: "linus" })
      expect(browser.location).toBe(`${shop}/account`)
      const cookie = browser.cookies.find(({ name }) => name.includes("session-token"))
      expect(cookie).toMatchObject({ name: expect.stringMatching(/^__/), secure: true })
    },
  }),
  behavior({
    id: "urls.proxy-forms",
    title: "behind a trusted proxy, the forms of the application sign in and out",
    needs: "http",
    async run(site) {
      const browser = behindProxy(site, { "x-forwarded-host": "shop.test", "x-forwarded-proto": "https" })
      await browser.get("/sign-in?callbackUrl=/account")
      await enterPassword(browser)
      expect(browser.location).toBe(`${shop}/account`)
      expect(textOf(browser.text, "account")).toBe("ada@users.test")
      await browser.get("/")
      await browser.submitForm("sign-out")
      expect(await userOn(browser)).toBe("Not signed in")
    },
  }),
  behavior({
    id: "urls.fixed-origin",
    title: "with AUTH_URL, no header of a request changes the origin",
    needs: "http",
    env: { AUTH_URL: `${shop}{basePath}`, AUTH_TRUST_HOST: "" },
    async run(site) {
      const browser = behindProxy(site, { "x-forwarded-host": "evil.test", "x-forwarded-proto": "http" })
      await browser.signIn("op")
      expect(new URL(browser.location).searchParams.get("redirect_uri")).toBe(`${shop}${site.basePath}/callback/op`)
      await browser.consentAt(site.op, { as: "linus" })
      expect(await userOn(browser)).toBe("linus@example.test")
    },
  }),
  behavior({
    id: "urls.untrusted",
    title: "without AUTH_URL and a trusted host, no user is signed in, and the log says why",
    needs: "http",
    env: { AUTH_TRUST_HOST: "" },
    async run(site) {
      const name = "authjs.session-token"
      const token = await encode({ token: { sub: "id-ada", email: "ada@users.test" }, secret, salt: name })
      const headers = { "x-forwarded-host": "evil.test", cookie: `${name}=${token}` }
      const { status, text } = await site.send(`${site.basePath}/signin`, { headers })
      expect(status).toBeGreaterThanOrEqual(400)
      expect(text).not.toContain("evil.test")
      expect(textOf((await site.send("/", { headers })).text, "user")).toBe("Not signed in")
      expect((await site.send("/account", { headers })).text).not.toContain("ada@users.test")
      await expect.poll(() => site.output()).toMatch(/AUTH_URL|trustHost/)
    },
  }),
  behavior({
    id: "urls.invalid-host",
    title: "an invalid Host header is refused, and the server goes on",
    needs: "http",
    async run(site) {
      for (const host of ["app.test:1@evil.test", '"><script>alert(1)</script>', "a b", "[", ""]) {
        for (const path of ["/", "/account", `${site.basePath}/signin`]) {
          const { status, text, headers } = await site.send(path, { headers: { host } })
          expect(text, `${path} ${host} ${status}`).not.toContain("<script>alert")
          expect(headers.get("location") ?? "").not.toContain("evil.test")
        }
      }
      expect(await userOn(await signedIn(site))).toBe("ada@users.test")
    },
  }),
  behavior({
    id: "cookies.flags",
    title: "the session cookie is HttpOnly, SameSite=Lax and valid for the whole site",
    needs: "http",
    async run(site) {
      const browser = await signedIn(site)
      const cookie = browser.cookies.find(({ name }) => name.includes("session-token"))
      expect(cookie).toMatchObject({ httpOnly: true, sameSite: "lax", path: "/", value: expect.any(String) })
    },
  }),
  behavior({
    id: "cookies.several",
    title: "several cookies of one response are separate headers",
    needs: "http",
    async run(site) {
      const browser = site.browse()
      await browser.get(`${site.basePath}/signin`)
      await browser.submitForm("signin/op")
      const lines = browser.trail[0]?.headers.getSetCookie() ?? []
      expect(lines.length).toBeGreaterThan(1)
      for (const line of lines) expect(line.match(/Path=/gi), line).toHaveLength(1)
      expect(new Set(lines.map((line) => line.split("=", 1)[0])).size).toBe(lines.length)
    },
  }),
  behavior({
    id: "cookies.foreign",
    title: "cookies of the application don't disturb those of the session",
    needs: "http",
    async run(site) {
      const browser = site.browse({ headers: {} })
      await browser.get(`${site.basePath}/signin`)
      await browser.submitForm("callback/credentials", { email: "ada@users.test", password })
      const session = browser.cookies.map(({ name, value }) => `${name}=${value}`).join("; ")
      const cookie = `theme=dark; quoted="a b"; =nameless; broken=%E0%A4%A; ${session}; last`
      const { status, text } = await site.send("/", { headers: { cookie } })
      expect(status).toBe(200)
      expect(textOf(text, "user")).toBe("ada@users.test")
    },
  }),
]
