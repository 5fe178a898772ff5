import { beforeEach, describe, expect, test, vi } from "vitest"
import { attack } from "../../../tests/attack.js"
import { getServerSession } from "../src/index.js"
import { decode, encode, getToken } from "../src/jwt.js"
import type { Anything } from "../src/model.js"
import {
  csrf,
  type Jar,
  optionsOf,
  origin,
  page,
  prepare,
  requestWith,
  route,
  send,
  sessionCookie,
  signIn,
} from "./site.js"

beforeEach(prepare)

const options = optionsOf()

async function signedIn(): Promise<Jar> {
  const jar: Jar = new Map()
  await signIn(options, jar)
  expect(jar.has(sessionCookie)).toBe(true)
  return jar
}

for (const callbackUrl of [
  "https://evil.test/",
  "//evil.test",
  "\\\\evil.test",
  "https://app.test.evil.test",
  "https://app.test@evil.test",
  "javascript:alert(1)",
]) {
  attack("BRIDGE-01", `the callback URL ${callbackUrl} doesn't lead to another site`, async () => {
    const response = await signIn(options, new Map(), { callbackUrl })
    expect(new URL(response.headers.get("location") ?? "", origin).origin).toBe(origin)
    const asked = await signIn(options, new Map(), { callbackUrl, json: "true" })
    expect(new URL(((await asked.json()) as { url: string }).url, origin).origin).toBe(origin)
  })
}

describe("the site", () => {
  const providers = async (headers: Readonly<Record<string, string>>) =>
    (await send(options, { path: "providers", headers })).text()

  for (const headers of [{ host: "evil.test" }, { "x-forwarded-host": "evil.test" }, { forwarded: "host=evil.test" }]) {
    attack(
      "BRIDGE-02",
      `isn't chosen by headers without VERCEL or AUTH_TRUST_HOST (${JSON.stringify(headers)})`,
      async () => {
        const text = await providers(headers)
        expect(text).toContain(`${origin}/api/auth/callback/credentials`)
        expect(text).not.toContain("evil.test")
      },
    )
  }

  for (const host of ["a.test/p1", "a.test?p", "a.test#p", "user@a.test", "a.test\\p", "a b", "[", "a.test:port"]) {
    attack("BRIDGE-03", `isn't chosen by the forwarded host ${host}, which is none`, async () => {
      vi.stubEnv("AUTH_TRUST_HOST", "1")
      expect(await providers({ "x-forwarded-host": host })).toContain(`"${origin}/api/auth/callback/credentials"`)
    })
  }

  test.each(["a.test", "a.test:3000", "[::1]:3000", "my_app.a-b.test"])("is the forwarded host %s", async (host) => {
    vi.stubEnv("AUTH_TRUST_HOST", "1")
    const text = await providers({ "x-forwarded-host": host })
    expect(text).toContain(`"https://${host}/api/auth/callback/credentials"`)
  })
})

describe("a form of another site", () => {
  const forged: readonly Readonly<Record<string, string>>[] = [
    {},
    { csrfToken: "0".repeat(64) },
    { csrfToken: "0".repeat(64), json: "true" },
  ]
  for (const fields of forged) {
    attack("BRIDGE-04", `signs no user out and no user in (${JSON.stringify(fields)})`, async () => {
      const jar = await signedIn()
      const before = jar.get(sessionCookie)
      for (const path of ["signout", "signin/credentials", "callback/credentials"]) {
        const response = await send(options, { path, form: { ...fields, password: "open sesame" }, jar })
        const url: unknown = response.headers.get("location") ?? ((await response.json()) as { url: string }).url
        expect(url).toBe(`${origin}/api/auth/${path === "signout" ? path : "signin"}?csrf=true`)
        expect(jar.get(sessionCookie)).toBe(before)
      }
    })
  }

  attack("BRIDGE-05", "is refused by its origin, even with a token", async () => {
    const jar: Jar = new Map()
    const form = { csrfToken: await csrf(options, jar), password: "open sesame" }
    const headers = { origin: "https://evil.test", "sec-fetch-site": "cross-site" }
    await send(options, { path: "callback/credentials", form, headers, jar })
    expect(jar.has(sessionCookie)).toBe(false)
  })
})

describe("the text of an error", () => {
  const text = 'no\r\nset-cookie: a=b <script>alert("x")</script> &x=y#z'

  attack("BRIDGE-06", "stays one parameter of the URL", async () => {
    const jar: Jar = new Map()
    const response = await signIn(options, jar, { password: text })
    expect([...new URL(response.headers.get("location") ?? "").searchParams]).toEqual([["error", text]])
    expect(jar.has("a")).toBe(false)
  })

  for (const pages of [{}, { error: "/oops" }]) {
    attack("BRIDGE-06", `isn't markup on the page, nor part of its URL (${JSON.stringify(pages)})`, async () => {
      const response = await send(optionsOf({ pages }), { path: `error?${new URLSearchParams({ error: text })}` })
      expect(await response.text()).not.toContain("<script>alert")
      const location = response.headers.get("location")
      if (location !== null) expect([...new URL(location, origin).searchParams]).toEqual([["error", text]])
    })
  }
})

