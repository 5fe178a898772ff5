import { NextRequest } from "next/server.js"
import { beforeEach, describe, expect, test, vi } from "vitest"
import { attack } from "../../../tests/attack.js"
import { serverFor } from "../src/config.js"
import { getServerSession } from "../src/index.js"
import { decode } from "../src/jwt.js"
import { type NextRequestWithAuth, withAuth } from "../src/middleware.js"
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
  secret,
  send,
  sessionCookie,
  signIn,
} from "./site.js"

beforeEach(prepare)

const options = optionsOf()

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
    const headers = { origin, "content-type": "application/x-www-form-urlencoded" }
    return { read, init: { method: "POST", body, duplex: "half", headers } as const }
  }

  attack("BRIDGE-12", "that is too large is refused before it's read to its end", async () => {
    for (const path of ["callback/credentials", "signin/nope", "signout"]) {
      const { read, init } = endless()
      expect((await route(path, init)).status, path).toBe(path === "signin/nope" ? 302 : 413)
      expect(read.bytes).toBeLessThan(200_000)
    }
  })

  attack("BRIDGE-12", "of a browser log isn't read", async () => {
    const { read, init } = endless()
    expect((await route("_log", init)).status).toBe(200)
    expect(read.bytes).toBeLessThan(50_000)
  })

  attack("BRIDGE-12", "that nests too deep is refused", async () => {
    const body: Anything = { deep: JSON.parse(`${"[".repeat(5000)}${"]".repeat(5000)}`) }
    expect((await page({ path: "callback/credentials", body })).status).toBe(400)
    const type = "application/x-www-form-urlencoded"
    expect((await page({ path: "callback/credentials", body, type })).status).toBeLessThan(500)
  })
})

attack("BRIDGE-13", "at most 100 servers are kept for one object of options", () => {
  const own = optionsOf()
  const first = serverFor(own, { origin, basePath: "/0" })
  expect(serverFor(own, { origin, basePath: "/0" })).toBe(first)
  for (let count = 1; count <= 100; count += 1) serverFor(own, { origin, basePath: `/${count}` })
  expect(serverFor(own, { origin, basePath: "/0" })).not.toBe(first)
})

describe("withAuth", () => {
  const open = async (path: string) =>
    (await withAuth({ secret })(new NextRequest(`${origin}${path}`) as NextRequestWithAuth, {} as Anything)) ===
    undefined

  const paths = [
    "/api/authors/secret",
    "/api/auth-admin",
    "/_nextadmin",
    "/favicon.icons/private",
    "/favicon.ico/private",
  ]
  for (const path of paths) {
    attack("BRIDGE-14", `protects ${path}`, async () => {
      expect(await open(path)).toBe(false)
    })
  }

  test.each(["/api/auth", "/api/auth/session", "/_next/x.js", "/favicon.ico"])("leaves %s open", async (path) => {
    expect(await open(path)).toBe(true)
  })
})

describe("the cookie of the CSRF token", () => {
  const name = "__Host-next-auth.csrf-token"

  test.each(["signin", "signin?callbackUrl=/a", "session", "providers", "csrf", "signout"])(
    "is set by GET %s, so that a page can read its token",
    async (path) => {
      const jar: Jar = new Map()
      const own = optionsOf({ pages: { signIn: "/login" } })
      await send(own, { path, jar })
      const [token = ""] = decodeURIComponent(jar.get(name) ?? "").split("|")
      expect(await csrf(own, jar)).toBe(token)
      await send(own, { path: "callback/credentials", form: { csrfToken: token, password: "open sesame" }, jar })
      expect(jar.has(sessionCookie)).toBe(true)
    },
  )

  test("is set once, and stays as it is", async () => {
    const response = await send(optionsOf(), { path: "signin" })
    expect(response.headers.getSetCookie().filter((line) => line.startsWith(name))).toHaveLength(1)
    const jar: Jar = new Map()
    await csrf(options, jar)
    const before = jar.get(name)
    await send(options, { path: "session", jar })
    expect(jar.get(name)).toBe(before)
  })
})

describe("a callback URL that looks like a refusal", () => {
  const callbackUrl = "/x?error=MissingCSRF"

  test("of a sign-in isn't one", async () => {
    const response = await signIn(options, new Map(), { callbackUrl })
    expect(response.headers.get("location")).toBe(`${origin}${callbackUrl}`)
  })

  test("of a sign-out isn't one", async () => {
    const jar: Jar = new Map()
    await signIn(options, jar)
    const form = { csrfToken: await csrf(options, jar), callbackUrl }
    const response = await send(options, { path: "signout", form, jar })
    expect(response.headers.get("location")).toBe(`${origin}${callbackUrl}`)
    expect(jar.has(sessionCookie)).toBe(false)
  })
})

test("a provider that isn't configured is reported as a form without a token", async () => {
  const target = `${origin}/api/auth/signin?csrf=true`
  const response = await send(options, { path: "signin/nope", form: {} })
  expect(response.headers.get("location")).toBe(target)
  const headers = { "sec-fetch-mode": "cors" }
  const asked = await send(options, { path: "signin/nope", form: { json: "true" }, headers })
  expect(await asked.json()).toEqual({ url: target })
})

async function sessionOf(given: Anything): Promise<unknown> {
  const jar: Jar = new Map()
  await signIn(given, jar)
  return getServerSession(...requestWith(`${sessionCookie}=${jar.get(sessionCookie)}`), given)
}

test("outside production, getServerSession needs no secret", async () => {
  const { secret: _, ...given } = options
  expect(await sessionOf(given)).toMatchObject({ user: { name: "Ada" } })
})

test("in production, AUTH_SECRET is the secret of an application that has no other", async () => {
  vi.stubEnv("NODE_ENV", "production")
  vi.stubEnv("AUTH_SECRET", secret)
  const { secret: _, ...given } = options
  expect(await sessionOf(given)).toMatchObject({ user: { name: "Ada" } })
  vi.stubEnv("NEXTAUTH_SECRET", `${secret}!`)
  const jar: Jar = new Map()
  await signIn({ ...given }, jar)
  const token = jar.get(sessionCookie) ?? ""
  expect(await decode({ token, secret: `${secret}!` })).toMatchObject({ name: "Ada" })
})
