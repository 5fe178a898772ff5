import { readdirSync, readFileSync } from "node:fs"
import { createServer } from "@latchkey/core/server"
import { expect } from "vitest"
import { attack, type Mode } from "../../../../tests/attack.js"
import { location, origin, secret } from "../http/app.js"
import { logged, servedOrigin } from "../server/setup.js"
import { callbackName, cookiesOf, type Door, door, hidden } from "./door-setup.js"
import { expectHere, expectRedirectHere, foreign, relative } from "./redirects-setup.js"

const all = [...foreign, ...relative]
const ada = { name: "ada", password: "open" }

/** Every request that takes a callback URL, in the body, the query and the cookie. */
const ways: readonly (readonly [string, (app: Door, to: string, mode: Mode) => Promise<Response>])[] = [
  ["POST callback, in the body", ({ post }, to) => post("/auth/callback/credentials", { ...ada, callbackUrl: to })],
  ["POST callback, in the query", ({ post }, to) => post(`/auth/callback/credentials?${query(to)}`, ada)],
  ["POST callback, in the cookie", ({ post }, to, mode) => post("/auth/callback/credentials", ada, cookie(to, mode))],
  ["POST signout, in the body", ({ post }, to) => post("/auth/signout", { callbackUrl: to })],
  ["POST signout, in the query", ({ post }, to) => post(`/auth/signout?${query(to)}`)],
  ["POST signout, in the cookie", ({ post }, to, mode) => post("/auth/signout", {}, cookie(to, mode))],
  ["POST signin", ({ post }, to) => post("/auth/signin", { callbackUrl: to })],
  ["POST signin/mail", ({ post }, to) => post("/auth/signin/mail", { callbackUrl: to, email: "ada@app.test" })],
  [
    "POST signin/mail, in the cookie",
    ({ post }, to, mode) => post("/auth/signin/mail", { email: "ada@app.test" }, cookie(to, mode)),
  ],
  [
    "POST callback, from a sign-in page",
    ({ post }, to) => post("/auth/callback/credentials", ada, { referer: `${origin}/login?${query(to)}` }),
  ],
  ["a failed sign-in", ({ post }, to) => post("/auth/callback/credentials", { name: "x", callbackUrl: to })],
]

function query(to: string): string {
  return new URLSearchParams({ callbackUrl: to }).toString()
}

function cookie(to: string, mode: Mode): Record<string, string> {
  return { cookie: `${callbackName(mode)}=${encodeURIComponent(to)}` }
}

for (const [way, go] of ways) {
  attack("ADV-NA-02", `${way}: the redirect leads to a URL of this origin`, async (mode) => {
    const app = door(mode)
    for (const to of all) {
      const response = await go(app, to, mode)
      expectRedirectHere(response, `${way} ${JSON.stringify(to)}`)
      const kept = response.headers.getSetCookie().find((line) => line.startsWith(`${callbackName(mode)}=h`))
      if (kept !== undefined) expectHere(decodeURIComponent(kept.split(/[=;]/)[1] ?? ""), to)
    }
  })

  attack("ADV-BA-01", `${way}: no callback URL of another site is redirected to`, async (mode) => {
    const app = door(mode)
    for (const to of foreign) expect(new URL(location(await go(app, to, mode)) ?? "").host, to).toBe("app.test")
  })
}

attack("ADV-NA-02", "an absolute URL of this origin in another spelling is allowed", async (mode) => {
  const response = await door(mode).post("/auth/signout", { callbackUrl: "https://APP.TEST/x" })
  expect(new URL(location(response) ?? "").href).toBe(`${origin}/x`)
})

attack(
  "ADV-NA-02",
  "built-in pages, configured pages and their redirects pass on no URL of another site",
  async (mode) => {
    const [app, own] = [door(mode), door(mode, { pages: { signIn: "/login", signOut: "/bye" } })]
    for (const to of all) {
      for (const headers of [{}, cookie(to, mode)]) {
        for (const action of ["signin", "signin/op", "signout"]) {
          const response = await app.get(`/auth/${action}?${query(to)}`, headers)
          expect(response.status, to).toBe(200)
          const html = await response.text()
          for (const value of hidden(html, "callbackUrl")) expectHere(value, `${action} ${to}`)
          expect(response.headers.get("content-security-policy"), to).not.toContain("evil")
        }
        const sent = new URL(location(await own.get(`/auth/signin?${query(to)}`, headers)) ?? "", origin)
        expectHere(sent.href, to)
        expectHere(sent.searchParams.get("callbackUrl"), to)
      }
      for (const action of ["error", "verify-request"]) {
        expect(await (await app.get(`/auth/${action}?${query(to)}`)).text(), to).not.toContain("evil")
      }
    }
  },
)

attack("ADV-BA-01", "the link in a message leads to this site, even after it was edited", async (mode) => {
  const { post, get, mails } = door(mode)
  for (const to of foreign) {
    const asked = await post("/auth/signin/mail", { email: "ada@app.test", callbackUrl: to })
    const link = new URL(mails.at(-1) ?? "")
    expectHere(link.searchParams.get("callbackUrl"), to)
    link.searchParams.set("callbackUrl", to)
    const elsewhere = await get(link.pathname + link.search)
    expect(elsewhere.status, to).toBe(200)
    const page = await elsewhere.text()
    for (const value of hidden(page, "callbackUrl")) expectHere(value, to)
    expect(elsewhere.headers.get("content-security-policy")).not.toContain("evil")
    expectRedirectHere(await get(link.pathname + link.search, { cookie: cookiesOf(asked) }), to)
  }
})

