import NextAuth, { type NextAuthConfig } from "@latchkey/next"
import credentials from "@latchkey/next/providers/credentials"
import { captureLog } from "@latchkey/testing"
import { NextRequest } from "next/server.js"
import { expect, test, vi } from "vitest"

const origin = "https://app.test"

test("a second instance of a configuration gets the token that the first one refreshed, and the browser doesn't", async () => {
  const refresh = vi.fn<() => string>(() => "fresh")
  const config = {
    secret: "k0Wc5v2uYl1u8mQ7o3nT9xZ4hB6sD1fGp2RjE8tLqVw",
    url: `${origin}/api/auth`,
    logger: captureLog().logger,
    providers: [credentials({ credentials: { name: {} }, authorize: ({ name }) => ({ id: "1", name: String(name) }) })],
    callbacks: {
      jwt({ token, account }) {
        if (account) return { ...token, accessToken: "stale" }
        return token["accessToken"] === "stale" ? { ...token, accessToken: refresh() } : token
      },
    },
  } satisfies NextAuthConfig
  const { auth, handlers } = NextAuth(config)
  const { auth: authWithToken } = NextAuth({
    ...config,
    callbacks: { ...config.callbacks, session: ({ session, token }) => ({ ...session, token: token["accessToken"] }) },
  })

  const csrf = await handlers.GET(new NextRequest(`${origin}/api/auth/csrf`))
  const { csrfToken } = (await csrf.json()) as { csrfToken: string }
  const signedIn = await handlers.POST(
    new NextRequest(`${origin}/api/auth/callback/credentials`, {
      method: "POST",
      headers: { cookie: cookiesOf(csrf) },
      body: new URLSearchParams({ csrfToken, name: "ada" }),
    }),
  )
  const page = () => new NextRequest(`${origin}/calendars`, { headers: { cookie: cookiesOf(signedIn) } })

  const withToken = authWithToken((request) => Response.json(request.auth))
  const withoutToken = auth((request) => Response.json(request.auth))
  const responses = await Promise.all([withToken(page()), withoutToken(page()), withToken(page())])
  const sessions: unknown[] = await Promise.all(responses.map((response) => response.json()))

  expect(sessions).toMatchObject([{ token: "fresh" }, { user: { name: "ada" } }, { token: "fresh" }])
  expect(sessions[1]).not.toHaveProperty("token")
  expect(refresh).toHaveBeenCalledTimes(1)
})

function cookiesOf(response: Response): string {
  return response.headers
    .getSetCookie()
    .map((line) => line.split(";", 1)[0] ?? "")
    .filter((pair) => !pair.endsWith("="))
    .join("; ")
}
