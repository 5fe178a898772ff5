import { createServer } from "@latchkey/core/server"
import { expect } from "vitest"
import { attack } from "../../../../tests/attack.js"
import { cookieNames, location, origin, secret } from "../http/app.js"
import { callbackName, cookiesOf, door, hidden, session, warnings, whoIs } from "./door-setup.js"
import { expectHere } from "./redirects-setup.js"

const ada = { name: "ada", password: "open" }

attack("REDIR-02", "only sign-in and sign-out set the callback-url cookie, which lasts an hour", async (mode) => {
  const app = door(mode)
  const cookie = await session(app)
  // As in Auth.js, the page for signing in or out remembers the URL for its form, unless the mode is strict.
  const pages = mode === "strict" ? ["signin", "signin/op", "signout"] : []
  for (const method of ["GET", "HEAD"]) {
    for (const action of ["providers", "csrf", "session", ...pages, "error", "verify-request"]) {
      for (const headers of [{}, { cookie }]) {
        const response = await app.send(`/auth/${action}?callbackUrl=/danger`, { method, headers })
        expect(cookieNames(response), `${method} ${action}`).not.toContain(callbackName(mode))
        if (action === "providers" || action === "session") expect(cookieNames(response), action).toEqual([])
      }
    }
  }
  const [line = ""] = (await app.post("/auth/signin", { callbackUrl: "/a" })).headers.getSetCookie()
  expect(line).toMatch(new RegExp(`^${callbackName(mode)}=${encodeURIComponent(`${origin}/a`)}; Max-Age=3600;`))
})

attack(
  "REDIR-03",
  "a callbackUrl that is too long is not stored, and no cookie is longer than 4096 bytes",
  async (mode) => {
    const app = door(mode)
    const longs = ["/" + "a".repeat(9000), "/" + "/".repeat(2040), "/" + "\u00FC".repeat(2000), "/?" + "&".repeat(2000)]
    for (const callbackUrl of longs) {
      const query = `?${new URLSearchParams({ callbackUrl })}`
      const page = await app.get(`/auth/signin${query}`)
      expect(page.status).toBe(query.length > 7168 ? 400 : 200)
      for (const value of hidden(await page.text(), "callbackUrl")) expect(value.length).toBeLessThan(4096)
      const posts = [
        app.post("/auth/signin", { callbackUrl }),
        app.post("/auth/signin/op", { callbackUrl }),
        app.post("/auth/signin/mail", { callbackUrl, email: "ada@app.test" }),
        app.post("/auth/callback/credentials", { ...ada, callbackUrl }),
        app.post("/auth/signout", { callbackUrl }),
      ]
      for (const response of await Promise.all(posts)) {
        expect(response.status).toBe(302)
        for (const line of response.headers.getSetCookie()) expect(line.length).toBeLessThanOrEqual(4096)
      }
    }
    expect(location(await app.post("/auth/signout", { callbackUrl: longs[0] ?? "" }))).toBe(origin)
  },
)

const answers = [
  ["nothing", undefined, origin, true],
  ["null", null, origin, true],
  ["a number", 5, origin, true],
  ["a script", "javascript:alert(1)", origin, true],
  ["data", "data:text/html,x", origin, true],
  ["no URL", "https://", origin, true],
  // As in Auth.js, a callback may return a path of this site.
  ["a path without slash", "foo", `${origin}/foo`, false],
  ["the URL of another site", "https://other.test/x", "https://other.test/x", false],
] as const

for (const [what, answer, expected, warned] of answers) {
  attack("REDIR-04", `a \`redirect\` callback that returns ${what} leads to a valid URL`, async (mode) => {
    const redirect = () => answer as string
    const app = door(mode, { callbacks: { redirect } })
    for (const [path, fields] of [
      ["/auth/callback/credentials", ada],
      ["/auth/signout", {}],
    ] as const) {
      const response = await app.post(path, { ...fields, callbackUrl: "/a" })
      expect([response.status, location(response)]).toEqual([302, expected])
    }
    expect(warnings(app).includes("redirect-refused")).toBe(warned)
    expect(await whoIs(app, await session(app))).toBe("ada")
  })
}

