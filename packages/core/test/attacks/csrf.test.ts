import { skipCSRFCheck } from "@latchkey/core"
import { expect } from "vitest"
import { attack, type Mode, strictAttack } from "../../../../tests/attack.js"
import { csrfPair, location, origin } from "../http/app.js"
import { cookiesOf, type Door, door, session, whoIs } from "./door-setup.js"

type Post = Omit<RequestInit, "method">

const fields = { name: "ada", password: "open", email: "ada@app.test", token: "t".repeat(64) }
const routes = ["signin", "signin/op", "signin/mail", "signout", "session", "callback/credentials", "callback/mail"]

/** An incomplete link is refused before its origin is checked. */
const lostLink = /^\/auth\/(?:signin\?error=MissingCSRF|error\?error=Verification)$/

/** The request sends no email, calls no `authorize`, changes no row or cookie, and ends no session. */
async function expectNothing(app: Door, cookie: string, path: string, init: Post): Promise<void> {
  const [asked, rows] = [app.asked.length, JSON.stringify(app.store.rows())]
  const response = await app.send(path, { ...init, method: "POST" })
  const why = `${path} ${JSON.stringify(init)}`
  if (path.startsWith("/auth/session")) expect([400, 415], why).toContain(response.status)
  else if (response.status !== 415 && response.status !== 400) {
    const answer = init.body === undefined && path.includes("mail") ? lostLink : /^\/auth\/signin\?error=MissingCSRF$/
    expect([response.status, location(response)?.slice(origin.length)], why).toEqual([
      302,
      expect.stringMatching(answer),
    ])
  }
  expect([app.mails, app.asked.length, app.op.requests, response.headers.getSetCookie()], why).toEqual([
    [],
    asked,
    [],
    [],
  ])
  expect(JSON.stringify(app.store.rows()), why).toBe(rows)
  expect(await whoIs(app, cookie), why).toBe("ada")
}

function form(more: Record<string, string> = {}): URLSearchParams {
  return new URLSearchParams({ ...fields, ...more })
}

function json(more: Record<string, unknown>): Post {
  return { body: JSON.stringify({ ...fields, ...more }), headers: { "content-type": "application/json" } }
}

/** Bodies without the CSRF token of this browser. The browser sends its cookies with them. */
function forgeries(own: string, foreign: string): readonly Post[] {
  const repeated = form({ csrfToken: own })
  repeated.append("csrfToken", foreign)
  const multipart = new FormData()
  for (const [name, value] of form({ csrfToken: foreign })) multipart.append(name, value)
  return [
    { body: form() },
    {},
    { body: form({ csrfToken: "" }) },
    { body: form({ csrfToken: foreign }) },
    { body: form({ csrfToken: own.slice(0, -1) }) },
    { body: form({ csrfToken: `${own}0` }) },
    { body: form({ csrfToken: own.toUpperCase() }) },
    { body: form({ "csrfToken[]": own }) },
    { body: form({ csrftoken: own }) },
    { body: repeated },
    { body: multipart },
    json({}),
    json({ csrfToken: [own] }),
    json({ csrfToken: { value: own } }),
    json({ csrfToken: null }),
    json({ csrfToken: true }),
    json({ data: { csrfToken: own } }),
    { body: form(), headers: { "x-csrf-token": own } },
    { body: JSON.stringify({ ...fields, csrfToken: own }), headers: { "content-type": "text/plain" } },
  ]
}

function withCookie(init: Post, cookie: string): Post {
  const headers = new Headers(init.headers)
  headers.set("cookie", cookie)
  return { ...init, headers: Object.fromEntries(headers) }
}

for (const route of routes) {
  attack("CSRF-01", `POST ${route} without the CSRF token of the browser does nothing`, async (mode) => {
    const app = door(mode)
    const [mine, theirs, signedIn] = [await csrfPair(app.send), await csrfPair(app.send), await session(app)]
    const cookie = `${signedIn}; ${mine.cookie}`
    for (const init of forgeries(mine.token, theirs.token))
      await expectNothing(app, cookie, `/auth/${route}`, withCookie(init, cookie))
    await expectNothing(app, cookie, `/auth/${route}?csrfToken=${mine.token}`, withCookie({ body: form() }, cookie))
    const lone = withCookie({ body: form({ csrfToken: mine.token }) }, signedIn)
    await expectNothing(app, cookie, `/auth/${route}`, lone)
  })
}

attack("CSRF-01", "a matching token and cookie that the server did not create do nothing", async (mode) => {
  const app = door(mode)
  const signedIn = await session(app)
  const name = (await csrfPair(app.send)).cookie.split("=", 1)[0] ?? ""
  const token = "a".repeat(64)
  const made = [token, `${token}|`, `${token}|${token}`, `|${token}`, `${token}|${await digest(token)}`]
  for (const route of routes) {
    for (const value of made) {
      const cookie = `${signedIn}; ${name}=${encodeURIComponent(value)}`
      const init = withCookie({ body: form({ csrfToken: token }) }, cookie)
      await expectNothing(app, cookie, `/auth/${route}`, init)
    }
  }
})

async function digest(text: string): Promise<string> {
  const bytes = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(text))
  return Buffer.from(bytes).toString("hex")
}

/** The status of a `POST /auth/session` with this CSRF token. */
async function update({ send }: Door, cookie: string, token: string): Promise<number> {
  const response = await send("/auth/session", {
    method: "POST",
    body: JSON.stringify({ csrfToken: token, data: { name: "eve" } }),
    headers: { cookie, "content-type": "application/json" },
  })
  return response.status
}

