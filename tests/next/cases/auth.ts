import { describe, expect, test } from "vitest"
import type { Application } from "../application.js"
import { browse, send } from "../../applications/http.js"

/** The places that call `auth`, and a page for each that shows the session. */
export const places: readonly (readonly [place: string, path: string])[] = [
  ["a Server Component", "/"],
  ["a Server Component without middleware", "/free/read"],
  ["a Route Handler that calls auth()", "/plain"],
  ["a wrapped Route Handler", "/handler/7"],
  ["a wrapped Route Handler without middleware", "/free/write"],
  ["a wrapped Route Handler on the edge runtime", "/edge"],
  ["an API Route", "/api/session"],
  ["an Edge API Route", "/api/edge-session"],
  ["`getServerSideProps`", "/props"],
]

/** Only in responses to a signed-in user. React escapes quotes. */
const sessionOfAda = /(?:"|&quot;)id(?:"|&quot;):(?:"|&quot;)id-ada/

export function authEverywhere(app: Application): void {
  describe("`auth`", () => {
    test.each(places)("%s gets the session of a user, and none for a visitor", async (_, path) => {
      const { origin } = await app.served()
      const ada = browse(origin)
      await ada.get(path)
      expect(ada.response.status).toBe(200)
      expect(ada.text).not.toMatch(sessionOfAda)
      await ada.signIn("credentials", { name: "ada", password: "open sesame" })
      await ada.get(path)
      expect(ada.response.status).toBe(200)
      expect(ada.text).toMatch(sessionOfAda)
    })

    test("as the middleware, it redirects visitors to the sign-in page and lets users continue", async () => {
      const { origin } = await app.served()
      const ada = browse(origin)
      await ada.get("/private?x=1")
      const callbackUrl = encodeURIComponent(`${origin}/private?x=1`)
      expect(ada.trail[0]?.status).toBe(307)
      expect(ada.location).toBe(`${origin}/api/auth/signin?x=1&callbackUrl=${callbackUrl}`)
      await ada.signIn("credentials", { name: "ada", password: "open sesame" })
      await ada.get("/private?x=1")
      expect(ada.text).toContain("the private page")
    })

    test("behind a proxy, the callback URL has the public origin, and the redirect stays on this host", async () => {
      const { origin } = await app.served()
      const headers = { "x-forwarded-host": "app.example", "x-forwarded-proto": "https" }
      const location = (await send(origin, "/private?x=1", { headers })).headers.get("location") ?? ""
      expect(new URL(location, origin).origin).toBe(origin)
      expect(new URL(location, origin).searchParams.get("callbackUrl")).toBe("https://app.example/private?x=1")
    })

    test("with AUTH_URL, the middleware and wrapped handlers work and get its origin", async () => {
      const { origin } = await app.served({ AUTH_URL: "https://public.test" })
      const redirected = await send(origin, "/private?x=1")
      expect(redirected.headers.get("location")).toContain("https://public.test/api/auth/signin?")
      for (const path of ["/handler/7", "/free/write", "/edge", "/api/edge-session"]) {
        expect((await send(origin, path)).status, path).toBe(200)
      }
      const { text } = await send(origin, "/free/url?x=1", { method: "POST", body: "content" })
      expect(JSON.parse(text)).toEqual({ url: "https://public.test/free/url?x=1", body: "content" })
    })

    test("`requireSession` protects a page without middleware", async () => {
      const { origin } = await app.served()
      const ada = browse(origin)
      await ada.get("/members")
      expect(new URL(ada.location).pathname).toBe("/api/auth/signin")
      expect(new URL(ada.location).searchParams.get("callbackUrl")).toBe("/members")
      await ada.signIn("credentials", { name: "ada", password: "open sesame" })
      await ada.get("/members")
      expect(ada.text).toContain("members only")
    })

    test("`requireSession` without arguments returns to the page, with its query", async () => {
      const { origin } = await app.served({ CONFIG_ERROR: "unprotected" })
      const ada = browse(origin)
      await ada.get("/dashboard?x=1&y=%2F")
      expect(new URL(ada.location).searchParams.get("callbackUrl")).toBe("/dashboard?x=1&y=%2F")
    })

    test("a wrapped Route Handler gets its params and can set headers", async () => {
      const { origin } = await app.served()
      const { headers, text } = await send(origin, "/handler/7")
      expect(JSON.parse(text)).toEqual({ id: "7", auth: null })
      expect(headers.get("x-own")).toBe("kept")
    })

    test("edge handlers run on the edge runtime", async () => {
      const { origin } = await app.served()
      for (const path of ["/edge", "/api/edge-session"]) {
        expect(JSON.parse((await send(origin, path)).text), path).toEqual({ runtime: "edge", auth: null })
      }
    })

    test("a layout, page and component in one render read the session once", async () => {
      const { origin } = await app.served()
      const ada = browse(origin)
      await ada.signIn("credentials", { name: "ada", password: "open sesame" })
      const before = await sessionReads(origin)
      await ada.get("/free/read")
      expect(ada.text).toMatch(sessionOfAda)
      expect((await sessionReads(origin)) - before).toBe(1)
    })
  })
}

/** Without the edge runtime, which has no database in these tests. */
export function databaseSessions(app: Application): void {
  test("a session in the database works wherever `auth` is called, and stops working when it's deleted", async () => {
    const { origin } = await app.served({ STRATEGY: "database" })
    const ada = browse(origin)
    await ada.signIn("credentials", { name: "ada", password: "open sesame" })
    const oldCookies = ada.cookies
    const paths = ["/private", ...places.map(([, path]) => path).filter((path) => !path.includes("edge"))]
    for (const path of paths) {
      await ada.get(path)
      expect(ada.text, path).toMatch(sessionOfAda)
    }
    await ada.signOut()
    for (const cookie of oldCookies) ada.jar.put(cookie)
    for (const path of paths) {
      await ada.get(path)
      expect(ada.text, path).not.toMatch(sessionOfAda)
    }
  })

  test("`account` lists sessions in a Server Component, and ends others in a Route Handler", async () => {
    const { origin } = await app.served({ STRATEGY: "database" })
    const [here, elsewhere] = [browse(origin), browse(origin)]
    for (const browser of [here, elsewhere]) {
      await browser.signIn("credentials", { name: "grace", password: "open sesame" })
    }
    await here.get("/free/account")
    expect(here.text).toContain('<p id="sessions">2</p>')
    await here.post("/free/account/others")
    expect(here.text).toBe("1")
    expect([await here.session(), await elsewhere.session()]).toEqual([expect.anything(), null])
    await here.get("/free/account")
    expect(here.text).toContain('<p id="sessions">1</p>')
  })
}

async function sessionReads(origin: string): Promise<number> {
  return Number((await send(origin, "/free/count")).text)
}
