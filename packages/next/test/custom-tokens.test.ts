import NextAuth from "@latchkey/next"
import { captureLog } from "@latchkey/testing"
import { NextRequest } from "next/server.js"
import { afterEach, expect, test, vi } from "vitest"

const secret = "k0Wc5v2uYl1u8mQ7o3nT9xZ4hB6sD1fGp2RjE8tLqVw"
const newer = "p2RjE8tLqVwk0Wc5v2uYl1u8mQ7o3nT9xZ4hB6sD1fG"

afterEach(() => vi.unstubAllEnvs())

test.each([
  ["AUTH_SECRET is text", { AUTH_SECRET: secret }, {}, secret],
  ["NEXTAUTH_SECRET is text", { NEXTAUTH_SECRET: secret }, {}, secret],
  ["AUTH_SECRET with a newer one is a list", { AUTH_SECRET: secret, AUTH_SECRET_1: newer }, {}, [newer, secret]],
  ["a list in the configuration is a list", { AUTH_SECRET: newer }, { secret: [secret] }, [secret]],
])("for a custom `jwt.decode`, %s", async (_, variables, options, expected) => {
  for (const name of ["AUTH_SECRET", "AUTH_SECRET_1", "NEXTAUTH_SECRET"]) vi.stubEnv(name, undefined)
  for (const [name, value] of Object.entries(variables)) vi.stubEnv(name, value)
  const seen: unknown[] = []
  const decode = (params: { secret: string | readonly string[] }) => {
    seen.push(params.secret)
    return { sub: "1", name: "ada" }
  }
  const { auth, handlers } = NextAuth({
    ...options,
    url: "https://app.test",
    logger: captureLog().logger,
    providers: [],
    jwt: { encode: () => "own", decode },
  })
  const request = (path: string) =>
    new NextRequest(`https://app.test${path}`, { headers: { cookie: "__Secure-authjs.session-token=own" } })
  await auth((page) => Response.json(page.auth))(request("/"), undefined as never)
  await handlers.GET(request("/api/auth/session"))
  expect(seen).toEqual([expected, expected])
})
