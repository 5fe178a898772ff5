import { describe, expect, test } from "vitest"
import { attack } from "../../attack.js"
import type { Application } from "../application.js"
import { browse, type RawResponse, send } from "../../applications/http.js"

const page = "the guarded page"

export function authorizedResults(app: Application): void {
  describe("`authorized`", () => {
    const guarded = async (name: string, options = {}): Promise<RawResponse & { readonly origin: string }> => {
      const { origin } = await app.served()
      return { ...(await send(origin, `/guarded/${name}`, options)), origin }
    }

    test.each(["true", "text"])("%s lets a request continue", async (name) => {
      const { status, text } = await guarded(name)
      expect(status).toBe(200)
      expect(text).toContain(page)
    })

    test("a session or user lets a request continue", async () => {
      const { origin } = await app.served()
      const ada = browse(origin)
      await ada.signIn("credentials", { name: "ada", password: "open sesame" })
      for (const name of ["session", "user"]) {
        expect((await ada.get(`/guarded/${name}`)).status, name).toBe(200)
        expect(ada.text, name).toContain(page)
      }
    })

    test.each(["false", "undefined", "null", "zero", "session", "user"])(
      "%s redirects to the sign-in page with the query and the callback URL",
      async (name) => {
        const { status, headers, text, origin } = await guarded(`${name}?a=1&b=%2F`)
        expect(status).toBe(307)
        const callbackUrl = encodeURIComponent(`${origin}/guarded/${name}?a=1&b=%2F`)
        expect(new URL(headers.get("location") ?? "", origin).href).toBe(
          `${origin}/api/auth/signin?a=1&b=%2F&callbackUrl=${callbackUrl}`,
        )
        expect(text).not.toContain(page)
      },
    )

    test("a response is sent with its status, headers and body", async () => {
      const { status, headers, text } = await guarded("response")
      expect(status).toBe(403)
      expect(headers.get("x-why")).toBe("not allowed")
      expect(text).toBe("not for you")
    })

    test("a redirect to another page is sent", async () => {
      const { status, origin, headers } = await guarded("elsewhere")
      expect(status).toBe(302)
      expect(new URL(headers.get("location") ?? "", origin).href).toBe(`${origin}/plain`)
    })

    test("a redirect to the page itself becomes a redirect to the sign-in page", async () => {
      const { origin, headers } = await guarded("itself")
      expect(new URL(headers.get("location") ?? "", origin).pathname).toBe("/api/auth/signin")
    })

    test("a relative `Location` works", async () => {
      const { status, origin, headers } = await guarded("relative")
      expect(status).toBe(307)
      expect(new URL(headers.get("location") ?? "", origin).href).toBe(`${origin}/plain`)
    })

    test("a form POST to a protected page redirects without the body", async () => {
      const headers = { "content-type": "application/x-www-form-urlencoded" }
      const { status, text } = await guarded("false", { method: "POST", headers, body: "card=4711" })
      expect(status).toBe(303)
      expect(text).not.toContain(page)
    })

    test("a wrapped Route Handler sends its own 401 instead of the sign-in page", async () => {
      const { origin } = await app.served()
      const { status, text } = await send(origin, "/free/guarded")
      expect([status, text]).toEqual([401, "please sign in"])
    })

    test("a redirect from the sign-in page to itself shows the page", async () => {
      const { origin } = await app.served({ SIGN_IN_PAGE: "/login" })
      const { status, text } = await send(origin, "/login?again")
      expect(status).toBe(200)
      expect(text).toContain("Welcome back")
    })
  })
}

