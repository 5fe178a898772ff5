import { Auth } from "@latchkey/core"
import { expect, test, vi } from "vitest"
import { attack, type Mode } from "../../../../tests/attack.js"
import { pageScript } from "../../src/features/pages/generated/script.js"
import { location, origin } from "../http/app.js"
import { cookiesOf, type Door, door, sessionName } from "./door-setup.js"

/** Responses of each kind: pages, redirects, JSON, and refusals before and after routing. */
async function answers(mode: Mode): Promise<readonly (readonly [string, Response])[]> {
  const app = door(mode)
  const { get, post, send, op, mails } = app
  const begun = await post("/auth/signin/op", { callbackUrl: "/a" })
  const answer = await op.authorize(location(begun) ?? "", { as: "ada" })
  const back = (answer.method === "GET" ? answer.location : "").slice(origin.length)
  const mailed = await post("/auth/signin/mail", { email: "ada@app.test" })
  const link = (mails[0] ?? "").slice(origin.length)
  const own = door(mode, { pages: { signIn: "/in", error: "/err", signOut: "/out", verifyRequest: "/sent" } })
  const actions = ["signin", "signin/op", "signout", "error", "error?error=AccessDenied", "verify-request"]
  const paths = [...actions, "session", "csrf", "providers", "nothing", "callback/op"]
  return [
    ...(await Promise.all(paths.map(async (path) => [path, await get(`/auth/${path}`)] as const))),
    ...(await Promise.all(actions.map(async (path) => [`own ${path}`, await own.get(`/auth/${path}`)] as const))),
    ["POST signin/op", begun],
    ["POST signin/mail", mailed],
    ["confirm", await get(link)],
    ["GET callback/mail", await get(link, { cookie: cookiesOf(mailed) })],
    ["GET callback/op", await get(back, { cookie: cookiesOf(begun) })],
    ["POST callback", await post("/auth/callback/credentials", { name: "ada", password: "open" })],
    ["wrong password", await post("/auth/callback/credentials", { name: "ada", password: "x" })],
    ["POST signout", await post("/auth/signout")],
    ["for scripts", await post("/auth/signout", {}, { "x-auth-return-redirect": "1" })],
    ["POST session", await send("/auth/session", { method: "POST" })],
    ["DELETE", await send("/auth/session", { method: "DELETE" })],
    ["OPTIONS", await send("/auth/session", { method: "OPTIONS" })],
    ["HEAD", await send("/auth/signin", { method: "HEAD" })],
    ["HEAD callback", await send("/auth/callback/op?code=1", { method: "HEAD" })],
    ["415", await send("/auth/signin", { method: "POST", body: "x", headers: { "content-type": "text/plain" } })],
    ["404", await get("/elsewhere")],
    ["bad session", await get("/auth/session", { cookie: `${sessionName(mode)}=x` })],
    ["framed", await get("/auth/signout", { "sec-fetch-dest": "iframe" })],
    ...(await broken(mode)),
  ]
}

async function broken(mode: Mode): Promise<readonly (readonly [string, Response])[]> {
  const [plain, own] = [door(mode, { secret: "" }), door(mode, { secret: "", pages: { error: "/err" } })]
  const unlisted = door(mode, { url: undefined, trustHost: ["other.test"] })
  return [
    ["misconfigured page", await plain.get("/auth/signin")],
    ["misconfigured JSON", await plain.get("/auth/session")],
    ["misconfigured, own page", await own.get("/auth/signin")],
    ["unlisted host", await unlisted.get("/auth/signin")],
  ]
}

/** Pages allow no script but their own. */
const ownScript = /; script-src 'nonce-[\w+/-]+={0,2}'(?=;)/

const everywhere = {
  "x-frame-options": "DENY",
  "x-content-type-options": "nosniff",
  "referrer-policy": "no-referrer",
  "cross-origin-opener-policy": "same-origin",
  "cross-origin-resource-policy": "same-origin",
  vary: "Cookie",
}

attack("HDR-01", "every response has headers against caching, framing, other origins and referrers", async (mode) => {
  for (const [what, { headers }] of await answers(mode)) {
    for (const [name, value] of Object.entries(everywhere)) expect(headers.get(name), `${what} ${name}`).toBe(value)
    expect(headers.get("cache-control"), what).toMatch(/^private\b.*\bno-store$/)
    const policy = headers.get("content-security-policy") ?? ""
    expect(policy, what).toMatch(/^default-src 'none'(?:;|$)/)
    for (const part of ["frame-ancestors 'none'", "base-uri 'none'", "form-action "])
      expect(policy, what).toContain(part)
    expect(policy.replace(ownScript, ""), what).not.toMatch(/unsafe|\*|script-src/)
    expect(headers.get("access-control-allow-origin"), what).toBeNull()
    const type = headers.get("content-type")
    expect([null, "text/html; charset=utf-8", "application/json"], what).toContain(type)
  }
})

function nonceOf({ headers }: Response): string {
  return /style-src 'nonce-([^']+)'/.exec(headers.get("content-security-policy") ?? "")?.[1] ?? ""
}

