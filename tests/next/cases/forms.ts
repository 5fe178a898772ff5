import { describe, expect, test } from "vitest"
import type { Application } from "../application.js"
import { ask, browse } from "../browse.js"

/** Where each form of `auth` is used, and where in the answer it shows who is there. */
const forms: readonly (readonly [form: string, path: string])[] = [
  ["a server component", "/"],
  ["a server component that no middleware runs before", "/free/read"],
  ["a route handler that asks by itself", "/plain"],
  ["a wrapped route handler", "/handler/7"],
  ["a wrapped route handler that no middleware runs before", "/free/write"],
  ["a wrapped route handler on the edge runtime", "/edge"],
  ["an API route", "/api/who"],
  ["an edge API route", "/api/edge-who"],
  ["`getServerSideProps`", "/props"],
]

/** What only the engine's answer to somebody signed in has; React escapes quotes. */
const known = /(?:"|&quot;)id(?:"|&quot;):(?:"|&quot;)id-ada/

export function everyForm(app: Application): void {
  describe("every form of `auth`", () => {
    test.each(forms)("%s knows who is signed in, and who is not", async (_, path) => {
      const { origin } = await app.served()
      const ada = browse(origin)
      await ada.get(path)
      expect(ada.response.status).toBe(200)
      expect(ada.text).not.toMatch(known)
      await ada.signIn("credentials", { name: "ada", password: "open sesame" })
      await ada.get(path)
      expect(ada.response.status).toBe(200)
      expect(ada.text).toMatch(known)
    })

    test("as the middleware itself it lets in who may, and sends everybody else to the sign-in page", async () => {
      const { origin } = await app.served()
      const ada = browse(origin)
      await ada.get("/private?x=1")
      const callbackUrl = encodeURIComponent(`${origin}/private?x=1`)
      expect(ada.trail[0]?.status).toBe(307)
      expect(ada.location).toBe(`${origin}/api/auth/signin?callbackUrl=${callbackUrl}`)
      await ada.signIn("credentials", { name: "ada", password: "open sesame" })
      await ada.get("/private?x=1")
      expect(ada.text).toContain("the private page")
    })

    test("behind a proxy the way back is the address that the browser sees, and the redirect stays on this host", async () => {
      const { origin } = await app.served()
      const headers = { "x-forwarded-host": "app.example", "x-forwarded-proto": "https" }
      const location = (await ask(origin, "/private?x=1", { headers })).headers.get("location") ?? ""
      expect(new URL(location, origin).origin).toBe(origin)
      expect(new URL(location, origin).searchParams.get("callbackUrl")).toBe("https://app.example/private?x=1")
    })

    test("`requireSession` guards a page that nothing else guards", async () => {
      const { origin } = await app.served()
      const ada = browse(origin)
      await ada.get("/members")
      expect(new URL(ada.location).pathname).toBe("/api/auth/signin")
      expect(new URL(ada.location).searchParams.get("callbackUrl")).toBe("/members")
      await ada.signIn("credentials", { name: "ada", password: "open sesame" })
      await ada.get("/members")
      expect(ada.text).toContain("members only")
    })

    test("a wrapped route handler gets its parameters, and its own headers reach the browser", async () => {
      const { origin } = await app.served()
      const { headers, text } = await ask(origin, "/handler/7")
      expect(JSON.parse(text)).toEqual({ id: "7", auth: null })
      expect(headers.get("x-own")).toBe("kept")
    })

    test("on the edge runtime it really runs there", async () => {
      const { origin } = await app.served()
      for (const path of ["/edge", "/api/edge-who"]) {
        expect(JSON.parse((await ask(origin, path)).text), path).toEqual({ runtime: "edge", auth: null })
      }
    })

    test("layout, page and component of one render share one read", async () => {
      const { origin } = await app.served()
      const ada = browse(origin)
      await ada.signIn("credentials", { name: "ada", password: "open sesame" })
      const before = await presented(origin)
      await ada.get("/free/read")
      expect(ada.text).toMatch(known)
      expect((await presented(origin)) - before).toBe(1)
    })
  })
}

/** The edge runtime has no database here: its forms are left out. */
export function sessionsInTheDatabase(app: Application): void {
  test("a session in the database is known to every form of `auth`, and to none when it has ended there", async () => {
    const { origin } = await app.served({ STRATEGY: "database" })
    const ada = browse(origin)
    await ada.signIn("credentials", { name: "ada", password: "open sesame" })
    const kept = ada.cookies
    const paths = ["/private", ...forms.map(([, path]) => path).filter((path) => !path.includes("edge"))]
    for (const path of paths) {
      await ada.get(path)
      expect(ada.text, path).toMatch(known)
    }
    await ada.signOut()
    for (const cookie of kept) ada.jar.put(cookie)
    for (const path of paths) {
      await ada.get(path)
      expect(ada.text, path).not.toMatch(known)
    }
  })
}

async function presented(origin: string): Promise<number> {
  return Number((await ask(origin, "/free/count")).text)
}