export function attacksOnMiddleware(app: Application): void {
  describe("attacks on the middleware", () => {
    const rejecting = ["false", "undefined", "null", "zero", "session", "user", "rejects", "throws", "itself"]

    attack("MW-03", "a page isn't shown if `authorized` returns a falsy value, throws or loops", async (mode) => {
      const { origin } = await app.served({ SECURITY: mode })
      for (const name of rejecting) {
        const { status, text } = await send(origin, `/guarded/${name}`)
        expect([307, 500], name).toContain(status)
        expect(text, name).not.toContain(page)
      }
    })

    attack("MW-01", "unusual requests for a protected page don't show it", async (mode) => {
      const { origin } = await app.served({ SECURITY: mode })
      const buildId = /"buildId":"([^"]+)"|\/_next\/static\/([\w-]{10,})\/_/.exec((await send(origin, "/props")).text)
      const id = buildId?.[1] ?? buildId?.[2] ?? ""
      expect(id).not.toBe("")
      for (const [path, headers] of unusualRequests(id)) {
        const { text } = await send(origin, path, { headers })
        expect(text, `${path} ${JSON.stringify(headers)}`).not.toMatch(/the private page|the dashboard of/)
      }
    })

    attack("MW-01", "a page with `requireSession` is protected without middleware", async (mode) => {
      const { origin } = await app.served({ SECURITY: mode, CONFIG_ERROR: "unprotected" })
      const { status, headers, text } = await send(origin, "/dashboard")
      expect(status).toBe(307)
      expect(new URL(headers.get("location") ?? "", origin).pathname).toBe("/api/auth/signin")
      expect(text).not.toContain("the dashboard of")
    })

    test("the auth routes stay reachable", async () => {
      const { origin } = await app.served()
      for (const path of ["session", "csrf", "providers", "signin", "signin?error=AccessDenied", "signout"]) {
        expect((await send(origin, `/api/auth/${path}`)).status, path).toBe(200)
      }
      expect((await send(origin, "/api/auth/error")).text).toContain("<h1>")
      const post = { method: "POST", headers: { "content-type": "application/x-www-form-urlencoded" } }
      expect((await send(origin, "/api/auth/signin/op", post)).headers.get("location")).toContain("/api/auth/signin")
    })

    test("a signed-in user sees a page under an unusual path, or gets 404", async () => {
      const { origin } = await app.served()
      const ada = browse(origin)
      await ada.signIn("credentials", { name: "ada", password: "open sesame" })
      await ada.get("/%70rivate")
      expect([200, 404]).toContain(ada.response.status)
    })
  })
}

type UnusualRequest = readonly [path: string, headers: Readonly<Record<string, string>>]

const pages = ["private", "private-props", "dashboard"]

function unusualRequests(buildId: string): readonly UnusualRequest[] {
  const plain = pages.flatMap((page) => [`/${page}`, `/_next/data/${buildId}/${page}.json`])
  return [
    ...unusualPaths(buildId).map((path): UnusualRequest => [path, {}]),
    ...plain.flatMap((path) => internalHeaders.map((headers): UnusualRequest => [path, headers])),
  ]
}

function unusualPaths(buildId: string): readonly string[] {
  return pages.flatMap((page) => [
    `/${page}`,
    `//${page}`,
    `/./${page}`,
    `/x/../${page}`,
    `/x/%2e%2e/${page}`,
    `/\\${page}`,
    `/${page}/`,
    `/${page}//`,
    `/${page}.`,
    `/${page}%20`,
    `/${page}%00`,
    `/${page};x=1`,
    `/${page}?_rsc=1`,
    `/${page}.rsc`,
    `/${page}.txt`,
    `/${page}.json`,
    `/${page}.segments/_full.segment.rsc`,
    `/${page.toUpperCase()}`,
    `/%${page.charCodeAt(0).toString(16)}${page.slice(1)}`,
    `/%25${page.charCodeAt(0).toString(16)}${page.slice(1)}`,
    `/_next/data/${buildId}/${page}.json`,
    `/_next/data/${buildId}/%${page.charCodeAt(0).toString(16)}${page.slice(1)}.json`,
    `/en/${page}`,
    `/_next/data/${buildId}/en/${page}.json`,
    `/api/auth/signin/../../../${page}`,
    `/api/auth/../../${page}`,
  ])
}

/** Headers that Next.js uses internally. */
const internalHeaders: readonly Readonly<Record<string, string>>[] = [
  { "x-middleware-subrequest": "proxy:proxy:proxy:proxy:proxy" },
  { "x-middleware-subrequest": "middleware:middleware:middleware:middleware:middleware" },
  { "x-middleware-subrequest": "src/middleware:src/middleware:src/middleware:src/middleware:src/middleware" },
  { "x-middleware-next": "1", "x-middleware-skip": "1" },
  { "x-middleware-invoke": "1", "x-invoke-path": "/plain", "x-invoke-status": "200" },
  { "x-matched-path": "/plain", "x-original-url": "/plain", "x-rewrite-url": "/plain", "x-now-route-matches": "1=1" },
  { "next-router-prefetch": "1", rsc: "1", "next-url": "/plain" },
  { "next-router-segment-prefetch": "/_tree", rsc: "1", "next-router-prefetch": "1" },
  { "x-nextjs-data": "1" },
  { "x-middleware-prefetch": "1", purpose: "prefetch" },
]
