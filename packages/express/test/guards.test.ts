import { createAuth, type ExpressAuthConfig } from "@latchkey/express"
import credentials from "@latchkey/express/providers/credentials"
import { captureLog, frozenClock } from "@latchkey/testing"
import type { Express } from "express"
import { describe, expect, test } from "vitest"
import { expressOf, majors } from "./majors.js"
import { serve, talk } from "./served.js"
import { visit } from "./visitor.js"

const config = {
  secret: "k0Wc5v2uYl1u8mQ7o3nT9xZ4hB6sD1fGp2RjE8tLqVw",
  trustHost: true,
  logger: captureLog().logger,
  pages: { signIn: "/login" },
  providers: [credentials({ credentials: { name: {} }, authorize: () => null })],
} satisfies ExpressAuthConfig

describe.each(majors)("in Express %s", (major) => {
  const express = expressOf(major)

  function application(): Express {
    const auth = createAuth(config)
    const app = express().use(auth.routes)
    app.get("/tools", auth.protect, (_, res) => void res.send("secret"))
    app.get("/login", (_, res) => void res.send("sign-in page"))
    app.use(auth.protect)
    app.use("/graphql", (_, res) => void res.send("secret"))
    app.all("/users/:id", (_, res) => void res.send("secret"))
    app.use("/admin", (_, res) => void res.send("secret"))
    app.all(/\/reports\//, (_, res) => void res.send("secret"))
    return app
  }

  /** `request` of Node would resolve the path. */
  async function send(target: string, method = "GET"): Promise<string> {
    const headers = "Host: app.test\r\nAccept: text/html\r\nSec-Fetch-Mode: navigate\r\nConnection: close"
    return talk(await serve(application()), `${method} ${target} HTTP/1.1\r\n${headers}\r\n\r\n`)
  }

  test.each([
    ["POST", "/graphql/../login"],
    ["POST", "/graphql/%2e%2e/login"],
    ["GET", "/users/42\\..\\..\\login"],
    ["GET", "http://app.test/graphql/../login"],
    ["GET", "javascript://reports/login"],
    ["POST", "http://x%2freports%2f/login"],
    ["GET", "http://x;reports/login"],
    ["DELETE", "reports/login"],
  ])("%s %s is refused, because Express doesn't resolve it", async (method, target) => {
    const answer = await send(target, method)
    expect(answer).toMatch(/^HTTP\/1\.1 400 /)
    expect(answer).not.toContain("secret")
  })

  test.each([
    "/%61dmin",
    "//admin",
    "/ADMIN",
    "/admin/",
    "/admin;x",
    "/admin.",
    "/admin%2f..",
    "/admin/%2e",
    "/graphql",
  ])("no protected handler runs for %s", async (target) => {
    expect(await send(target)).not.toContain("secret")
  })

  test("the sign-in page is open to everyone", async () => {
    for (const target of ["/login", "/login/", "/login?a=/../b", "http://app.test:80/login"])
      expect(await send(target)).toContain("sign-in page")
  })

  test("a guard of a handler asks for a session, whatever its path", async () => {
    const auth = createAuth({ ...config, pages: { signIn: "/tools" } })
    const app = express().use(auth.routes)
    app.get("/tools", auth.protect, (_, res) => void res.send("secret"))
    const answer = await visit(await serve(app)).ask("/tools")
    expect(answer).toMatchObject({ status: 401 })
  })

  test("the way back from a path of several slashes stays on the site", async () => {
    const answer = await send("//evil.example/x")
    expect(answer).toMatch(/^location: \/login\?callbackUrl=%2Fevil\.example%2Fx\r$/im)
  })
})

describe.each(majors)("an address behind proxies in Express %s", (major) => {
  /** The status of a wrong password after the limit of the address is used up, and three seconds later. */
  async function afterLimit(trust: boolean | number | string): Promise<unknown> {
    const clock = frozenClock()
    const limits = { credentials: { address: { points: 2, seconds: 60 } } }
    const secret = `${config.secret}-${major}-${trust}`
    const auth = createAuth({ ...config, secret, pages: {}, runtime: clock.runtime, rateLimit: { limits } })
    const app = expressOf(major)().set("trust proxy", trust).use(auth.routes)
    const visitor = visit(`${await serve(app)}/auth`, { "x-forwarded-for": "203.0.113.1" })
    for (const name of ["a", "b", "c"]) await visitor.post("/callback/credentials", { name })
    clock.advance({ seconds: 3 })
    return (await visitor.post("/callback/credentials", { name: "d" })).status
  }

  test.each([
    ["true", true, 302],
    ["one proxy", 1, 429],
    ["more proxies than there are", 2, 302],
    ["known proxies", "loopback", 429],
  ])("counts as certain only if the setting says who the proxies are: %s", async (_, trust, expected) => {
    expect(await afterLimit(trust)).toBe(expected)
  })
})
