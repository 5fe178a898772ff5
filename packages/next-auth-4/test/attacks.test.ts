import { beforeEach, describe, expect, test, vi } from "vitest"
import NextAuth, { getServerSession } from "../src/index.js"
import { encode } from "../src/jwt.js"
import Credentials from "../src/providers/credentials.js"
import type { AuthOptions } from "../src/types.js"

const secret = "mD5rNw0Zc2Xq8Lk1Bv7Hs4Tj9Yg6Fp3Qe+Ua/OiRxEbKz"
const origin = "https://app.test"
const sessionCookie = "__Secure-next-auth.session-token"

beforeEach(() => {
  vi.stubEnv("NEXTAUTH_URL", origin)
  vi.stubEnv("VERCEL", undefined)
  vi.stubEnv("AUTH_TRUST_HOST", undefined)
})

const logger = { error: () => undefined, warn: () => undefined, debug: () => undefined }

function optionsOf(change: Partial<AuthOptions> = {}): AuthOptions {
  const authorize = async (credentials: Record<string, string> | undefined) => {
    if (credentials?.["password"] !== "open sesame") throw new Error(credentials?.["password"])
    return { id: "1", name: "Ada" }
  }
  return { secret, logger, providers: [Credentials({ credentials: { password: {} }, authorize })], ...change }
}

interface Sent {
  readonly path: string
  readonly form?: Readonly<Record<string, string>>
  readonly headers?: Readonly<Record<string, string>>
  readonly jar?: Map<string, string>
}

async function send(options: AuthOptions, { jar = new Map(), ...sent }: Sent): Promise<Response> {
  const request = requestOf(sent, jar)
  const nextauth = new URL(request.url).pathname.slice("/api/auth/".length).split("/")
  const response: Response = await NextAuth(options)(request, { params: Promise.resolve({ nextauth }) })
  for (const line of response.headers.getSetCookie()) {
    const [, name = "", value = ""] = /^([^=]+)=([^;]*)/.exec(line) ?? []
    if (value === "") jar.delete(name)
    else jar.set(name, value)
  }
  return response
}

function requestOf({ path, form, headers = {} }: Sent, jar: ReadonlyMap<string, string>): Request {
  const cookie = [...jar].map(([name, value]) => `${name}=${value}`).join("; ")
  const common = { ...(cookie !== "" && { cookie }), ...headers }
  const url = new URL(`/api/auth/${path}`, "http://internal.test")
  if (form === undefined) return new Request(url, { headers: common })
  return new Request(url, { method: "POST", headers: { origin, ...common }, body: new URLSearchParams(form) })
}

async function csrf(options: AuthOptions, jar: Map<string, string>): Promise<string> {
  return (JSON.parse(await (await send(options, { path: "csrf", jar })).text()) as { csrfToken: string }).csrfToken
}

async function signedIn(options: AuthOptions): Promise<Map<string, string>> {
  const jar = new Map<string, string>()
  const csrfToken = await csrf(options, jar)
  await send(options, { path: "callback/credentials", form: { csrfToken, password: "open sesame" }, jar })
  expect(jar.has(sessionCookie)).toBe(true)
  return jar
}

describe("a callback URL", () => {
  test.each([
    "https://evil.test/",
    "//evil.test",
    "\\\\evil.test",
    "https://app.test.evil.test",
    "https://app.test@evil.test",
    "javascript:alert(1)",
  ])("%s doesn't lead to another site", async (callbackUrl) => {
    const options = optionsOf()
    const jar = new Map<string, string>()
    const form = { csrfToken: await csrf(options, jar), password: "open sesame", callbackUrl }
    const response = await send(options, { path: "callback/credentials", form, jar })
    expect(new URL(response.headers.get("location") ?? "", origin).origin).toBe(origin)
    const scripted = { ...form, csrfToken: await csrf(options, jar), json: "true" }
    const asked = await send(options, { path: "callback/credentials", form: scripted, jar })
    expect(new URL(((await asked.json()) as { url: string }).url, origin).origin).toBe(origin)
  })
})

test.each([{ host: "evil.test" }, { "x-forwarded-host": "evil.test" }, { forwarded: "host=evil.test" }])(
  "headers don't choose the site without VERCEL or AUTH_TRUST_HOST (%j)",
  async (headers) => {
    const text = await (await send(optionsOf(), { path: "providers", headers })).text()
    expect(text).toContain(`${origin}/api/auth/callback/credentials`)
    expect(text).not.toContain("evil.test")
  },
)

