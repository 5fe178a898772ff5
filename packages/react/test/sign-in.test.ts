import type { AuthConfig } from "@latchkey/core/types"
import { CredentialsSignin } from "@latchkey/core/errors"
import credentials from "@latchkey/core/providers/credentials"
import { createProvider } from "@latchkey/testing"
import { expect, test } from "vitest"
import { inChromium } from "../../../tests/browser/chromium.js"
import { openSite, run, shows, type Site } from "./site.js"

class Locked extends CredentialsSignin {
  override code = "locked"
}

const providers: AuthConfig["providers"] = [
  createProvider().provider({ name: "Acme" }),
  credentials({
    name: "Password",
    credentials: { name: {}, password: {} },
    authorize({ name, password }) {
      if (name === "locked") throw new Locked()
      return password === "open sesame" ? { id: "1", name: String(name) } : null
    },
  }),
]

const good = `{ name: "ada", password: "open sesame", redirect: false }`
const bad = `{ name: "ada", password: "guess", redirect: false }`

/** The URL after a navigation. The promise of `signIn` may not settle, because the page unloads. */
async function leaves(page: Parameters<typeof run>[0], call: string): Promise<string> {
  const left = page.waitForEvent("framenavigated")
  await page.evaluate(`void app.${call}`)
  await left
  return page.url()
}

function serverFails(site: Site, path: string, status = 500): void {
  site.between = ({ url }) => (new URL(url).pathname === path ? new Response("<html>", { status }) : undefined)
}

