import { describe, expect, test } from "vitest"
import { send } from "../../applications/http.js"
import type { Application, Env } from "../application.js"
import { enterPassword, sessions, signedIn, signedInWith, visitor } from "../visitor.js"

const proxied = { "x-forwarded-host": "shop.test", "x-forwarded-proto": "https" }

export function urls(app: Application): void {
  test.each([
    { source: "the configuration", env: { BASE_PATH: "/account" }, basePath: "/account", other: "/auth" },
    {
      source: "@auth/qwik, whatever path AUTH_URL has",
      env: { AUTH_URL: "origin/account" },
      basePath: "/auth",
      other: "/account",
    },
  ])("the base path of $source is that of routes, actions and callbacks", async ({ env, basePath, other }) => {
    const session = expect.objectContaining({ user: expect.anything() })
    const { origin } = await app.served(env)
    const browser = visitor(origin, basePath)
    await enterPassword(browser)
    expect(await sessions(browser, basePath)).toEqual([session, session, session])
    await browser.signOut()
    expect(await browser.session()).toBeNull()
    expect(await sessions(await signedInWith(app, origin), basePath)).toEqual([session, session, session])
    expect(app.op.authorizations.at(-1)?.["redirect_uri"]).toBe(`${origin}${basePath}/callback/op`)
    expect((await send(origin, `${other}/session`)).status).toBe(404)
  })

  describe("behind a proxy", () => {
    const signInUrl = async (env: Env, headers: Readonly<Record<string, string>>) => {
      const { origin } = await app.served(env)
      const { status, text } = await send(origin, "/auth/providers", { headers })
      return { origin, status, url: status === 200 ? JSON.parse(text).op.signinUrl : undefined }
    }

    test("a trusted host from forwarded headers is in URLs", async () => {
      expect((await signInUrl({}, proxied)).url).toBe("https://shop.test/auth/signin/op")
    })

    test.each([
      { source: "ORIGIN", env: { ORIGIN: "https://shop.test" }, headers: {} },
      {
        source: "HOST_HEADER and PROTOCOL_HEADER",
        env: { HOST_HEADER: "x-forwarded-host", PROTOCOL_HEADER: "x-forwarded-proto" },
        headers: proxied,
      },
    ])("the origin that $source gives Qwik's server is in URLs", async ({ env, headers }) => {
      expect((await signInUrl(env, headers)).url).toBe("https://shop.test/auth/signin/op")
    })

    test("AUTH_URL comes before forwarded headers", async () => {
      const { origin, url } = await signInUrl({ AUTH_URL: "origin/auth" }, proxied)
      expect(url).toBe(`${origin}/auth/signin/op`)
    })

    test("an untrusted host is refused, and the log says how to trust it", async () => {
      const untrusted = { AUTH_TRUST_HOST: "" }
      expect((await signInUrl(untrusted, {})).status).toBe(500)
      const browser = await signedIn((await app.served()).origin)
      const cookie = browser.cookies.map(({ name, value }) => `${name}=${value}`).join("; ")
      const site = await app.served(untrusted)
      const page = await send(site.origin, "/", { headers: { cookie } })
      expect(page.text).not.toContain("ada@users.test")
      expect((await send(site.origin, "/private/", { headers: { cookie } })).status).not.toBe(200)
      await expect.poll(() => site.output()).toContain("UntrustedHost")
    })
  })
}
