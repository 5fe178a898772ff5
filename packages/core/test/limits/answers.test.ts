import { describe, expect, test } from "vitest"
import { RateLimited } from "@latchkey/core/errors"
import { createServer } from "@latchkey/core/server"
import { Auth, raw } from "@latchkey/core"
import { logged, visitor } from "../server/setup.js"
import { csrfPair, origin } from "../http/app.js"
import { type Site, site, tally } from "./setup.js"

async function exhausted(given: Parameters<typeof site>[0] = {}): Promise<Site> {
  const its = site({ rateLimit: { limits: { credentials: { identifier: { points: 1, seconds: 90 } } } }, ...given })
  await its.tryPassword("ada")
  its.clock.advance({ seconds: 30.5 })
  return its
}

const path = "/auth/callback/credentials"

describe("over the limit", () => {
  test.each([{ "x-auth-return-redirect": "1" }, { accept: "application/json, text/plain, */*" }])(
    "a script (%j) gets 429 as JSON with `Retry-After`",
    async (headers) => {
      const response = await (await exhausted()).tryPassword("ada", "open", { headers })
      expect(response.status).toBe(429)
      expect(response.headers.get("retry-after")).toBe("60")
      expect(response.headers.get("content-type")).toBe("application/json")
      expect(await response.json()).toEqual({ url: "https://app.test/auth/signin?error=RateLimited" })
    },
  )

  test("a browser gets the sign-in page with status 429, the reason and a working form", async () => {
    const its = await exhausted()
    const response = await its.post(path, { username: "ada", password: "open", callbackUrl: "/there" })
    const html = await response.text()
    expect([response.status, response.headers.get("retry-after")]).toEqual([429, "60"])
    expect(response.headers.get("content-type")).toBe("text/html; charset=utf-8")
    expect(response.headers.get("cache-control")).toContain("no-store")
    expect(html).toContain("Too many attempts. Try again later.")
    expect(html).toMatch(/name="callbackUrl" value="https:\/\/app\.test\/there"/)
    expect(html).toMatch(/name="csrfToken" value="\w+/)
    expect(html).not.toContain('"open"')
  })

  test("a configured sign-in page is redirected to with the code", async () => {
    const its = await exhausted({ pages: { signIn: "/login?from=app" } })
    const response = await its.tryPassword("ada")
    expect([response.status, response.headers.get("retry-after")]).toEqual([302, "60"])
    expect(response.headers.get("location")).toBe("https://app.test/login?from=app&error=RateLimited")
  })

  test("a warning without the user name is logged, and `signInFailure` is sent", async () => {
    const its = await exhausted()
    const before = its.log.entries.length
    await its.tryPassword("ada-lovelace")
    await its.tryPassword("ada-lovelace")
    const refused = its.log.entries.slice(before).filter(({ text }) => text.includes("attempts"))
    expect(refused.map(({ level, message }) => [level, message])).toEqual([["warn", "rate-limited"]])
    expect(its.log.entries.some(({ text }) => text.includes("lovelace"))).toBe(false)
    expect(its.failures).toEqual(["CredentialsSignin", "CredentialsSignin", "RateLimited"])
  })

  test("a message that is not sent causes `signInFailure`, and no token is stored", async () => {
    const its = site({ rateLimit: { limits: { email: { identifier: { points: 1, seconds: 90 } } } } })
    await its.askForLink("ada@app.test")
    const response = await its.askForLink("ada@app.test")
    expect([response.status, its.failures, its.mailed.length]).toEqual([429, ["RateLimited"], 1])
    expect(its.adapter.rows().verificationTokens).toHaveLength(1)
  })

  test("`signIn` of the server throws RateLimited with the seconds to wait", async () => {
    const { config } = logged({ rateLimit: { limits: { credentials: { identifier: { points: 1, seconds: 90 } } } } })
    const server = createServer(config)
    const signIn = async () => server.signIn(visitor(), "credentials", { name: "ada", code: "shut" })
    await expect(signIn()).rejects.toThrow("accept the credentials")
    const error: unknown = await signIn().catch((thrown: unknown) => thrown)
    expect(error).toBeInstanceOf(RateLimited)
    expect(error).toMatchObject({ type: "RateLimited", kind: "signIn", cause: { action: "credentials" } })
    expect(error).toHaveProperty("retryAfter", 90)
  })

  test("`signIn` of the server counts by the address that the integration passes", async () => {
    const { config } = logged({ rateLimit: { limits: { credentials: { address: { points: 1, seconds: 90 } } } } })
    const server = createServer(config)
    const signIn = async (name: string, address: string) =>
      server.signIn({ ...visitor(), address }, "credentials", { name, code: "shut" }).catch((error: unknown) => error)
    expect(await signIn("ada", "203.0.113.7")).not.toBeInstanceOf(RateLimited)
    expect(await signIn("bob", "203.0.113.7")).toBeInstanceOf(RateLimited)
    expect(await signIn("bob", "203.0.113.8")).not.toBeInstanceOf(RateLimited)
  })

  test("with `raw` the status is returned as data", async () => {
    const { config } = logged({ rateLimit: { limits: { credentials: { identifier: { points: 1, seconds: 90 } } } } })
    const bare = Object.freeze({ ...config, raw } as const)
    const { token, cookie } = await csrfPair(async (at) => Auth(new Request(origin + at), config))
    const ask = async () =>
      Auth(
        new Request(`${origin}${path}`, {
          method: "POST",
          headers: { "x-auth-return-redirect": "1", cookie },
          body: new URLSearchParams({ csrfToken: token, name: "ada", code: "shut" }),
        }),
        bare,
      )
    await ask()
    const answer = await ask()
    expect(answer).toMatchObject({ status: 429, redirect: `${origin}/auth/signin?error=RateLimited` })
    expect(answer.headers?.get("retry-after")).toBe("90")
  })
})

test("reading the session is never counted", async () => {
  const its = await exhausted()
  expect(await tally(100, () => its.get("/auth/session"))).toEqual({ 200: 100 })
})
