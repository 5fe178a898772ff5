// `next-auth/react` on a server: in `getServerSideProps`, and while React renders. The tests in tests/next use a browser.
import { createServer, type Server } from "node:http"
import { createRequire } from "node:module"
import type { AddressInfo } from "node:net"
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from "vitest"
import { createElement, type ReactElement } from "react"
import { getCsrfToken, getProviders, getSession, SessionProvider, useSession } from "../src/react.js"

// The package of its types isn't installed.
const { renderToString } = createRequire(import.meta.url)("react-dom/server") as {
  renderToString(element: ReactElement): string
}

const session = { user: { name: "Ada" }, expires: "2027-01-01T00:00:00.000Z" }
const asked: (string | undefined)[] = []
let server: Server
let origin: string

const bodies: Readonly<Record<string, (cookie: string | undefined) => unknown>> = {
  "/own/auth/session": (cookie) => (cookie === "session=ada" ? session : {}),
  "/own/auth/csrf": () => ({ csrfToken: "token" }),
  "/own/auth/providers": () => ({ github: { id: "github" } }),
}

beforeAll(async () => {
  server = createServer((req, res) => {
    asked.push(req.url)
    const body = bodies[req.url ?? ""]
    res.statusCode = body === undefined ? 404 : 200
    if (req.url?.endsWith("/csrf") === true) res.setHeader("set-cookie", ["csrf=a", "other=b"])
    res.end(JSON.stringify(body?.(req.headers.cookie) ?? null))
  })
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
  origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
})
afterAll(() => void server.close())
beforeEach(() => {
  asked.length = 0
  vi.stubEnv("NEXTAUTH_URL", `${origin}/own/auth`)
})

describe("on a server", () => {
  const req = { headers: { cookie: "session=ada" } }

  test.each([
    ["a request", { req }],
    ["a context", { req, res: {}, query: {} }],
    ["the context of an app", { ctx: { req } }],
    ["a web request", { req: new Request("http://app.test", { headers: req.headers }) }],
  ])("getSession forwards the cookies of %s", async (_, params) => {
    expect(await getSession(params)).toEqual(session)
    expect(asked).toEqual(["/own/auth/session"])
  })

  test("getSession returns null without a session", async () => {
    expect(await getSession()).toBeNull()
    expect(await getSession({ req: { headers: {} } })).toBeNull()
  })

  test("getCsrfToken and getProviders ask the same server", async () => {
    expect(await getCsrfToken({ req })).toBe("token")
    expect(await getProviders()).toEqual({ github: { id: "github" } })
  })

  test("getCsrfToken sends the cookie of the token with the page", async () => {
    for (const context of [(res: unknown) => ({ req, res }), (res: unknown) => ({ ctx: { req, res } })]) {
      const sent = new Map<string, unknown>([["set-cookie", "own=1"]])
      const setHeader = (name: string, value: unknown) => void sent.set(name, value)
      const res = { headersSent: false, getHeader: (name: string) => sent.get(name), setHeader }
      expect(await getCsrfToken(context(res))).toBe("token")
      expect(sent.get("set-cookie")).toEqual(["own=1", "csrf=a", "other=b"])
      expect(await getCsrfToken(context({ headersSent: true }))).toBe("token")
    }
  })

  test("NEXTAUTH_URL_INTERNAL is where a server asks", async () => {
    vi.stubEnv("NEXTAUTH_URL", "https://app.test")
    vi.stubEnv("NEXTAUTH_URL_INTERNAL", `${origin}/own/auth`)
    expect(await getSession({ req })).toEqual(session)
  })

  test("a server that doesn't respond has no session, no token and no providers", async () => {
    vi.stubEnv("NEXTAUTH_URL", "http://127.0.0.1:1/own/auth")
    const log = vi.spyOn(console, "error").mockImplementation(() => undefined)
    expect(await getSession({ req })).toBeNull()
    expect(await getCsrfToken({ req })).toBeUndefined()
    expect(await getProviders()).toBeNull()
    expect(String(log.mock.calls[0])).toContain("CLIENT_FETCH_ERROR")
  })
})

function Name() {
  const { data, status } = useSession()
  return createElement("p", null, `${status} ${data?.user?.name ?? "no one"}`)
}

test("the session that the server rendered is there at once", () => {
  const rendered = (given: typeof session | null | undefined) =>
    renderToString(
      createElement(SessionProvider, { children: createElement(Name), ...(given !== undefined && { session: given }) }),
    )
  expect(rendered(session)).toBe("<p>authenticated Ada</p>")
  expect(rendered(null)).toBe("<p>unauthenticated no one</p>")
  expect(rendered(undefined)).toBe("<p>loading no one</p>")
})

test("useSession needs a provider", () => {
  vi.spyOn(console, "error").mockImplementation(() => undefined)
  expect(() => renderToString(createElement(Name))).toThrow("SessionProvider")
})