attack("HDR-01", "the style of a page is allowed by its own nonce", async (mode) => {
  const { get } = door(mode)
  const seen = new Set<string>()
  for (const action of ["signin", "signout", "error", "verify-request"]) {
    for (let count = 0; count < 3; count++) {
      const response = await get(`/auth/${action}`)
      const nonce = nonceOf(response)
      expect(nonce).toMatch(/^[A-Za-z0-9+/]{22}==$/)
      const styles = [...(await response.text()).matchAll(/<style([^>]*)>/g)].map(([, attributes]) => attributes)
      expect(styles).toEqual([` nonce="${nonce}"`])
      seen.add(nonce)
    }
  }
  expect(seen.size).toBe(12)
})

attack(
  "HDR-01",
  "`form-action` allows this site and the providers; without providers only this site, or nothing",
  async (mode) => {
    const formAction = ({ headers }: Response) =>
      /form-action ([^;]*)/.exec(headers.get("content-security-policy") ?? "")?.[1]?.split(" ")
    const { get, config } = door(mode)
    const here = door(mode, { providers: config.providers?.slice(1) ?? [] })
    expect(formAction(await here.get("/auth/signin"))).toEqual(["'self'"])
    expect(formAction(await get("/auth/signin"))).toEqual(["'self'", "https:"])
    expect(formAction(await get("/auth/signout"))).toEqual(["'self'"])
    for (const action of ["error", "verify-request"])
      expect(formAction(await get(`/auth/${action}`))).toEqual(["'none'"])
  },
)

attack("HDR-01", "a page uses the nonce of the application's policy if it is valid", async (mode) => {
  const nonce = ({ headers }: { readonly headers: Headers }) => headers.get("x-nonce") ?? undefined
  const { get } = door(mode, { nonce })
  for (const given of ["r4nd0mR4nd0mR4nd0mR4w==", "abcdefghijklmnop_-"]) {
    const response = await get("/auth/signin", { "x-nonce": given })
    expect([nonceOf(response), await response.text()]).toEqual([
      given,
      expect.stringContaining(`<style nonce="${given}">`),
    ])
  }
  const bad = [
    "short",
    "",
    "'unsafe-inline' 'nonce-x",
    'aaaaaaaaaaaaaaaaaaaa" onload="x',
    "a".repeat(400),
    "aaaaaaaaaaaaaaaa; script-src *",
  ]
  for (const given of bad) {
    const response = await get("/auth/signin", { "x-nonce": given })
    expect(nonceOf(response), given).toMatch(/^[A-Za-z0-9+/]{22}==$/)
    const policy = response.headers.get("content-security-policy")
    expect(policy?.replace(ownScript, "")).not.toMatch(/unsafe|script-src/)
    expect(policy).toContain(`; script-src 'nonce-${nonceOf(response)}';`)
  }
})

attack("HDR-01", "the pages work under the strictest policy of an application", async (mode) => {
  const { get } = door(mode)
  for (const action of ["signin", "signout", "error", "verify-request"]) {
    const response = await get(`/auth/${action}`)
    const nonce = nonceOf(response)
    const page = (await response.text()).replace(`<script nonce="${nonce}">${pageScript}</script>`, "")
    expect(page.match(/\sstyle=|\son[a-z]+=|javascript:|<script|<img|<link|data:/gi), action).toBeNull()
  }
})

const destinations = ["iframe", "frame", "embed", "object", "fencedframe"]

async function pagesOf(app: Door, headers: Record<string, string>): Promise<readonly Response[]> {
  const mailed = await app.post("/auth/signin/mail", { email: "ada@app.test" })
  expect(mailed.status).toBe(302)
  const link = (app.mails.at(-1) ?? "").slice(origin.length)
  const paths = ["/auth/signin", "/auth/signout", "/auth/error?error=Verification", "/auth/verify-request", link]
  return Promise.all(paths.map((path) => app.get(path, headers)))
}

attack("HDR-02", "a page requested for a frame is not sent", async (mode) => {
  for (const destination of destinations) {
    for (const site of ["cross-site", "same-site", "same-origin", "none"]) {
      const headers = { "sec-fetch-dest": destination, "sec-fetch-site": site, "sec-fetch-mode": "navigate" }
      for (const response of await pagesOf(door(mode), headers)) {
        expect([response.status, response.headers.get("content-type")]).toEqual([403, "application/json"])
        expect(await response.text()).not.toContain("<")
        expect(response.headers.get("content-security-policy")).toContain("frame-ancestors 'none'")
      }
    }
  }
  for (const response of await pagesOf(door(mode), { "sec-fetch-dest": "document" }))
    expect(response.headers.get("content-type")).toContain("text/html")
})

attack("HDR-02", "the page of an invalid configuration cannot be framed either", async (mode) => {
  const { config } = door(mode)
  const response = await Auth(new Request(`${origin}/auth/signin`), { providers: [], ...config, secret: "" })
  expect([response.status, response.headers.get("x-frame-options")]).toEqual([500, "DENY"])
})

/** Like that of @hono/node-server, which replaces the global one. */
class KeepsHeaders extends Response {
  constructor(body?: BodyInit | null, init?: ResponseInit) {
    super(body, init)
    if (init?.headers instanceof Headers) Object.defineProperty(this, "headers", { value: init.headers })
  }
}

test.each(["compatible", "strict"] as const)(
  "[%s] no response shares its headers with that of another visitor, even if `Response` keeps those that it gets",
  async (mode) => {
    vi.stubGlobal("Response", KeepsHeaders)
    const responses = [...(await answers(mode)), ...(await answers(mode))].map(([, response]) => response)
    expect(new Set(responses.map(({ headers }) => headers)).size).toBe(responses.length)
  },
)
