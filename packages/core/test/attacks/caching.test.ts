import { createServer } from "@latchkey/core/server"
import type { AuthConfig } from "@latchkey/core/types"
import { captureLog } from "@latchkey/testing"
import { expect } from "vitest"
import { attack } from "../../../../tests/attack.js"
import { app, op, secret, typed } from "../http/app.js"
import { mailer } from "../modes/setup.js"
import { address, bare, form, site } from "./surface-setup.js"

/** Caches must not store the response (RFC 9111 §5.2.2.5) or reuse it for other cookies (§4.1). */
function expectUncacheable(response: Response, what: string): void {
  const directives = (response.headers.get("cache-control") ?? "").split(",").map((each) => each.trim())
  expect(directives, what).toContain("private")
  expect(directives, what).toContain("no-store")
  expect(directives, what).not.toContain("public")
  expect(
    directives.filter((each) => /^(?:s-)?max-?age/.test(each)),
    what,
  ).toEqual([])
  expect((response.headers.get("vary") ?? "").split(/,\s*/), what).toContain("Cookie")
  for (const name of ["surrogate-control", "cdn-cache-control", "etag", "last-modified", "age"])
    expect(response.headers.has(name), what).toBe(false)
}

const paths = [
  "session",
  "csrf",
  "providers",
  "signin",
  `signin/${op.id}`,
  "signin?error=CredentialsSignin",
  "signout",
  "error",
  "error?error=AccessDenied",
  "error?error=Configuration",
  "error?error=Verification",
  "verify-request",
  `callback/${op.id}?code=c&state=s`,
  `callback/${op.id}?error=access_denied`,
  "callback/credentials",
  "nothing",
  "",
]

attack("CACHE-01", "no response may be cached, whatever its route, method, status or client", async (mode) => {
  const { get, post, send } = bare(mode)
  for (const path of paths) {
    const responses = [
      await get(`/auth/${path}`),
      await get(`/auth/${path}`, { "x-auth-return-redirect": "1" }),
      await get(`/auth/${path}`, { cookie: "__Secure-authjs.session-token=x; __Host-authjs.session-token=x" }),
      await post(`/auth/${path}`),
      await send(`/auth/${path}`, form("csrfToken=wrong")),
      await send(`/auth/${path}`, form("{", "application/json")),
      await send(`/auth/${path}`, form("x", "text/plain")),
      await send(`/auth/${path}`, form("x".repeat(70_000))),
      ...(await Promise.all(["HEAD", "OPTIONS", "PUT", "DELETE"].map((method) => send(`/auth/${path}`, { method })))),
    ]
    for (const [at, response] of responses.entries()) expectUncacheable(response, `${path} ${at} ${response.status}`)
  }
})

attack("CACHE-01", "no response during sign-in, session and sign-out may be cached", async (mode) => {
  const { its, browser, links } = await site(mode)
  const answers: Response[] = []
  const keep = () => void answers.push(...browser.trail.filter(({ url }) => url === "" || url.includes("/auth")))
  await browser.signInWith(its.op, { as: "ada" })
  keep()
  const fetched = [await browser.fetch("/auth/session"), await browser.fetch("/auth/csrf")]
  const csrfToken = (await browser.csrf()) ?? ""
  const headers = { "content-type": "application/json" }
  fetched.push(await browser.fetch("/auth/session", { method: "POST", body: JSON.stringify({ csrfToken }), headers }))
  await browser.signOut()
  keep()
  await browser.signIn("mail", { email: "grace@example.test" })
  keep()
  await browser.fresh().get(links[0] ?? "")
  await browser.signIn("credentials", { name: "linus", password: "wrong" })
  keep()
  for (const response of [
    ...answers.filter(({ headers: each }) => each.get("content-type") !== "text/plain"),
    ...fetched,
  ])
    expectUncacheable(response, `${response.status} ${response.headers.get("location")}`)
  expect(answers.length).toBeGreaterThan(5)
})

attack("CACHE-01", "no response to an invalid configuration or an untrusted host may be cached", async (mode) => {
  const log = captureLog()
  const broken: Partial<AuthConfig>[] = [
    { secret: "" },
    { secret: "", pages: { error: "/oops" } },
    { providers: [mailer().provider] },
  ]
  for (const rest of broken) {
    const { get, send } = bare(mode, rest)
    for (const path of ["signin", "error", "session", "csrf"]) {
      expectUncacheable(await get(`/auth/${path}`), path)
      expectUncacheable(await send(`/auth/${path}`, form("")), path)
    }
  }
  const config: AuthConfig = {
    security: mode,
    secret,
    providers: [typed],
    trustHost: ["app.test"],
    logger: log.logger,
  }
  const foreign = await createServer(config).handle(new Request("https://evil.test/auth/signin"))
  expect(foreign.status).toBe(400)
  expectUncacheable(foreign, "a foreign host")
})

const deceptive = [
  "session/x.css",
  "session.css",
  "session;a.js",
  "session/;a.js",
  "session%2Fa.css",
  "session%3Fa.css",
  "session%23a.css",
  "session%00.css",
  "session%0A.css",
  "session/.css",
  "session/a/b.png",
  "session/%2e%2e/x.css",
  "session/..;/x.js",
  "session\\x.css",
  "session//x.css",
  "/session/x.css",
  "Session",
  "SESSION.JS",
  "session.json",
  "csrf%2Fa.png",
  "csrf/a.png",
  "csrf;x.js",
  "csrf.js",
  "providers/x.js",
  "signin/x.css",
  `signin/${op.id}/x.css`,
  `signin/${op.id}.css`,
  `signin/${op.id};x.css`,
  `signin/${op.id}%2Fx.css`,
  "signout/x.css",
  "error/x.css",
  "verify-request/x.png",
  "callback/x.css",
  `callback/${op.id}/x.css?code=c&state=s`,
]

attack("CACHE-03", "a path that looks like a file gets 404 without session data or cookies", async (mode) => {
  const { browser } = await site(mode)
  await browser.signIn("credentials", { name: "ada", password: "open" })
  const cookie = browser.cookies.map(({ name, value }) => `${name}=${value}`).join("; ")
  const { get, send } = bare(mode)
  for (const path of deceptive) {
    for (const response of [
      await get(`/auth/${path}`, { cookie }),
      await send(`/auth/${path}`, { method: "HEAD", headers: { cookie } }),
    ]) {
      expect([path, response.status, response.headers.getSetCookie()]).toEqual([path, 404, []])
      expect(await response.text()).not.toMatch(/csrf|ada/i)
    }
  }
})

attack("CACHE-03", "the same path gets 404 below another base path and at the root", async (mode) => {
  for (const base of ["/api/v1/auth", ""]) {
    const { get } = app({
      security: mode,
      url: `${new URL(address).origin}${base}`,
      basePath: base,
      providers: [typed],
    })
    expect((await get(`${base}/session`)).status).toBe(200)
    for (const path of ["session/x.css", "session.css", "session;a.js", "csrf%2Fa.png", "x.css/session"])
      expect([path, (await get(`${base}/${path}`)).status]).toEqual([path, 404])
  }
})