describe("a request can't cause a server error", () => {
  const paths = [
    "../admin",
    "session/../csrf",
    "callback/__proto__",
    "signin/constructor",
    "%00",
    "error/%0d%0a",
    "a/b/c/d",
  ]
  for (const path of [...paths, "session", "providers"]) {
    attack("BRIDGE-07", `with the path ${path}`, async () => {
      for (const method of ["GET", "POST", "PUT", "OPTIONS"])
        expect((await page({ method, path })).status, method).toBeLessThan(500)
    })
  }

  for (const method of ["TRACE", "CONNECT", "TRACK"]) {
    attack("BRIDGE-07", `with the method ${method}`, async () => {
      const { status, headers } = await page({ method, path: "session" })
      expect([status, headers.get("allow")]).toEqual([405, "GET, POST"])
    })
  }

  for (const value of [{ toString: 1 }, Object.create(null) as unknown, [[]]]) {
    attack("BRIDGE-07", `with the value ${JSON.stringify(value)}`, async () => {
      for (const type of ["application/json", "application/x-www-form-urlencoded"])
        for (const body of [{ json: value }, { password: value }])
          expect((await page({ path: "signin/credentials", type, body })).status).toBeLessThan(500)
      expect((await page({ method: "GET", path: "error", query: { error: value } })).status).toBeLessThan(500)
    })
  }

  for (const body of ['{"__proto__":{"id":"1"}}', "[1,2]", '"text"', "null", "{", '{"json":{"a":1}}']) {
    attack("BRIDGE-08", `or sign in with the body ${body}`, async () => {
      const headers = { "content-type": "application/json", origin }
      for (const path of ["callback/credentials", "session", "signout", "_log"]) {
        const response = await route(path, { method: "POST", headers, body })
        expect(response.status, path).toBeLessThan(500)
        expect(response.headers.getSetCookie().join()).not.toContain("session-token=e")
      }
    })
  }
})

attack("BRIDGE-09", "a token with another purpose, of another secret or without a user is no session", async () => {
  const secret = options.secret ?? ""
  const tokens = [
    await encode({ token: { value: "x" }, secret }),
    await encode({ token: { sub: "1" }, secret, salt: "__Secure-next-auth.state" }),
    await encode({ token: { sub: "1" }, secret: `${secret}!` }),
    await encode({ token: { sub: "1" }, secret, maxAge: -60 }),
  ]
  for (const token of tokens) {
    const session: unknown = await getServerSession(...requestWith(`${sessionCookie}=${token}`), options)
    expect(session).toBeNull()
  }
})

describe("a missing secret", () => {
  /** What next-auth 4 can't make: its key derivation refuses an empty secret. */
  const sealedWithNothing =
    "eyJhbGciOiJkaXIiLCJlbmMiOiJBMjU2R0NNIn0..fIUoGLDmZSswuUeW.f7WSLPrxyrLjvrWu3ob7IvC6CxfOztamxKnoZCjuAXNVBwwL-ou7DspgbVduQ-JKRrS07No2DYAy750.6VZH4mRp487d3g6Z7Fid_Q"

  for (const missing of ["", undefined]) {
    attack("BRIDGE-10", `opens no token (${JSON.stringify(missing)})`, async () => {
      vi.stubEnv("NEXTAUTH_SECRET", missing)
      const req: Anything = { headers: { authorization: `Bearer ${sealedWithNothing}` }, cookies: {} }
      expect(await getToken({ req })).toBeNull()
      expect(await getToken({ req, secret: "" })).toBeNull()
      await expect(decode({ token: sealedWithNothing, secret: missing as string })).rejects.toThrow("NEXTAUTH_SECRET")
    })
  }

  for (const missing of ["", undefined, null, Buffer.alloc(0)]) {
    attack("BRIDGE-10", `seals no token (${JSON.stringify(missing)})`, async () => {
      await expect(encode({ token: { sub: "ada" }, secret: missing as string })).rejects.toThrow("NEXTAUTH_SECRET")
    })
  }

  test("is passed to a `decode` of the application as it is", async () => {
    const open = vi.fn(async () => ({ sub: "ada" }))
    const req: Anything = { headers: { authorization: "Bearer a" }, cookies: {} }
    expect(await getToken({ req, decode: open })).toEqual({ sub: "ada" })
    expect(open).toHaveBeenCalledWith({ token: "a", secret: undefined })
  })
})

attack("BRIDGE-11", "a token isn't opened with bytes that would be the same text", async () => {
  const [one, other] = [Buffer.from([255, 1]), Buffer.from([254, 1])]
  const token = await encode({ token: { sub: "ada" }, secret: one })
  expect(await decode({ token, secret: one })).toMatchObject({ sub: "ada" })
  // As text, both are U+FFFD.
  await expect(decode({ token, secret: other })).rejects.toThrow()
})