inChromium("signIn", (visit) => {
  test("with the right password, the session is known when it resolves, and the providers are requested once", async () => {
    const site = await openSite({ config: { providers } })
    site.setup = { props: { session: null } }
    const { page } = await visit()
    await page.goto(site.origin)
    const result = { error: undefined, code: undefined, status: 200, ok: true, url: `${site.origin}/` }
    expect(await run(page, `signIn("credentials", ${good})`)).toEqual(result)
    expect(await page.locator("#who").innerText()).toBe("authenticated ada")
    const rest = { "GET /auth/csrf": 1, "POST /auth/callback/credentials": 1, "GET /auth/session": 1 }
    expect(site.asked()).toEqual({ "GET /auth/providers": 1, ...rest })
    await run(page, `signIn("credentials", ${good})`)
    expect(site.asked()).toEqual(rest)
  })

  test("with a wrong password, it resolves to status 401 and doesn't read the session", async () => {
    const site = await openSite({ config: { providers } })
    site.setup = { props: { session: null } }
    const { page } = await visit()
    await page.goto(site.origin)
    const wrong = { error: "CredentialsSignin", code: "credentials", status: 401, ok: false, url: null }
    expect(await run(page, `signIn("credentials", ${bad})`)).toEqual(wrong)
    const locked = { ...wrong, code: "locked" }
    expect(await run(page, `signIn("credentials", { name: "locked", redirect: false })`)).toEqual(locked)
    expect(site.asked()["GET /auth/session"]).toBeUndefined()
  })

  test("after too many attempts, it resolves to status 429", async () => {
    const rateLimit = { limits: { credentials: { address: { points: 1, seconds: 600 } } } }
    const site = await openSite({ config: { providers, rateLimit } })
    site.setup = { props: { session: null } }
    const { page } = await visit()
    await page.goto(site.origin)
    expect(await run(page, `signIn("credentials", ${bad})`)).toMatchObject({ error: "CredentialsSignin" })
    const again = await run(page, `signIn("credentials", ${bad})`)
    expect(again).toEqual({ error: "RateLimited", code: undefined, status: 429, ok: false, url: null })
  })

  test.each([
    ["the server fails", 500, "Configuration"],
    ["a proxy can't reach the server", 502, "Configuration"],
    ["the server doesn't respond", 0, "ClientFetchError"],
  ])("when %s, it resolves to status %i instead of throwing", async (_, status, error) => {
    const site = await openSite({ config: { providers } })
    site.setup = { props: { session: null } }
    const { page } = await visit()
    const result = { error, code: undefined, status, ok: false, url: null }
    for (const path of ["/auth/providers", "/auth/csrf", "/auth/callback/credentials"]) {
      await page.goto(site.origin)
      if (status === 0) await page.route(`**${path}`, async (route) => route.abort())
      else serverFails(site, path, status)
      expect(await run(page, `signIn("credentials", ${good})`)).toEqual(result)
      await page.unrouteAll()
      site.between = () => undefined
    }
  })

  test.each(["/auth/providers", "/auth/csrf", "/auth/callback/credentials"])(
    "with a redirect, a failure of %s leads to the error page",
    async (path) => {
      const site = await openSite({ config: { providers } })
      site.setup = { props: { session: null } }
      const { page } = await visit()
      await page.goto(site.origin)
      serverFails(site, path)
      expect(await leaves(page, `signIn("credentials", ${good.replace("false", "true")})`)).toBe(
        `${site.origin}/auth/error`,
      )
    },
  )

  test.each([
    ["/next?x=1#part", "/next?x=1#part"],
    ["next", "/next"],
    ["https://elsewhere.test/", "/"],
  ])("with redirectTo: %s, it goes to %s", async (to, expected) => {
    const site = await openSite({ config: { providers } })
    site.setup = { props: { session: null } }
    const { page } = await visit()
    await page.goto(site.origin)
    const options = good.replace("redirect: false", `redirectTo: ${JSON.stringify(to)}`)
    expect(await leaves(page, `signIn("credentials", ${options})`)).toBe(site.origin + expected)
    await shows(page, "unauthenticated")
  })

  test("a URL that differs only in its fragment reloads the page", async () => {
    const site = await openSite({ config: { providers } })
    const { page } = await visit()
    await page.goto(`${site.origin}/#part`)
    await shows(page, "unauthenticated")
    await page.evaluate(`void app.signIn("credentials", ${good.replace("redirect: false", "")})`)
    await shows(page, "authenticated ada")
    expect(page.url()).toBe(`${site.origin}/#part`)
    expect(site.asked()["GET /auth/session"]).toBe(2)
  })

  test("with a redirect and a wrong password, it goes to the sign-in page with the error", async () => {
    const site = await openSite({ config: { providers } })
    site.setup = { props: { session: null } }
    const { page } = await visit()
    await page.goto(site.origin)
    const url = await leaves(page, `signIn("credentials", ${bad.replace("false", "true")})`)
    expect(url).toBe(`${site.origin}/auth/signin?error=CredentialsSignin&code=credentials`)
  })

  test("a second attempt from a page with an error in its URL doesn't report that error", async () => {
    const site = await openSite({ config: { providers, pages: { signIn: "/login" } } })
    site.setup = { props: { session: null } }
    const { page } = await visit()
    await page.goto(`${site.origin}/login?error=CredentialsSignin&code=credentials&from=a`)
    expect(await run(page, `signIn("credentials", ${good})`)).toMatchObject({
      ok: true,
      url: `${site.origin}/login?from=a`,
    })
    expect(await run(page, `signIn("credentials", ${bad})`)).toMatchObject({ ok: false, error: "CredentialsSignin" })
  })

  test.each(["", `"unknown"`, `"constructor"`, `undefined, { redirectTo: "/next" }`])(
    "signIn(%s) opens the sign-in page",
    async (args) => {
      const site = await openSite({ config: { providers } })
      site.setup = { props: { session: null } }
      const { page } = await visit()
      await page.goto(site.origin)
      const callbackUrl = args.includes("/next") ? "/next" : `${site.origin}/`
      expect(await leaves(page, `signIn(${args})`)).toBe(
        `${site.origin}/auth/signin?${new URLSearchParams({ callbackUrl })}`,
      )
    },
  )

  test("authorization parameters reach an OpenID provider", async () => {
    const site = await openSite({ config: { providers } })
    site.setup = { props: { session: null } }
    const { page } = await visit()
    await page.goto(site.origin)
    const result = await run(page, `signIn("op", { redirect: false }, { prompt: "login" })`)
    expect(result).toMatchObject({ ok: true, status: 200, url: expect.stringMatching(/[?&]prompt=login(&|$)/) })
    expect(site.asked()["GET /auth/session"]).toBeUndefined()
  })

  test("signOut that fails keeps the session and resolves to ok: false", async () => {
    const site = await openSite({ config: { providers } })
    const { page } = await visit()
    await page.goto(site.origin)
    await shows(page, "unauthenticated")
    await run(page, `signIn("credentials", ${good})`)
    serverFails(site, "/auth/signout")
    expect(await run(page, "signOut({ redirect: false })")).toEqual({ url: "/auth/error", ok: false })
    expect(await page.locator("#who").innerText()).toBe("authenticated ada")
    expect(await leaves(page, "signOut()")).toBe(`${site.origin}/auth/error`)
  })

  test("requests go to baseUrl", async () => {
    const [site, api] = [await openSite(), await openSite()]
    site.setup = { props: { baseUrl: api.origin, session: null } }
    const { page } = await visit()
    api.between = ({ headers }) =>
      Response.json(
        { csrfToken: "from there" },
        {
          headers: {
            "access-control-allow-origin": headers.get("origin") ?? "",
            "access-control-allow-credentials": "true",
          },
        },
      )
    await page.goto(site.origin)
    expect(await run(page, "getCsrfToken()")).toBe("from there")
    expect(site.asked()).toEqual({})
  })
})
