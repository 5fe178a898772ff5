import { NextRequest } from "next/server.js"
import { beforeEach, describe, expect, test, vi } from "vitest"
import { configFor } from "../src/config.js"
import NextAuth, { getServerSession } from "../src/index.js"
import { decode, encode, getToken } from "../src/jwt.js"
import { type NextRequestWithAuth, withAuth } from "../src/middleware.js"
import type { Anything } from "../src/model.js"
import Credentials from "../src/providers/credentials.js"
import { siteOf } from "../src/request.js"
import { serve } from "../src/serve.js"
import type { AuthOptions } from "../src/types.js"

const secret = "mD5rNw0Zc2Xq8Lk1Bv7Hs4Tj9Yg6Fp3Qe+Ua/OiRxEbKz"
const origin = "https://app.test"
const sessionCookie = "__Secure-next-auth.session-token"

beforeEach(() => {
  vi.stubEnv("NEXTAUTH_URL", origin)
  vi.stubEnv("NEXTAUTH_SECRET", undefined)
  vi.stubEnv("AUTH_SECRET", undefined)
  vi.stubEnv("VERCEL", undefined)
  vi.stubEnv("AUTH_TRUST_HOST", undefined)
})

const logger = { error: () => undefined, warn: () => undefined, debug: () => undefined }
const ada = Credentials({ credentials: { password: {} }, authorize: async () => ({ id: "1", name: "Ada" }) })
const options: AuthOptions = { secret, logger, providers: [ada] }

async function route(path: string, init: RequestInit & { duplex?: "half" } = {}, given = options): Promise<Response> {
  const nextauth = (path.split("?", 1)[0] ?? "").split("/")
  return NextAuth(given)(new Request(`http://internal.test/api/auth/${path}`, init), { params: { nextauth } })
}

/** The response to a request that the Pages Router has parsed. */
async function page(method: string, path: string, body: Anything = {}, type = "application/json"): Promise<Response> {
  const headers = { "content-type": type, origin }
  return serve(options, { method, headers, query: {}, body, segments: path.split("/") })
}

describe("a missing secret", () => {
  /** What next-auth 4 can't make: its key derivation refuses an empty secret. */
  const sealedWithNothing =
    "eyJhbGciOiJkaXIiLCJlbmMiOiJBMjU2R0NNIn0..fIUoGLDmZSswuUeW.f7WSLPrxyrLjvrWu3ob7IvC6CxfOztamxKnoZCjuAXNVBwwL-ou7DspgbVduQ-JKRrS07No2DYAy750.6VZH4mRp487d3g6Z7Fid_Q"

  test.each(["", undefined])("opens no token (%j)", async (missing) => {
    vi.stubEnv("NEXTAUTH_SECRET", missing)
    const req: Anything = { headers: { authorization: `Bearer ${sealedWithNothing}` }, cookies: {} }
    expect(await getToken({ req })).toBeNull()
    expect(await getToken({ req, secret: "" })).toBeNull()
    await expect(decode({ token: sealedWithNothing, secret: missing as string })).rejects.toThrow("NEXTAUTH_SECRET")
  })

  test.each(["", undefined, null, Buffer.alloc(0)])("seals no token (%j)", async (missing) => {
    await expect(encode({ token: { sub: "ada" }, secret: missing as string })).rejects.toThrow("NEXTAUTH_SECRET")
  })

  test("is passed to a `decode` of the application as it is", async () => {
    const open = vi.fn(async () => ({ sub: "ada" }))
    const req: Anything = { headers: { authorization: "Bearer a" }, cookies: {} }
    expect(await getToken({ req, decode: open })).toEqual({ sub: "ada" })
    expect(open).toHaveBeenCalledWith({ token: "a", secret: undefined })
  })
})

test("a secret of bytes is used as bytes", async () => {
  const bytes = Buffer.from(secret)
  expect(await decode({ token: await encode({ token: { sub: "ada" }, secret: bytes }), secret })).toMatchObject({
    sub: "ada",
  })
  const [one, other] = [Buffer.from([255, 1]), Buffer.from([254, 1])]
  const token = await encode({ token: { sub: "ada" }, secret: one })
  expect(await decode({ token, secret: one })).toMatchObject({ sub: "ada" })
  // As text, both are U+FFFD.
  await expect(decode({ token, secret: other })).rejects.toThrow()
})

describe("a body", () => {
  /** Endless, and counts what was read. */
  function endless() {
    const read = { bytes: 0 }
    const body = new ReadableStream<Uint8Array>({
      pull(controller) {
        read.bytes += 16_384
        if (read.bytes > 4_000_000) controller.close()
        else controller.enqueue(new Uint8Array(16_384).fill(97))
      },
    })
    return { read, init: { method: "POST", body, duplex: "half", headers: { origin } } as const }
  }

  test("that is too large is refused before it's read to its end", async () => {
    const { read, init } = endless()
    expect((await route("callback/credentials", init)).status).toBe(413)
    expect(read.bytes).toBeLessThan(200_000)
  })

  test("of a browser log isn't read", async () => {
    const { read, init } = endless()
    expect((await route("_log", init)).status).toBe(200)
    expect(read.bytes).toBeLessThan(50_000)
  })

  test("of JSON that nests too deep gets 400", async () => {
    const deep: unknown = JSON.parse(`${"[".repeat(5000)}${"]".repeat(5000)}`)
    expect((await page("POST", "callback/credentials", { deep })).status).toBe(400)
    const form = "application/x-www-form-urlencoded"
    expect((await page("POST", "callback/credentials", { deep }, form)).status).toBeLessThan(500)
  })

  test.each([{ json: { toString: 1 } }, { password: { toString: 1 } }, { json: Object.create(null) as unknown }])(
    "with a field that has no text can't cause a server error",
    async (body) => {
      for (const type of ["application/json", "application/x-www-form-urlencoded"])
        expect((await page("POST", "signin/credentials", body, type)).status).toBeLessThan(500)
    },
  )
})

