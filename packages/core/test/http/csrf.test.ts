import { createHash } from "node:crypto"
import { describe, expect, test } from "vitest"
import { Auth, skipCSRFCheck } from "@latchkey/core"
import credentials from "@latchkey/core/providers/credentials"
import vectors from "../jwt/vectors.json" with { type: "json" }
import { strongSecret } from "../modes/setup.js"
import { app, cookieNames, csrfCookie, csrfPair, location, op, origin, secret, setCookies, typed } from "./app.js"

const protectedRoutes = ["signin", `signin/${op.id}`, "signout", "callback/credentials"]

describe("a form without a valid token", () => {
  const { token: foreign, cookie: foreignCookie } = {
    token: "a".repeat(64),
    cookie: `${csrfCookie}=${"a".repeat(64)}%7C${"b".repeat(64)}`,
  }
  const cases = [
    ["no token and no cookie", undefined, undefined],
    ["a token without its cookie", foreign, undefined],
    ["a cookie whose hash is wrong", foreign, foreignCookie],
    ["a cookie without hash", foreign, `${csrfCookie}=${foreign}`],
    ["a cookie with a third part", foreign, `${foreignCookie}%7Cc`],
    ["an empty token in an empty cookie", "", `${csrfCookie}=%7C${createHash("sha256").update(secret).digest("hex")}`],
  ] as const
  test.each(protectedRoutes.flatMap((route) => cases.map((each) => [route, ...each] as const)))(
    "POST %s with %s redirects to the sign-in page and sets no cookie",
    async (route, _, token, cookie) => {
      const { send } = app({ providers: [op.provider(), typed] })
      const body = new URLSearchParams(token === undefined ? {} : { csrfToken: token })
      const response = await send(`/auth/${route}`, {
        method: "POST",
        body,
        headers: cookie === undefined ? {} : { cookie },
      })
      expect(location(response)).toBe(`${origin}/auth/signin?error=MissingCSRF`)
      expect(cookieNames(response)).toEqual([])
    },
  )

  test("POST session answers 400 with null", async () => {
    const response = await app().send("/auth/session", { method: "POST" })
    expect([response.status, await response.json(), cookieNames(response)]).toEqual([400, null, []])
  })

  test("a token in the query is ignored", async () => {
    const { send } = app()
    const { token, cookie } = await csrfPair(send)
    const response = await send(`/auth/signout?csrfToken=${token}`, { method: "POST", headers: { cookie } })
    expect(location(response)).toContain("MissingCSRF")
  })
})

describe("the token", () => {
  test("has a cookie with the token and the hash of token and secret", async () => {
    const { send } = app()
    const { token, cookie } = await csrfPair(send)
    const hash = createHash("sha256")
      .update(token + secret)
      .digest("hex")
    expect(cookie).toBe(`${csrfCookie}=${token}%7C${hash}`)
  })

  test("is reused while its cookie is valid", async () => {
    const { send, get } = app()
    const { token, cookie } = await csrfPair(send)
    const again = await get("/auth/csrf", { cookie })
    expect([await again.json(), cookieNames(again)]).toEqual([{ csrfToken: token }, []])
  })

  test("is replaced if its cookie is forged", async () => {
    const again = await app().get("/auth/csrf", { cookie: `${csrfCookie}=${"a".repeat(64)}|${"b".repeat(64)}` })
    expect(cookieNames(again)).toEqual([csrfCookie])
  })

  test("is cleared by a sign-in", async () => {
    const response = await app().post("/auth/callback/credentials", { name: "ada", password: "open" })
    const cleared = setCookies(response).filter((line) => line.startsWith(`${csrfCookie}=;`))
    expect(cleared).toEqual([`${csrfCookie}=; Max-Age=0; Path=/; HttpOnly; Secure; SameSite=Lax`])
  })

  test.each(vectors.csrf)("that Auth.js issued is accepted (%#)", async ({ secret, csrfToken, cookieValue }) => {
    const { send } = app({ secret })
    const headers = { cookie: `${csrfCookie}=${encodeURIComponent(cookieValue)}` }
    const response = await send("/auth/signout", {
      method: "POST",
      headers,
      body: new URLSearchParams({ csrfToken }),
    })
    expect(location(response)).toBe(origin)
  })

  test("is valid while its secret is listed", async () => {
    const { token, cookie } = await csrfPair(app().send)
    const post = async (secrets: string | string[]) =>
      app({ secret: secrets }).send("/auth/signout", {
        method: "POST",
        headers: { cookie },
        body: new URLSearchParams({ csrfToken: token }),
      })
    const other = [...secret].toReversed().join("")
    expect(location(await post([other, secret]))).toBe(origin)
    expect(location(await post(other))).toContain("MissingCSRF")
  })
})