attack(
  "CSRF-03",
  "the CSRF token from before a sign-in is refused after it, for every method of sign-in",
  async (mode) => {
    for (const way of ["credentials", "op", "mail"]) {
      const app = door(mode)
      const before = await csrfPair(app.send)
      const [first, last] = await signInBy(app, way, before)
      const cookie = cookiesOf(first, last)
      const name = before.cookie.split("=", 1)[0] ?? ""
      const gone = last.headers.getSetCookie().some((line) => line.startsWith(`${name}=; Max-Age=0;`))
      const kept = gone ? cookie : `${cookie}; ${before.cookie}`
      expect(kept, way).toContain("session-token=ey")
      expect(await update(app, kept, before.token), way).toBe(400)
      const next = await csrfPair(app.send)
      expect(next.token).not.toBe(before.token)
      const fresh = `${cookie}; ${next.cookie}`
      expect([await update(app, fresh, before.token), await update(app, fresh, next.token)], way).toEqual([400, 200])
    }
  },
)

attack("CSRF-03", "requests that a page sends in parallel after a sign-in get one token", async (mode) => {
  for (const [url, name] of [
    [`${origin}/auth`, undefined],
    ["http://localhost:3000/auth", undefined],
    [`${origin}/auth`, "own.csrf"],
  ] as const) {
    const cookies = name === undefined ? {} : { csrfToken: { name } }
    const at = new URL(url).origin
    const app = door(mode, { url, cookies }, at)
    const signIn = () => app.post("/auth/callback/credentials", { name: "ada", password: "open" }, { origin: at })
    const [ada, other] = [cookiesOf(await signIn()), cookiesOf(await signIn())]
    const tokenOf = async (cookie: string) => (await csrfPair((path) => app.get(path, { cookie }))).token
    const tokens = await Promise.all([ada, ada, other, ""].map(tokenOf))
    expect([tokens[0], new Set(tokens).size], url).toEqual([tokens[1], 3])
  }
})

async function signInBy(
  { send, get, mails, op }: Door,
  way: string,
  { token, cookie }: { token: string; cookie: string },
): Promise<[Response, Response]> {
  const path = way === "credentials" ? "callback/credentials" : `signin/${way}`
  const first = await send(`/auth/${path}`, { method: "POST", body: form({ csrfToken: token }), headers: { cookie } })
  if (way === "credentials") return [first, first]
  const answer = way === "op" ? await op.authorize(location(first) ?? "", { as: "ada" }) : undefined
  const back = answer?.method === "GET" ? answer.location : (mails[0] ?? "")
  return [first, await get(back.slice(origin.length), { cookie: `${cookie}; ${cookiesOf(first)}` })]
}

const types: readonly (string | undefined)[] = [
  undefined,
  "application/x-www-form-urlencoded",
  "APPLICATION/X-WWW-FORM-URLENCODED",
  "application/x-www-form-urlencoded, text/plain",
  "text/plain, application/x-www-form-urlencoded",
  "text/plain; a=application/json",
  "text/plain",
  "multipart/form-data; boundary=x",
  "Multipart/Form-Data; boundary=x",
  "application/json",
  "*/*",
]
const senders: readonly Record<string, string>[] = [
  { origin: "https://evil.test" },
  { origin: "null" },
  { origin: "" },
  { origin: "https://app.test.evil.test" },
  { origin: "http://app.test" },
  { origin: "https://app.test:444" },
  { origin: "https://evil.test", "x-forwarded-host": "evil.test", host: "evil.test" },
  { origin, "sec-fetch-site": "cross-site" },
  { origin, "sec-fetch-site": "CROSS-SITE" },
  { origin, "sec-fetch-site": "" },
  { "sec-fetch-site": "same-site", origin: "https://sub.app.test" },
  { "sec-fetch-site": "cross-site", "sec-fetch-mode": "navigate", "sec-fetch-dest": "document" },
]

/** Browsers always send `Origin` with a POST. Only an application that builds requests itself leaves it out. */
const silent: readonly Record<string, string>[] = [{}, { referer: `${origin}/` }]

for (const route of ["signout", "signin/mail", "signin/op", "session", "callback/credentials", "callback/mail"]) {
  attack("CSRF-04", `with skipCSRFCheck POST ${route} from another site is refused`, async (mode) => {
    const app = door(mode, { skipCSRFCheck })
    const cookie = await skipping(mode, app)
    for (const type of types) {
      for (const sender of mode === "strict" ? [...senders, ...silent] : senders) {
        const headers = { ...sender, cookie, ...(type !== undefined && { "content-type": type }) }
        const body = type?.toLowerCase().startsWith("application/json") === true ? JSON.stringify(fields) : text
        await expectNothing(app, cookie, `/auth/${route}`, { body, headers })
        await expectNothing(app, cookie, `/auth/${route}`, { headers })
      }
    }
  })
}

const text = form().toString()

/** Signs in with a POST that has an `Origin` header. */
async function skipping(mode: Mode, app: Door): Promise<string> {
  const body = form()
  const response = await app.send("/auth/callback/credentials", { method: "POST", body, headers: { origin } })
  expect(response.status, mode).toBe(302)
  return cookiesOf(response)
}

strictAttack(
  "CSRF-07",
  "keys",
  "the CSRF token is authenticated by HMAC, not by a plain hash with the secret",
  async () => {
    const { secret } = await import("../http/app.js")
    const { token, cookie } = await csrfPair(door("strict").send)
    const [, hash] = decodeURIComponent(cookie.split("=")[1] ?? "").split("|")
    expect(hash).toMatch(/^[0-9a-f]{64}$/)
    expect(hash).not.toBe(await digest(token + secret))
  },
)
