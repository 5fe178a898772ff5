import { describe, expect, test } from "vitest"
import type { Application } from "../application.js"
import { browse, send } from "../../applications/http.js"

export function routeHandlers(app: Application): void {
  describe("in a Route Handler", () => {
    const password = { name: "ada", password: "open sesame", redirectTo: "/private" }

    test("`signIn` signs in and redirects", async () => {
      const { origin } = await app.served()
      const ada = browse(origin)
      await ada.get(`/free/sign-in?${new URLSearchParams({ provider: "credentials", ...password })}`)
      expect(ada.trail[0]?.status).toBe(307)
      expect(ada.location).toBe(`${origin}/private`)
      expect(await ada.session()).toMatchObject({ id: "id-ada" })
    })

    test("`signIn` accepts the form of the request", async () => {
      const { origin } = await app.served()
      const ada = browse(origin)
      await ada.post("/free/sign-in", password)
      expect(ada.trail[0]?.headers.get("location")).toBe(`${origin}/private`)
      expect(await ada.session()).toMatchObject({ id: "id-ada" })
    })

    test("`signIn` redirects to a provider, or to the sign-in page", async () => {
      const { origin } = await app.served()
      const headersOf = async (query: string) => (await send(origin, `/free/sign-in${query}`)).headers
      const toProvider = await headersOf("?provider=op")
      expect(toProvider.get("location")).toContain(`${app.op.issuer}/`)
      expect(toProvider.getSetCookie().length).toBeGreaterThan(0)
      for (const query of ["", "?provider=unknown"]) {
        const location = new URL((await headersOf(query)).get("location") ?? "", origin)
        expect(location.pathname).toBe("/api/auth/signin")
      }
    })

    test("`signOut` ends the session and redirects", async () => {
      const { origin } = await app.served()
      const ada = browse(origin)
      await ada.signIn("credentials", { name: "ada", password: "open sesame" })
      await ada.get("/free/sign-out?redirectTo=%2Fplain")
      expect(ada.location).toBe(`${origin}/plain`)
      expect(await ada.session()).toBeNull()
    })

    test("without `redirectTo`, `signIn` and `signOut` return to the page that sent the request, with its query", async () => {
      const { origin } = await app.served()
      const ada = browse(origin)
      const headers = { referer: `${origin}/plain?page=3` }
      const { name, password: secret } = password
      await ada.post("/free/sign-in", { name, password: secret }, { headers })
      expect(ada.trail[0]?.headers.get("location")).toBe(`${origin}/plain?page=3`)
      await ada.get("/free/sign-out", { headers })
      expect(ada.location).toBe(`${origin}/plain?page=3`)
    })

    test("an empty `redirectTo` on the sign-in page leads to the home page", async () => {
      const { origin } = await app.served({ SIGN_IN_PAGE: "/login" })
      const ada = browse(origin)
      await ada.post("/free/sign-in", { ...password, redirectTo: "" }, { headers: { referer: `${origin}/login` } })
      expect(new URL(ada.trail[0]?.headers.get("location") ?? "").href).toBe(`${origin}/`)
    })

    test("what `signIn` throws is logged", async () => {
      const { origin, output } = await app.served()
      expect((await send(origin, "/free/sign-in?provider=credentials&name=broken&password=open+sesame")).status).toBe(
        500,
      )
      await expect.poll(output).toMatch(/\[auth\].*CallbackRouteError[^]*the directory is down/)
    })

    test("`requireSession` redirects a visitor to the sign-in page and returns the session of a user", async () => {
      const { origin } = await app.served()
      const { status, headers } = await send(origin, "/free/members", { headers: { accept: "text/html" } })
      expect(status).toBe(307)
      const location = new URL(headers.get("location") ?? "", origin)
      expect(location.pathname + location.search).toBe("/api/auth/signin?callbackUrl=%2Fmembers")
      const ada = browse(origin)
      await ada.signIn("credentials", { name: "ada", password: "open sesame" })
      await ada.get("/free/members")
      expect(JSON.parse(ada.text)).toMatchObject({ id: "id-ada" })
    })

    test("`update` changes the session", async () => {
      const { origin } = await app.served()
      const ada = browse(origin)
      await ada.signIn("credentials", { name: "ada", password: "open sesame" })
      await ada.get("/free/update?color=red")
      expect(JSON.parse(ada.text)).toMatchObject({ id: "id-ada", color: "red" })
      expect(await ada.session()).toMatchObject({ color: "red" })
    })
  })
}

/** Next.js 14 can only redirect. */
export function routeHandlersWithoutSession(app: Application): void {
  test("`requireSession` in a Route Handler answers `fetch` with 401, not with a page", async () => {
    const { origin } = await app.served()
    for (const method of ["GET", "POST"]) {
      const { status, headers } = await send(origin, "/free/members", { method })
      expect([status, headers.get("location")]).toEqual([401, null])
    }
  })
}