test("a query without text can't cause a server error", async () => {
  const query = { error: { toString: 1 } }
  const response = await serve(options, { method: "GET", headers: {}, query, body: {}, segments: ["error"] })
  expect(response.status).toBeLessThan(500)
})

test.each(["a.test/p1", "a.test?p", "a.test#p", "user@a.test", "a.test\\p"])(
  "the forwarded host %s is no host, so NEXTAUTH_URL counts",
  (host) => {
    vi.stubEnv("AUTH_TRUST_HOST", "1")
    expect(siteOf({ "x-forwarded-host": host })).toEqual({ origin, basePath: "/api/auth" })
  },
)

test.each(["a.test", "a.test:3000", "[::1]:3000", "my_app.a-b.test"])("the forwarded host %s is one", (host) => {
  vi.stubEnv("AUTH_TRUST_HOST", "1")
  expect(siteOf({ "x-forwarded-host": host })).toEqual({ origin: `https://${host}`, basePath: "/api/auth" })
})

test("at most 100 configurations are kept for one object of options", () => {
  const first = configFor(options, { origin, basePath: "/0" })
  expect(configFor(options, { origin, basePath: "/0" })).toBe(first)
  for (let count = 1; count <= 100; count += 1) configFor(options, { origin, basePath: `/${count}` })
  expect(configFor(options, { origin, basePath: "/0" })).not.toBe(first)
})

test.each(["session", "providers"])("OPTIONS of %s can't cause a server error", async (path) => {
  expect((await route(path, { method: "OPTIONS" })).status).toBeLessThan(500)
})

test.each(["TRACE", "CONNECT", "TRACK"])("the method %s isn't allowed", async (method) => {
  const response = await page(method, "session")
  expect(response.status).toBe(405)
  expect(response.headers.get("allow")).toBe("GET, POST")
})

describe("withAuth", () => {
  const open = async (path: string) =>
    (await withAuth({ secret })(new NextRequest(`${origin}${path}`) as NextRequestWithAuth, {} as Anything)) ===
    undefined

  test.each([
    "/api/authors/secret",
    "/api/auth-admin",
    "/_nextadmin",
    "/favicon.icons/private",
    "/favicon.ico/private",
  ])("protects %s", async (path) => {
    expect(await open(path)).toBe(false)
  })

  test.each(["/api/auth", "/api/auth/session", "/_next/x.js", "/favicon.ico"])("leaves %s open", async (path) => {
    expect(await open(path)).toBe(true)
  })
})

async function signIn(given: AuthOptions, callbackUrl: string) {
  const asked = await route("csrf", {}, given)
  const { csrfToken } = (await asked.json()) as { csrfToken: string }
  const cookie = asked.headers
    .getSetCookie()
    .map((line) => line.split(";", 1)[0])
    .join("; ")
  const body = new URLSearchParams({ csrfToken, password: "x", callbackUrl })
  return route("callback/credentials", { method: "POST", headers: { origin, cookie }, body }, given)
}

test("a callback URL that looks like a refusal isn't one", async () => {
  const response = await signIn(options, "/x?error=MissingCSRF")
  expect(response.headers.get("location")).toBe(`${origin}/x?error=MissingCSRF`)
})

test("a provider that isn't configured is reported as a form without a token", async () => {
  const response = await route("signin/nope", { method: "POST", headers: { origin }, body: new URLSearchParams() })
  expect(response.headers.get("location")).toBe(`${origin}/api/auth/signin?csrf=true`)
})

test.each(["signin/credentials", "callback/credentials", "signout"])(
  "a forged form of %s is reported",
  async (path) => {
    const response = await route(path, { method: "POST", headers: { origin }, body: new URLSearchParams() })
    const to = path === "signout" ? "signout" : "signin"
    expect(response.headers.get("location")).toBe(`${origin}/api/auth/${to}?csrf=true`)
  },
)

test("outside production, getServerSession needs no secret", async () => {
  const { secret: _, ...given } = options
  const lines = (await signIn(given, "/")).headers.getSetCookie()
  const cookie = lines.find((line) => line.startsWith(`${sessionCookie}=`))?.split(";", 1)[0]
  const res: Anything = { headersSent: false, getHeader: () => undefined, setHeader: () => undefined }
  const req: Anything = { headers: { cookie }, cookies: {} }
  expect(await getServerSession(req, res, given)).toMatchObject({ user: { name: "Ada" } })
})
