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

/** Where the page has gone once it has left; the promise of `signIn` itself may be lost with the page. */
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
  test("with the right password: three requests at first, then two, and the session is there when it resolves", async () => {
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

  test("with a wrong password: not ok, 401, and nothing is asked for afterwards", async () => {
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

  test("after too many attempts: not ok, 429", async () => {
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
    ["a proxy finds no server", 502, "Configuration"],
    ["nobody answers", 0, "ClientFetchError"],
  ])("when %s: not ok, status %i, and it does not throw", async (_, status, error) => {
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
    "with a redirect, a fault of %s leads to the error page",
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
  ])("with a redirect to %s it goes to %s", async (to, place) => {
    const site = await openSite({ config: { providers } })
    site.setup = { props: { session: null } }
    const { page } = await visit()
    await page.goto(site.origin)
    const options = good.replace("redirect: false", `redirectTo: ${JSON.stringify(to)}`)
    expect(await leaves(page, `signIn("credentials", ${options})`)).toBe(site.origin + place)
    await shows(page, "unauthenticated")
  })

  test("to a place on the same page, the page is loaded anew", async () => {
    const site = await openSite({ config: { providers } })
    const { page } = await visit()
    await page.goto(`${site.origin}/#part`)
    await shows(page, "unauthenticated")
    await page.evaluate(`void app.signIn("credentials", ${good.replace("redirect: false", "")})`)
    await shows(page, "authenticated ada")
    expect(page.url()).toBe(`${site.origin}/#part`)
    expect(site.asked()["GET /auth/session"]).toBe(2)
  })

  test("with a redirect and a wrong password it goes to the sign-in page, which says so", async () => {
    const site = await openSite({ config: { providers } })
    site.setup = { props: { session: null } }
    const { page } = await visit()
    await page.goto(site.origin)
    const url = await leaves(page, `signIn("credentials", ${bad.replace("false", "true")})`)
    expect(url).toBe(`${site.origin}/auth/signin?error=CredentialsSignin&code=credentials`)
  })

  test("a second attempt from a page that shows an error is judged by itself", async () => {
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
    "signIn(%s) shows the sign-in page",
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

  test("an OpenID provider gets the parameters, and the browser is sent there", async () => {
    const site = await openSite({ config: { providers } })
    site.setup = { props: { session: null } }
    const { page } = await visit()
    await page.goto(site.origin)
    const result = await run(page, `signIn("op", { redirect: false }, { prompt: "login" })`)
    expect(result).toMatchObject({ ok: true, status: 200, url: expect.stringMatching(/[?&]prompt=login(&|$)/) })
    expect(site.asked()["GET /auth/session"]).toBeUndefined()
  })

  test("signOut that fails says so, and keeps the session", async () => {
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

  test("an explicit baseUrl is where requests go", async () => {
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