attack("ADV-BA-01", "a sign-in at a provider returns to this site, as does linking", async (mode) => {
  for (const to of foreign) {
    const { post, get, op } = door(mode)
    const started = await post("/auth/signin/op", { callbackUrl: to, link: "true" })
    const answer = await op.authorize(location(started) ?? "", { as: "ada" })
    const back = answer.method === "GET" ? answer.location.slice(origin.length) : ""
    expectRedirectHere(await get(back, { cookie: cookiesOf(started) }), to)
  }
})

attack("ADV-BA-01", "`signIn` and `signOut` of the server lead to this site", async (mode) => {
  const server = createServer({ secret, providers: [], ...door(mode).config })
  const at = { headers: new Headers(), origin }
  for (const redirectTo of foreign) {
    expectHere((await server.signOut(at, { redirectTo })).to, redirectTo)
    expectHere((await server.signIn(at, undefined, { redirectTo })).to, redirectTo)
    expectHere((await server.signIn(at, "credentials", { ...ada, redirectTo })).to, redirectTo)
  }
})

attack("ADV-BA-01", "a host pattern matches whole labels, the scheme and the port", async (mode) => {
  const rows = [
    ["*.app.test", "https://a.app.test", true],
    ["*.app.test", "https://a.app.test:8443", true],
    ["https://*.app.test", "https://a.app.test", true],
    ["https://*.app.test:8443", "https://a.app.test:8443", true],
    ["*.app.test:8443", "https://a.app.test:8443", true],
    ["app.test:443", "https://app.test", true],
    ["https://app.test:443", "https://app.test", true],
    ["http://*.app.test:3000", "http://a.app.test:3000", true],
    ["HTTPS://*.App.Test", "https://a.app.test", true],
    ["https://*.app.test", "http://a.app.test", false],
    ["https://*.app.test", "https://a.app.test:8443", false],
    ["https://*.app.test:8443", "https://a.app.test:8444", false],
    ["*.app.test:8443", "https://a.app.test", false],
    ["app.test:443", "http://app.test", false],
    ["https://*.app.test", "https://a.b.app.test", false],
    ["https://*.app.test", "https://app.test", false],
    ["https://*.app.test", "https://a.app.test.evil.test", false],
    ["https://*.app.test", "https://evilapp.test", false],
    ["https://*.app.test", "https://a-app.test", false],
    ["*.app.test", "https://a.app.test.", false],
    ["app.test", "https://appxtest", false],
    ["app.test", "https://evil.test/.app.test", false],
    ["app.test", "https://app.test.evil.test", false],
  ] as const
  for (const [entry, at, served] of rows) {
    const { config } = logged({ security: mode, secret, trustHost: [entry] })
    const { host, protocol, origin: own } = new URL(at)
    const answer = served ? own : 400
    expect(await servedOrigin(config, `${own}/auth/providers`), `${entry} ${at}`).toBe(answer)
    const headers = { "x-forwarded-host": host, "x-forwarded-proto": protocol.slice(0, -1) }
    expect(await servedOrigin(config, "https://inner.test/auth/providers", headers), `${entry} ${at}`).toBe(answer)
  }
})

attack("ADV-BA-01", "only one file validates redirect targets, and only one writes them", () => {
  const root = new URL("../../src/", import.meta.url)
  const files = readdirSync(root, { recursive: true, encoding: "utf8" }).filter((file) => /(?<!\.test)\.ts$/.test(file))
  const holding = (pattern: RegExp) => files.filter((file) => pattern.test(readFileSync(new URL(file, root), "utf8")))
  expect(holding(/\bas SafeUrl\b/).toSorted()).toEqual(["http/redirect.ts", "http/respond.ts"])
  const writers = holding(/\blocation\b["']?\s*[:,]|Response\.redirect/)
  // User profiles in `providers/` have a `location` field too; these files send no responses. `node-http.ts` sends where the
  // engine says that a sign-in or sign-out leads.
  expect(writers.filter((file) => !file.startsWith("providers/")).toSorted()).toEqual([
    "http/respond.ts",
    "node-http.ts",
  ])
  expect(holding(/\bnew Response\(null|\bnew Response\(body/)).toEqual(["http/respond.ts"])
})

attack(
  "ADV-NA-03",
  "a failed start of a sign-in stays on this site and repeats no foreign callback URL",
  async (mode) => {
    for (const to of ["https://evil.test/x", "//evil.test", "javascript:alert(1)"]) {
      const failures = [() => new Response("down", { status: 503 }), () => Promise.reject(new Error("no route"))]
      for (const discovery of failures) {
        const { op, post, get } = door(mode)
        op.inject({ discovery })
        const headers = { cookie: cookie(to, mode)["cookie"] ?? "", referer: "https://evil.test/" }
        const failed = await post(`/auth/signin/op?${query(to)}`, { callbackUrl: to }, headers)
        expect([failed.status, location(failed)]).toEqual([302, `${origin}/auth/error?error=Configuration`])
        expect(cookiesOf(failed)).not.toContain("evil")
        const page = await (await get("/auth/error?error=Configuration", cookie(to, mode))).text()
        expect(page).not.toContain("evil")
      }
    }
  },
)
