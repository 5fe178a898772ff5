import { expect } from "vitest"
import { attack } from "../../../../tests/attack.js"
import { cost } from "../cost.js"
import { equal } from "../../src/crypto/digest.js"
import { cookieNames, csrfPair, location, origin } from "../http/app.js"
import { cookiesOf, door, session, sessionName, whoIs } from "./door-setup.js"

const password = "name=ada&password=open"
const addresses = [
  "signout",
  "signout?callbackUrl=/a",
  "signin",
  "signin/op",
  "signin/mail?email=ada@app.test",
  `callback/credentials?${password}`,
  "callback/op?code=x&state=y",
  "callback/mail?token=x&email=ada@app.test",
  "session?data=x",
  "session",
  "csrf",
  "providers",
  "error",
  "verify-request",
]

for (const method of ["GET", "HEAD", "OPTIONS", "PUT", "DELETE", "PATCH", "QUERY", "post"]) {
  attack("CSRF-06", `${method} changes nothing on any route, with or without the CSRF token`, async (mode) => {
    const app = door(mode)
    const { token, cookie: csrf } = await csrfPair(app.send)
    const cookie = `${await session(app)}; ${csrf}`
    const [asked, rows] = [app.asked.length, JSON.stringify(app.store.rows())]
    // The `Request` constructor turns `post` into POST (Fetch, "normalize a method"); it fails the CSRF check.
    for (const address of addresses) {
      const path = `/auth/${address}${address.includes("?") ? "&" : "?"}csrfToken=${token}&_method=POST`
      const response = await app.send(path, { method, headers: { cookie, "x-http-method-override": "POST" } })
      expect(response.status, path).toBeLessThan(500)
      if (!["GET", "HEAD", "OPTIONS", "post"].includes(method)) expect(response.status, path).toBe(405)
      expect(cookieNames(response).filter((name) => name.includes("session-token"))).toEqual([])
      expect([app.mails, app.asked.length, app.op.requests], path).toEqual([[], asked, []])
      expect(JSON.stringify(app.store.rows()), path).toBe(rows)
      expect(await whoIs(app, cookie), path).toBe("ada")
    }
  })
}

attack("CSRF-06", "GET neither signs in with a password nor signs out", async (mode) => {
  const { get } = door(mode)
  const answer = await get(`/auth/callback/credentials?${password}`)
  expect(location(answer)).toMatch(/^https:\/\/app\.test\/auth\/(?:error|signin)\?error=/)
  expect(cookieNames(answer)).toEqual([])
  const page = await get("/auth/signout")
  expect([page.status, await page.text()]).toEqual([200, expect.stringContaining('method="POST"')])
})

attack("CSRF-06", "HEAD responds like GET without a body, and consumes nothing", async (mode) => {
  const { send, get, post, op, mails } = door(mode)
  for (const action of ["signin", "signout", "error", "verify-request", "session", "csrf", "providers"]) {
    const [head, got] = [await send(`/auth/${action}`, { method: "HEAD" }), await get(`/auth/${action}`)]
    expect([head.status, head.headers.get("content-type"), await head.text()], action).toEqual([
      got.status,
      got.headers.get("content-type"),
      "",
    ])
  }
  const begun = await post("/auth/signin/op")
  const answer = await op.authorize(location(begun) ?? "", { as: "ada" })
  const back = (answer.method === "GET" ? answer.location : "").slice(origin.length)
  const mailed = await post("/auth/signin/mail", { email: "grace@app.test" })
  const cookie = cookiesOf(begun, mailed)
  for (const path of [back, (mails[0] ?? "").slice(origin.length)]) {
    expect(cookieNames(await send(path, { method: "HEAD", headers: { cookie } }))).toEqual([])
    expect(cookieNames(await get(path, { cookie }))).toContain(sessionName(mode))
  }
})

attack("CSRF-07", "a comparison does the same work wherever two strings differ", async () => {
  const long = "a".repeat(200_000)
  const early = `b${long.slice(1)}`
  const late = `${long.slice(1)}b`
  expect([equal(long, early), equal(long, late), equal(long, long), equal("", ""), equal("a", "")]).toEqual([
    false,
    false,
    true,
    true,
    false,
  ])
  const [first, last] = [await cost(() => equal(long, early)), await cost(() => equal(long, late))]
  // With `===`, an early difference costs about a thousandth of a late one.
  expect(first / last).toBeGreaterThan(0.2)
})

attack("CSRF-07", "no secret from a form is compared with ===", async () => {
  const { readFileSync } = await import("node:fs")
  for (const file of ["http/csrf.ts", "crypto/digest.ts"]) {
    const source = readFileSync(new URL(`../../src/${file}`, import.meta.url), "utf8")
    expect(source.match(/\b(?:token|hash|secret|expected|value)\s*[!=]==(?!\s*undefined)/g), file).toBeNull()
  }
})