describe("the Fetch Metadata and Origin headers", () => {
  test.each([
    ["cross-site", { "sec-fetch-site": "cross-site", origin: "https://evil.test" }, false],
    ["cross-site by its word alone", { "sec-fetch-site": "cross-site" }, false],
    ["same-origin", { "sec-fetch-site": "same-origin", origin }, true],
    ["same-site", { "sec-fetch-site": "same-site", origin: "https://www.app.test" }, false],
    ["typed in", { "sec-fetch-site": "none" }, true],
    ["a foreign origin without Fetch Metadata", { origin: "https://evil.test" }, false],
    ["a hidden origin", { origin: "null" }, false],
    ["a hidden origin of this site", { origin: "null", "sec-fetch-site": "same-origin" }, true],
    ["a hidden origin of another site", { origin: "null", "sec-fetch-site": "cross-site" }, false],
    ["an origin that is no URL", { origin: "%" }, false],
    ["our origin", { origin }, true],
    ["nothing", {}, true],
  ])("a valid token with %s is accepted: %s", async (_, headers, accepted) => {
    const response = await app().post("/auth/signout", {}, headers)
    expect(location(response)).toBe(accepted ? origin : `${origin}/auth/signin?error=MissingCSRF`)
  })
})

describe("with skipCSRFCheck", () => {
  const open = () => app({ skipCSRFCheck })

  test("GET csrf is 404 without a body, clears the cookie and logs a warning", async () => {
    const { get, log } = open()
    const response = await get("/auth/csrf")
    expect([response.status, await response.text()]).toEqual([404, ""])
    expect(setCookies(response)).toEqual([`${csrfCookie}=; Max-Age=0; Path=/; HttpOnly; Secure; SameSite=Lax`])
    expect(log.entries.map(({ message }) => message)).toContain("csrf-disabled")
  })

  test("no token is required, and pages set no cookie", async () => {
    const { send, get } = open()
    expect(location(await send("/auth/signout", { method: "POST" }))).toBe(origin)
    expect(cookieNames(await get("/auth/signin"))).toEqual([])
  })

  test.each([
    { "sec-fetch-site": "cross-site" },
    { "sec-fetch-site": "same-site" },
    { origin: "https://evil.test" },
    { origin: "null" },
  ])("a request with %o is still refused", async (headers) => {
    const response = await open().send("/auth/signout", { method: "POST", headers })
    expect(location(response)).toContain("MissingCSRF")
  })
})

test.each(["compatible", "strict"] as const)(
  "over plain http, a script that sends neither `Origin` nor `Sec-Fetch-Site` can use its token (%s)",
  async (security) => {
    const config = {
      secret: strongSecret,
      url: "http://localhost:3000",
      security,
      providers: [credentials({ credentials: { name: {} }, authorize: ({ name }) => ({ id: String(name) }) })],
    }
    const issued = await Auth(new Request("http://localhost:3000/auth/csrf"), config)
    const { csrfToken } = (await issued.json()) as { csrfToken: string }
    const headers = { cookie: issued.headers.getSetCookie()[0]?.split(";", 1)[0] ?? "" }
    const body = new URLSearchParams({ csrfToken, name: "ada" })
    const request = new Request("http://localhost:3000/auth/callback/credentials", { method: "POST", headers, body })
    expect((await Auth(request, config)).headers.get("location")).toBe("http://localhost:3000")
  },
)
