import { describe, expect, test } from "vitest"
import { inChromium } from "../browser/chromium.js"
import { application } from "./application.js"
import { ask, browse } from "./browse.js"

type Env = Readonly<Record<string, string>>

interface Variant {
  readonly major: 14 | 16
  readonly title: string
  readonly files: Readonly<Record<string, string>>
  /** What next.config has. */
  readonly settings: Readonly<Record<string, unknown>>
  readonly mount: string
  /** What comes before a path, and the language that the page then has. */
  readonly locales: readonly (readonly [prefix: string, locale: string])[]
}

/** With both a `basePath` and languages Next.js tells a middleware an address that was never asked for. */
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
    title: "in two languages of next.config, without a matcher in middleware.js (Next.js 14)",
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
  const engine = `${mount}/api/auth`

  const addresses: readonly (readonly [how: string, env: Env])[] = [
    ["without AUTH_URL", {}],
    ["with the origin in AUTH_URL", { AUTH_URL: "origin" }],
    ["with the whole path in AUTH_URL", { AUTH_URL: `origin${engine}` }],
  ]

  describe.each(addresses)("%s", (_, env) => {
    const languages = locales.map(([prefix, locale]) => [`${mount}${prefix}/private`, locale] as const)

    test.each(languages)("%s is protected, and one comes back to it from the built-in page", async (path, locale) => {
      const { origin } = await app.served(env)
      const ada = browse(origin, engine)
      await ada.get(`${path}?x=1`)
      const signInPage = new URL(ada.location)
      expect(signInPage.pathname).toBe(`${engine}/signin`)
      expect(signInPage.searchParams.get("callbackUrl")).toBe(`${origin}${path}?x=1`)
      await ada.submitForm(`${engine}/callback/credentials`, { name: "ada" })
      expect(ada.location).toBe(`${origin}${path}?x=1`)
      expect(ada.text).toMatch(new RegExp(`id="who">ada<.*id="locale">${locale}<`, "s"))
    })

    test("the data of a protected page are protected as well", async () => {
      const { origin } = await app.served(env)
      const { text: page } = await ask(origin, mount === "" ? "/" : mount)
      const id = /"buildId":"([^"]+)"/.exec(page)?.[1] ?? ""
      expect(id).not.toBe("")
      const data = ["/private.json", ...locales.map(([, locale]) => `/${locale}/private.json`)]
      for (const path of data.map((file) => `${mount}/_next/data/${id}${file}`)) {
        expect((await ask(origin, path, { headers: { "x-nextjs-data": "1" } })).text, path).not.toContain("pageProps")
        expect((await ask(origin, path)).text, path).not.toContain("pageProps")
      }
    })

    test("the routes of the engine are there and nowhere else, and API routes know who asks", async () => {
      const { origin } = await app.served(env)
      const ada = browse(origin, engine)
      await ada.signIn("credentials", { name: "ada", callbackUrl: `${engine}/csrf` })
      expect(await ada.session()).toMatchObject({ user: { name: "ada" } })
      if (mount !== "") expect((await ask(origin, "/api/auth/session")).status).toBe(404)
      await ada.get(`${mount}/api/who`)
      expect(JSON.parse(ada.text)).toMatchObject({ user: { name: "ada" } })
    })
  })

  test.each(locales)("the application's own sign-in page is found by the middleware: %s", async (prefix) => {
    const { origin } = await app.served({ SIGN_IN_PAGE: "/login" })
    const someone = browse(origin, engine)
    await someone.get(`${mount}${prefix}/private`)
    expect(someone.response.status).toBe(200)
    expect(new URL(someone.location).pathname).toBe(`${mount}${prefix}/login`)
    expect(new URL(someone.location).searchParams.get("callbackUrl")).toBe(`${origin}${mount}${prefix}/private`)
  })

  test.each(["/login", `${mount}/login`])("and as %s by the engine and by `requireSession`", async (page) => {
    const { origin } = await app.served({ SIGN_IN_PAGE: page })
    for (const path of [`${engine}/signin`, `${mount}/members`, `${mount}/private`]) {
      const someone = browse(origin, engine)
      await someone.get(path)
      expect(new URL(someone.location).pathname, path).toBe(`${mount}/login`)
      expect(someone.response.status, path).toBe(200)
    }
  })

  test("`requireSession` finds the built-in page", async () => {
    const { origin } = await app.served()
    const someone = browse(origin, engine)
    await someone.get(`${mount}/members`)
    expect(new URL(someone.location).pathname).toBe(`${engine}/signin`)
  })

  inChromium("in a browser", (visit) => {
    test.each(locales)("the client signs in, comes back, and knows who is there: %s", async (prefix, locale) => {
      const { origin } = await app.served({ SIGN_IN_PAGE: "/login" })
      const { page, asked } = await visit()
      await page.goto(`${origin}${mount}${prefix}/private`)
      await page.getByRole("button", { name: "Let me in" }).click()
      await page.waitForURL(`${origin}${mount}${prefix}/private`)
      await page.locator("#client").filter({ hasText: "ada" }).waitFor()
      expect(await page.locator("#locale").innerText()).toBe(locale)
      const auth = asked.filter((url) => url.includes("/api/auth/"))
      expect(auth.filter((url) => !url.startsWith(`${origin}${engine}/`))).toEqual([])
    })
  })
})
