import NextAuth from "@latchkey/next"
import credentials from "@latchkey/next/providers/credentials"
import { frozenClock } from "@latchkey/testing"
import type { GetServerSidePropsContext } from "next"
import { NextRequest } from "next/server.js"
import { expect, test } from "vitest"

const origin = "http://app.test"

/** A user whose session is due for renewal. */
async function signedIn() {
  const clock = frozenClock()
  const { handlers, auth } = NextAuth({
    secret: "k0Wc5v2uYl1u8mQ7o3nT9xZ4hB6sD1fGp2RjE8tLqVw",
    url: `${origin}/api/auth`,
    runtime: clock.runtime,
    providers: [credentials({ credentials: { name: {} }, authorize: ({ name }) => ({ id: "1", name: String(name) }) })],
  })
  const csrf = await handlers.GET(new NextRequest(`${origin}/api/auth/csrf`))
  const { csrfToken } = (await csrf.json()) as { csrfToken: string }
  const response = await handlers.POST(
    new NextRequest(`${origin}/api/auth/callback/credentials`, {
      method: "POST",
      headers: { cookie: cookiesOf(csrf) },
      body: new URLSearchParams({ csrfToken, name: "ada" }),
    }),
  )
  clock.advance({ days: 2 })
  return { auth, cookie: cookiesOf(response) }
}

function cookiesOf({ headers }: Response): string {
  return headers
    .getSetCookie()
    .map((line) => line.split(";", 1)[0] ?? "")
    .filter((pair) => !pair.endsWith("="))
    .join("; ")
}

test.each([
  ["an object", (cookie: string) => ({ cookie })],
  ["`Headers`", (cookie: string) => new Headers({ cookie })],
])("`auth` reads the session of a request without a socket whose headers are %s", async (_, headersOf) => {
  const { auth, cookie } = await signedIn()
  const response = new Response()
  const context = { req: { headers: headersOf(cookie) }, res: response }
  const session = await auth(context as unknown as GetServerSidePropsContext)
  expect(session).toMatchObject({ user: { name: "ada" } })
  expect(response.headers.getSetCookie()).toEqual([expect.stringMatching(/^authjs\.session-token=/)])
})

test("`auth(context.req, context.res)` reads and renews the session like `auth(context)`", async () => {
  const { auth, cookie } = await signedIn()
  const res = new Response()
  const { req, res: response } = { req: { headers: { cookie } }, res } as unknown as GetServerSidePropsContext
  expect(await auth(req, response)).toMatchObject({ user: { name: "ada" } })
  expect(res.headers.getSetCookie()).toEqual([expect.stringMatching(/^authjs\.session-token=/)])
})