test("a host that isn't one can't cause a server error", async () => {
  vi.stubEnv("AUTH_TRUST_HOST", "1")
  for (const host of ["evil.test/path?", "a b", "[", "evil.test:port"]) {
    const response = await send(optionsOf(), { path: "providers", headers: { "x-forwarded-host": host } })
    expect(response.status).toBeLessThan(500)
  }
})

describe("a form of another site", () => {
  test.each([
    ["without a token", {}, {}],
    ["with another token", { csrfToken: "0".repeat(64) }, {}],
  ])("%s signs no one out and no one in", async (_, fields: Readonly<Record<string, string>>, headers) => {
    const options = optionsOf()
    const jar = await signedIn(options)
    const before = jar.get(sessionCookie)
    const out = await send(options, { path: "signout", form: fields, headers, jar })
    expect(out.headers.get("location")).toBe(`${origin}/api/auth/signout?csrf=true`)
    expect(jar.get(sessionCookie)).toBe(before)
    const other = new Map<string, string>()
    const form = { ...fields, password: "open sesame" }
    const signIn = await send(options, { path: "callback/credentials", form, headers, jar: other })
    expect(signIn.headers.get("location")).toBe(`${origin}/api/auth/signin?csrf=true`)
    expect(other.has(sessionCookie)).toBe(false)
  })

  test("is refused by its origin, even with a token", async () => {
    const options = optionsOf()
    const jar = new Map<string, string>()
    const form = { csrfToken: await csrf(options, jar), password: "open sesame" }
    const headers = { origin: "https://evil.test", "sec-fetch-site": "cross-site" }
    await send(options, { path: "callback/credentials", form, headers, jar })
    expect(jar.has(sessionCookie)).toBe(false)
  })
})

describe("the text of an error", () => {
  const text = 'no\r\nset-cookie: a=b <script>alert("x")</script> &x=y#z'

  test("stays one parameter of the URL", async () => {
    const options = optionsOf()
    const jar = new Map<string, string>()
    const form = { csrfToken: await csrf(options, jar), password: text }
    const response = await send(options, { path: "callback/credentials", form, jar })
    const url = new URL(response.headers.get("location") ?? "")
    expect([...url.searchParams]).toEqual([["error", text]])
    expect(jar.has("a")).toBe(false)
  })

  test.each([{}, { error: "/oops" }])("isn't markup on the page, nor part of its URL (%j)", async (pages) => {
    const response = await send(optionsOf({ pages }), { path: `error?${new URLSearchParams({ error: text })}` })
    expect(await response.text()).not.toContain("<script>alert")
    const location = response.headers.get("location")
    if (location !== null) expect([...new URL(location, origin).searchParams]).toEqual([["error", text]])
  })
})

test.each([
  "../admin",
  "session/../csrf",
  "callback/__proto__",
  "signin/constructor",
  "%00",
  "error/%0d%0a",
  "a/b/c/d",
])("the path %s can't cause a server error", async (path) => {
  const params = { nextauth: path.split("/") }
  for (const method of ["GET", "POST", "PUT"]) {
    const request = new Request(`http://internal.test/api/auth/x`, { method })
    const response: Response = await NextAuth(optionsOf())(request, { params })
    expect(response.status).toBeLessThan(500)
  }
})

test.each(['{"__proto__":{"id":"1"}}', "[1,2]", '"text"', "null", "{", '{"json":{"a":1}}'])(
  "the body %s can't cause a server error or sign in",
  async (body) => {
    const headers = { "content-type": "application/json", origin }
    for (const path of ["callback/credentials", "session", "signout", "_log"]) {
      const request = new Request(`http://internal.test/api/auth/${path}`, { method: "POST", headers, body })
      const response: Response = await NextAuth(optionsOf())(request, { params: { nextauth: path.split("/") } })
      expect(response.status, path).toBeLessThan(500)
      expect(response.headers.getSetCookie().join()).not.toContain("session-token=e")
    }
  },
)

test("a token with another purpose, of another secret or without a user is no session", async () => {
  const tokens = [
    await encode({ token: { value: "x" }, secret }),
    await encode({ token: { sub: "1" }, secret, salt: "__Secure-next-auth.state" }),
    await encode({ token: { sub: "1" }, secret: `${secret}!` }),
    await encode({ token: { sub: "1" }, secret, maxAge: -60 }),
  ]
  for (const token of tokens) {
    const req = { headers: { cookie: `${sessionCookie}=${token}` }, cookies: {} }
    const res = { headersSent: false, getHeader: () => undefined, setHeader: () => undefined }
    const session: unknown = await getServerSession(req as never, res as never, optionsOf())
    expect(session).toBeNull()
  }
})
