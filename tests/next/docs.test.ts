import { describe, expect, test } from "vitest"
import { inChromium } from "../browser/chromium.js"
import { application } from "./application.js"
import { ask, browse } from "./browse.js"

/** Below `/docs`, in two languages, and a proxy without a matcher. */
const app = application({
  folder: "docs",
  major: 16,
  settings: { basePath: "/docs", i18n: { locales: ["en", "de"], defaultLocale: "en" } },
})

/** Each: the path of a page, and the locale it is shown in. */
const languages = [
  ["/docs/private", "en"],
  ["/docs/de/private", "de"],
] as const

describe.each([
  ["without AUTH_URL", {}],
  ["with the origin in AUTH_URL", { AUTH_URL: "origin" }],
  ["with the whole path in AUTH_URL", { AUTH_URL: "origin/docs/api/auth" }],
])("an application below the `basePath` of next.config, %s", (_, { AUTH_URL }: { AUTH_URL?: string }) => {
  const served = async (env: Readonly<Record<string, string>> = {}) =>
    app.served(AUTH_URL === undefined ? env : { AUTH_URL, ...env })

  test.each(languages)(
    "%s is protected, and one comes back to it after signing in on the built-in page",
    async (path, locale) => {
      const { origin } = await served()
      const ada = browse(origin, "/docs/api/auth")
      await ada.get(`${path}?x=1`)
      const signInPage = new URL(ada.location)
      expect(signInPage.pathname).toBe("/docs/api/auth/signin")
      expect(signInPage.searchParams.get("callbackUrl")).toBe(`${origin}${path}?x=1`)
      await ada.submitForm("/docs/api/auth/callback/credentials", { name: "ada" })
      expect(ada.location).toBe(`${origin}${path}?x=1`)
      expect(ada.text).toMatch(new RegExp(`id="who">ada<.*id="locale">${locale}<`, "s"))
    },
  )

  test("the data of a protected page are protected as well", async () => {
    const { origin } = await served()
    const { text: page } = await ask(origin, "/docs")
    const id = /"buildId":"([^"]+)"/.exec(page)?.[1] ?? ""
    expect(id).not.toBe("")
    for (const path of ["/docs/_next/data/ID/private.json", "/docs/_next/data/ID/de/private.json"]) {
      const { text } = await ask(origin, path.replace("ID", id), { headers: { "x-nextjs-data": "1" } })
      expect(text, path).not.toContain("pageProps")
    }
  })

  test("the routes of the engine are there and nowhere else, and API routes know who asks", async () => {
    const { origin } = await served()
    const ada = browse(origin, "/docs/api/auth")
    await ada.signIn("credentials", { name: "ada", callbackUrl: "/docs/api/auth/csrf" })
    expect(await ada.session()).toMatchObject({ user: { name: "ada" } })
    expect((await ask(origin, "/api/auth/session")).status).toBe(404)
    await ada.get("/docs/api/who")
    expect(JSON.parse(ada.text)).toMatchObject({ user: { name: "ada" } })
  })

  test.each(languages)(
    "who asks for %s is sent to the application's own sign-in page in that language",
    async (path) => {
      const { origin } = await served({ SIGN_IN_PAGE: "/login" })
      const ada = browse(origin, "/docs/api/auth")
      await ada.get(path)
      expect(ada.response.status).toBe(200)
      expect(new URL(ada.location).pathname).toBe(path.replace("private", "login"))
      expect(new URL(ada.location).searchParams.get("callbackUrl")).toBe(`${origin}${path}`)
    },
  )
})

inChromium("below the `basePath` of next.config", (visit) => {
  test.each(languages)("the client signs in, comes back to %s, and knows who is there", async (path, locale) => {
    const { origin } = await app.served({ SIGN_IN_PAGE: "/login" })
    const { page, asked } = await visit()
    await page.goto(origin + path)
    await page.getByRole("button", { name: "Let me in" }).click()
    await page.waitForURL(origin + path)
    await page.locator("#client").filter({ hasText: "ada" }).waitFor()
    expect(await page.locator("#locale").innerText()).toBe(locale)
    const auth = asked.filter((url) => url.includes("/api/auth/"))
    expect(auth.filter((url) => !url.startsWith(`${origin}/docs/api/auth/`))).toEqual([])
  })
})
