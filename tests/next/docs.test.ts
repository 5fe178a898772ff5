import { describe, expect, test } from "vitest"
import { inChromium } from "../browser/chromium.js"
import { application } from "./application.js"
import { browse, send } from "../applications/http.js"

type Env = Readonly<Record<string, string>>

interface Variant {
  readonly major: 14 | 16
  readonly title: string
  readonly files: Readonly<Record<string, string>>
  /** Settings for next.config. */
  readonly settings: Readonly<Record<string, unknown>>
  readonly mount: string
  /** Path prefixes, and the locale of the page below each. */
  readonly locales: readonly (readonly [prefix: string, locale: string])[]
}

/** Not both in one variant: with `basePath` and `i18n`, Next.js gives the middleware a wrong URL. */
const variants: readonly Variant[] = [
  {
    major: 16,
    title: "below the `basePath` of next.config, without a matcher in proxy.js (Next.js 16)",
    files: { "proxy.js": 'export { auth as proxy } from "./auth.js"\n' },
    settings: { basePath: "/docs" },
    mount: "/docs",
    locales: [["", "undefined"]],
  },
  {
    major: 14,
    title: "with two locales in next.config, without a matcher in middleware.js (Next.js 14)",
    files: { "middleware.js": 'export { auth as middleware } from "./auth.js"\n' },
    settings: { i18n: { locales: ["en", "de"], defaultLocale: "en" } },
    mount: "",
    locales: [
      ["", "en"],
      ["/de", "de"],
    ],
  },
]

describe.each(variants)("$title", ({ major, files, settings, mount, locales }) => {
  const app = application({ folder: "docs", major, files, settings })
  const authPath = `${mount}/api/auth`

  const authUrls: readonly (readonly [title: string, env: Env])[] = [
    ["without AUTH_URL", {}],
    ["with an origin as AUTH_URL", { AUTH_URL: "origin" }],
    ["with an origin and path as AUTH_URL", { AUTH_URL: `origin${authPath}` }],
  ]

  describe.each(authUrls)("%s", (_, env) => {
    const pages = locales.map(([prefix, locale]) => [`${mount}${prefix}/private`, locale] as const)

    test.each(pages)("%s is protected, and signing in on the built-in page returns to it", async (path, locale) => {
      const { origin } = await app.served(env)
      const ada = browse(origin, authPath)
      await ada.get(`${path}?x=1`)
      const signInPage = new URL(ada.location)
      expect(signInPage.pathname).toBe(`${authPath}/signin`)
      expect(signInPage.searchParams.get("callbackUrl")).toBe(`${origin}${path}?x=1`)
      await ada.submitForm(`${authPath}/callback/credentials`, { name: "ada" })
      expect(ada.location).toBe(`${origin}${path}?x=1`)
      expect(ada.text).toMatch(new RegExp(`id="user">ada<.*id="locale">${locale}<`, "s"))
    })

    test("the data of a protected page is protected too", async () => {
      const { origin } = await app.served(env)
      const { text: page } = await send(origin, mount === "" ? "/" : mount)
      const id = /"buildId":"([^"]+)"/.exec(page)?.[1] ?? ""
      expect(id).not.toBe("")
      const data = ["/private.json", ...locales.map(([, locale]) => `/${locale}/private.json`)]
      for (const path of data.map((file) => `${mount}/_next/data/${id}${file}`)) {
        expect((await send(origin, path, { headers: { "x-nextjs-data": "1" } })).text, path).not.toContain("pageProps")
        expect((await send(origin, path)).text, path).not.toContain("pageProps")
      }
    })

    test("the auth routes are below the basePath only, and API Routes get the session", async () => {
      const { origin } = await app.served(env)
      const ada = browse(origin, authPath)
      await ada.signIn("credentials", { name: "ada", callbackUrl: `${authPath}/csrf` })
      expect(await ada.session()).toMatchObject({ user: { name: "ada" } })
      if (mount !== "") expect((await send(origin, "/api/auth/session")).status).toBe(404)
      await ada.get(`${mount}/api/session`)
      expect(JSON.parse(ada.text)).toMatchObject({ user: { name: "ada" } })
    })
  })

  test.each(locales)("the middleware redirects to a custom sign-in page: %s", async (prefix) => {
    const { origin } = await app.served({ SIGN_IN_PAGE: "/login" })
    const browser = browse(origin, authPath)
    await browser.get(`${mount}${prefix}/private`)
    expect(browser.response.status).toBe(200)
    expect(new URL(browser.location).pathname).toBe(`${mount}${prefix}/login`)
    expect(new URL(browser.location).searchParams.get("callbackUrl")).toBe(`${origin}${mount}${prefix}/private`)
  })

  test.each(["/login", `${mount}/login`])(
    "the auth routes and `requireSession` redirect to the custom page %s",
    async (page) => {
      const { origin } = await app.served({ SIGN_IN_PAGE: page })
      for (const path of [`${authPath}/signin`, `${mount}/members`, `${mount}/private`]) {
        const browser = browse(origin, authPath)
        await browser.get(path)
        expect(new URL(browser.location).pathname, path).toBe(`${mount}/login`)
        expect(browser.response.status, path).toBe(200)
      }
    },
  )

  test("`requireSession` redirects to the built-in page", async () => {
    const { origin } = await app.served()
    const browser = browse(origin, authPath)
    await browser.get(`${mount}/members`)
    expect(new URL(browser.location).pathname).toBe(`${authPath}/signin`)
  })

  inChromium("in a browser", (visit) => {
    test.each(locales)("the client signs in, returns to the page and has the session: %s", async (prefix, locale) => {
      const { origin } = await app.served({ SIGN_IN_PAGE: "/login" })
      const { page, asked } = await visit()
      await page.goto(`${origin}${mount}${prefix}/private`)
      await page.getByRole("button", { name: "Sign in" }).click()
      await page.waitForURL(`${origin}${mount}${prefix}/private`)
      await page.locator("#client").filter({ hasText: "ada" }).waitFor()
      expect(await page.locator("#locale").innerText()).toBe(locale)
      const auth = asked.filter((url) => url.includes("/api/auth/"))
      expect(auth.filter((url) => !url.startsWith(`${origin}${authPath}/`))).toEqual([])
    })
  })
})
