import { describe, expect, test } from "vitest"
import { attack } from "../../attack.js"
import type { Application } from "../application.js"
import { ask, browse, type Told } from "../browse.js"

const page = "the guarded page"

export function authorizedAnswers(app: Application): void {
  describe("`authorized`", () => {
    const guarded = async (name: string, asked = {}): Promise<Told & { readonly origin: string }> => {
      const { origin } = await app.served()
      return { ...(await ask(origin, `/guarded/${name}`, asked)), origin }
    }

    test("`true` lets a request pass", async () => {
      const { status, text } = await guarded("true")
      expect(status).toBe(200)
      expect(text).toContain(page)
    })

    test.each(["false", "undefined", "null", "zero", "text", "session"])(
      "%s leads to the sign-in page, with the way back",
      async (name) => {
        const { status, headers, text, origin } = await guarded(`${name}?a=1&b=%2F`)
        expect(status).toBe(307)
        const back = encodeURIComponent(`${origin}/guarded/${name}?a=1&b=%2F`)
        expect(new URL(headers.get("location") ?? "", origin).href).toBe(
          `${origin}/api/auth/signin?callbackUrl=${back}`,
        )
        expect(text).not.toContain(page)
      },
    )

    test("a response is the answer, with its status, headers and text", async () => {
      const { status, headers, text } = await guarded("response")
      expect(status).toBe(403)
      expect(headers.get("x-why")).toBe("said so")
      expect(text).toBe("not for you")
    })

    test("a redirect to another page is followed", async () => {
      const { status, origin, headers } = await guarded("elsewhere")
      expect(status).toBe(302)
      expect(new URL(headers.get("location") ?? "", origin).href).toBe(`${origin}/plain`)
    })

    test("a redirect to the page itself leads to the sign-in page instead of round in circles", async () => {
      const { origin, headers } = await guarded("itself")
      expect(new URL(headers.get("location") ?? "", origin).pathname).toBe("/api/auth/signin")
    })

    test("a relative address is understood", async () => {
      const { status, origin, headers } = await guarded("relative")
      expect(status).toBe(307)
      expect(new URL(headers.get("location") ?? "", origin).href).toBe(`${origin}/plain`)
    })

    test("a form for a protected page is answered with a redirect that drops what was posted", async () => {
      const headers = { "content-type": "application/x-www-form-urlencoded" }
      const { status, text } = await guarded("false", { method: "POST", headers, body: "card=4711" })
      expect(status).toBe(303)
      expect(text).not.toContain(page)
    })

    test("a redirect to the sign-in page is not repeated on that page", async () => {
      const { origin } = await app.served({ SIGN_IN_PAGE: "/login" })
      const { status, text } = await ask(origin, "/login?again")
      expect(status).toBe(200)
      expect(text).toContain("Welcome back")
    })
  })
}

export function attacksOnMiddleware(app: Application): void {
  describe("attacks on the middleware", () => {
    const nobodyAllowed = ["false", "undefined", "null", "zero", "text", "rejects", "throws", "itself"]

    attack("MW-03", "whatever `authorized` does instead of saying `true`, the page is not shown", async (mode) => {
      const { origin } = await app.served({ SECURITY: mode })
      for (const name of nobodyAllowed) {
        const { status, text } = await ask(origin, `/guarded/${name}`)
        expect([307, 500], name).toContain(status)
        expect(text, name).not.toContain(page)
      }
    })

    attack("MW-01", "odd ways of asking for a protected page do not show it", async (mode) => {
      const { origin } = await app.served({ SECURITY: mode })
      const buildId = /"buildId":"([^"]+)"|\/_next\/static\/([\w-]{10,})\/_/.exec((await ask(origin, "/props")).text)
      const id = buildId?.[1] ?? buildId?.[2] ?? ""
      expect(id).not.toBe("")
      for (const [path, headers] of oddRequests(id)) {
        const { text } = await ask(origin, path, { headers })
        expect(text, `${path} ${JSON.stringify(headers)}`).not.toMatch(/the private page|the dashboard of/)
      }
    })

    attack("MW-01", "a page that asks `requireSession` is safe without any middleware", async (mode) => {
      const { origin } = await app.served({ SECURITY: mode, FAULT: "unprotected" })
      const { status, headers, text } = await ask(origin, "/dashboard")
      expect(status).toBe(307)
      expect(new URL(headers.get("location") ?? "", origin).pathname).toBe("/api/auth/signin")
      expect(text).not.toContain("the dashboard of")
    })

    test("the routes of the engine stay open", async () => {
      const { origin } = await app.served()
      for (const path of ["session", "csrf", "providers", "signin", "signin?error=AccessDenied", "signout"]) {
        expect((await ask(origin, `/api/auth/${path}`)).status, path).toBe(200)
      }
      expect((await ask(origin, "/api/auth/error")).text).toContain("<h1>")
      const post = { method: "POST", headers: { "content-type": "application/x-www-form-urlencoded" } }
      expect((await ask(origin, "/api/auth/signin/op", post)).headers.get("location")).toContain("/api/auth/signin")
    })

    test("somebody who may see a page sees it under its odd names as well, or not at all", async () => {
      const { origin } = await app.served()
      const ada = browse(origin)
      await ada.signIn("credentials", { name: "ada", password: "open sesame" })
      await ada.get("/%70rivate")
      expect([200, 404]).toContain(ada.response.status)
    })
  })
}

type OddRequest = readonly [path: string, headers: Readonly<Record<string, string>>]

const pages = ["private", "private-props", "dashboard"]

function oddRequests(buildId: string): readonly OddRequest[] {
  const plain = pages.flatMap((page) => [`/${page}`, `/_next/data/${buildId}/${page}.json`])
  return [
    ...oddPaths(buildId).map((path): OddRequest => [path, {}]),
    ...plain.flatMap((path) => internalHeaders.map((headers): OddRequest => [path, headers])),
  ]
}

function oddPaths(buildId: string): readonly string[] {
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

/** Names that Next.js uses between its own parts. */
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