attack(
  "REDIR-04",
  "a `redirect` callback that throws leads to the error page; the session is still readable",
  async (mode) => {
    const redirect = () => {
      throw new Error("no")
    }
    const [app, good] = [door(mode, { callbacks: { redirect } }), door(mode)]
    for (const [path, fields] of [
      ["/auth/callback/credentials", ada],
      ["/auth/signout", {}],
      ["/auth/signin/op", {}],
    ] as const) {
      const response = await app.post(path, { ...fields, callbackUrl: "/a" })
      expect([response.status, location(response)]).toEqual([302, `${origin}/auth/error?error=Configuration`])
      expect(cookieNames(response).filter((name) => name.includes("session"))).toEqual([])
    }
    const cookie = await session(good)
    const read = await door(mode, { ...good.config, callbacks: { redirect } }).get("/auth/session", { cookie })
    expect([read.status, await read.json()]).toMatchObject([200, { user: { name: "ada" } }])
  },
)

const injected = [
  ["x&next=https://evil.test#", null],
  ["AccessDenied&next=https://evil.test", null],
  ["AccessDenied#", null],
  ["AccessDenied\r\nset-cookie: a=b", null],
  ["<script>alert(1)</script>", null],
  ["https://evil.test", null],
  ["Whatever", "its own"],
  ["__proto__", "Default"],
  ["constructor", "Default"],
  ["AccessDenied", "AccessDenied"],
  ["Verification", "Verification"],
  ["SessionRequired", "SessionRequired"],
] as const

attack(
  "REDIR-05",
  "configured pages get only names of errors, encoded, and under strict only known ones",
  async (mode) => {
    const { get } = door(mode, { pages: { error: "/err?a=b", signIn: "/in?a=b" } })
    for (const [error, told] of injected) {
      for (const [action, page, names] of [
        ["error", "/err", ["a", "error"]],
        ["signin", "/in", ["a", "callbackUrl", "error"]],
      ] as const) {
        const response = await get(`/auth/${action}?${new URLSearchParams({ error, next: "https://evil.test" })}`)
        const to = new URL(location(response) ?? "", origin)
        expect([response.status, to.origin, to.pathname, to.hash]).toEqual([302, origin, page, ""])
        const own = mode === "strict" ? "Default" : error
        expect(to.searchParams.get("error"), error).toBe(told === "its own" ? own : told)
        for (const name of to.searchParams.keys()) expect(names).toContain(name)
        expect(response.headers.getSetCookie().join()).not.toContain("a=b")
      }
    }
  },
)

attack("REDIR-05", "a custom error code stays one query parameter", async (mode) => {
  const { CredentialsSignin } = await import("@latchkey/core/errors")
  class Odd extends CredentialsSignin {
    override code = "x&next=https://evil.test#\r\n"
  }
  const { default: credentials } = await import("@latchkey/core/providers/credentials")
  const authorize = () => {
    throw new Odd()
  }
  const { post } = door(mode, {
    pages: { signIn: "/in" },
    providers: [credentials({ credentials: { name: {} }, authorize })],
  })
  const to = new URL(location(await post("/auth/callback/credentials")) ?? "")
  expectHere(to.href, "code")
  expect([...to.searchParams.keys()]).toEqual(["error", "code"])
  expect(to.searchParams.get("code")).toBe("x&next=https://evil.test#\r\n")
})

attack("REDIR-07", "every redirect after a POST is a 302 or 303", async (mode) => {
  const { post, send, op, get } = door(mode)
  const started = await post("/auth/signin/op", { callbackUrl: "/a" })
  const answer = await op.authorize(location(started) ?? "", { as: "ada" })
  const back = new URL(answer.method === "GET" ? answer.location : "")
  const responses = [
    started,
    await post("/auth/signin"),
    await post("/auth/signin/mail", { email: "ada@app.test" }),
    await post("/auth/signin/mail", { email: "no address" }),
    await post("/auth/callback/credentials", ada),
    await post("/auth/callback/credentials", { name: "ada", password: "wrong" }),
    await post("/auth/callback/op", Object.fromEntries(back.searchParams), { cookie: cookiesOf(started) }),
    await post("/auth/callback/op", { code: "x", state: "y" }),
    await post("/auth/callback/mail", { token: "x", email: "ada@app.test" }),
    await post("/auth/signout"),
    await send("/auth/signout", { method: "POST" }),
    await get("/auth/callback/op?error=access_denied"),
  ]
  for (const response of responses)
    expect([302, 303], response.headers.get("location") ?? "").toContain(response.status)
  for (const response of responses) expect(response.headers.get("cache-control")).toContain("no-store")
})

attack("REDIR-07", "the server functions return a URL and cookies, and no status", async (mode) => {
  const server = createServer({ secret, providers: [], ...door(mode).config })
  const to = await server.signOut({ headers: new Headers(), origin })
  expect(Object.keys(to).toSorted()).toEqual(["cookies", "to"])
})
