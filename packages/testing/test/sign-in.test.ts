import { describe, expect, test } from "vitest"
import { createProvider } from "../src/index.js"
import { at, hello, origin, to } from "./hand-written-app.js"

/** A small app with the same routes as Latchkey. */
function smallApp(op: ReturnType<typeof createProvider>): ReturnType<typeof at> {
  const json = (body: unknown, cookie?: string) =>
    Response.json(body, cookie === undefined ? {} : { headers: { "set-cookie": cookie } })
  const hasToken = async (request: Request) =>
    request.headers.get("cookie")?.includes("csrf=t") === true && (await request.text()).includes("csrfToken=t")
  return at({
    "GET /auth/csrf": () => json({ csrfToken: "t" }, "csrf=t; Path=/; HttpOnly"),
    "GET /auth/providers": () => json({ op: { type: "oidc" }, password: { type: "credentials" } }),
    "GET /auth/session": ({ headers }) => json(headers.get("cookie")?.includes("session=") ? { user: "ada" } : null),
    "POST /auth/signin/op": async (request) => {
      const params = {
        response_type: "code",
        client_id: op.clientId,
        redirect_uri: `${origin}/auth/callback/op`,
        ...Object.fromEntries(new URL(request.url).searchParams),
      }
      return (await hasToken(request)) ? to(`${op.issuer}/authorize?${new URLSearchParams(params)}`) : to("/denied")
    },
    "GET /auth/callback/op": () => to("/", 302, ["session=1; Path=/"]),
    "POST /auth/callback/op": () => to("/", 302, ["session=1; Path=/"]),
    "POST /auth/callback/password": async (request) =>
      (await hasToken(request)) ? to("/", 302, ["session=1; Path=/"]) : to("/denied"),
    "POST /auth/signout": async (request) =>
      (await hasToken(request)) ? to("/", 302, ["session=; Path=/; Max-Age=0"]) : to("/denied"),
    "GET /": hello,
    "GET /denied": hello,
  })
}

describe("signing in", () => {
  test.each([{}, { response_mode: "form_post" }])("goes through the provider and back (%o)", async (query) => {
    const op = createProvider()
    const { browser, seen } = smallApp(op)
    await browser.signInWith(op, { as: "ada", query })
    expect(browser.location).toBe(`${origin}/`)
    expect(await browser.session()).toEqual({ user: "ada" })
    const callback = seen.find(({ url }) => url.includes("/callback/op"))
    expect(callback?.headers.get("sec-fetch-site")).toBe("cross-site")
  })

  test("can stop at the provider, and the user can decline", async () => {
    const op = createProvider()
    const { browser, seen } = smallApp(op)
    await browser.signIn("op")
    expect(browser.location).toContain("https://op.test/authorize")
    expect(await browser.session()).toBeNull()
    await browser.consentAt(op, { error: "access_denied" })
    expect(seen.at(-2)?.url).toContain("/callback/op?error=access_denied")
  })

  test("with credentials posts to the callback", async () => {
    const { browser } = smallApp(createProvider())
    await browser.signIn("password", { name: "ada" })
    expect(await browser.session()).toEqual({ user: "ada" })
    await browser.signOut()
    expect(await browser.session()).toBeNull()
  })

  test("that the app rejects stays at the app", async () => {
    const op = createProvider()
    const { browser } = smallApp(op)
    await browser.signInWith(op, { as: "ada", fields: { csrfToken: "wrong" } })
    expect(browser.location).toBe(`${origin}/denied`)
  })
})
