import NextAuth, { type NextAuthConfig } from "@latchkey/next"
import credentials from "@latchkey/next/providers/credentials"
import { frozenClock } from "@latchkey/testing"
import type { GetServerSidePropsContext } from "next"
import { NextRequest, NextResponse } from "next/server.js"
import { ServerResponse } from "node:http"
import { expect } from "vitest"
import { attack, type Mode } from "../../../../tests/attack.js"

const origin = "https://app.test"
// The middleware doesn't use the event.
const event = undefined as never

/** A user whose session is due for renewal. */
async function due(security: Mode, rest: Partial<NextAuthConfig> = {}) {
  const clock = frozenClock()
  const next = NextAuth({
    secret: "k0Wc5v2uYl1u8mQ7o3nT9xZ4hB6sD1fGp2RjE8tLqVw",
    url: `${origin}/api/auth`,
    runtime: clock.runtime,
    security,
    providers: [credentials({ credentials: { name: {} }, authorize: ({ name }) => ({ id: "1", name: String(name) }) })],
    ...rest,
  })
  const csrf = await next.handlers.GET(new NextRequest(`${origin}/api/auth/csrf`))
  const { csrfToken } = (await csrf.json()) as { csrfToken: string }
  const form = {
    method: "POST",
    headers: { cookie: cookiesOf(csrf) },
    body: new URLSearchParams({ csrfToken, name: "a" }),
  }
  const response = await next.handlers.POST(new NextRequest(`${origin}/api/auth/callback/credentials`, form))
  const cookie = cookiesOf(response)
  const visit = () => new NextRequest(`${origin}/blog`, { headers: { cookie } })
  return { auth: next.auth, cookie, visit, renew: () => clock.advance({ days: 2 }) }
}

function cookiesOf({ headers }: Response): string {
  return headers
    .getSetCookie()
    .map((line) => line.split(";", 1)[0] ?? "")
    .filter((pair) => !pair.endsWith("="))
    .join("; ")
}

const shared = {
  "cache-control": "public, s-maxage=3600",
  "cdn-cache-control": "max-age=3600",
  "vercel-cdn-cache-control": "max-age=3600",
  vary: "Accept-Encoding",
}

function expectUncacheable({ headers }: Pick<Response, "headers">): void {
  expect(headers.getSetCookie()).toEqual([expect.stringMatching(/authjs\.session-token=ey/)])
  expect([headers.get("cache-control"), headers.get("vary")]).toEqual([
    "private, no-store",
    expect.stringMatching(/(?:^|, )Cookie$/),
  ])
  expect([headers.has("cdn-cache-control"), headers.has("vercel-cdn-cache-control")]).toEqual([false, false])
}

attack("CACHE-02", "no cache stores a response on which the middleware renews a session", async (mode) => {
  const responses: readonly (() => Response | undefined)[] = [
    () => undefined,
    () => NextResponse.next({ headers: shared }),
    () => NextResponse.rewrite(`${origin}/other`, { headers: shared }),
    () => NextResponse.redirect(`${origin}/other`, { headers: shared }),
    () => Response.redirect(`${origin}/other`),
    () => new Response("page", { headers: shared }),
    () => NextResponse.json({}, { headers: shared }),
  ]
  for (const respond of responses) {
    const { auth, visit, renew } = await due(mode)
    const fresh = await auth(respond)(visit(), event)
    expect(fresh.headers.getSetCookie()).toEqual([])
    expect(fresh.headers.get("cache-control")).toBe(respond()?.headers.get("cache-control") ?? null)
    renew()
    expectUncacheable(await auth(respond)(visit(), event))
  }
  const allowed = await due(mode, { callbacks: { authorized: () => true } })
  allowed.renew()
  expectUncacheable(await allowed.auth(allowed.visit(), event))
  const answered = await due(mode, { callbacks: { authorized: () => new Response("no", { headers: shared }) } })
  answered.renew()
  expectUncacheable(await answered.auth(answered.visit(), event))
})

attack(
  "CACHE-02",
  "no cache stores a page or API response of the Pages Router with a renewed session",
  async (mode) => {
    const { auth, cookie, renew } = await due(mode)
    renew()
    const req = { headers: { cookie, host: "app.test" } }
    const res = new ServerResponse({ method: "GET", httpVersionMajor: 1, httpVersionMinor: 1 } as never)
    for (const [name, value] of Object.entries(shared)) res.setHeader(name, value)
    const context = { req, res } as unknown as GetServerSidePropsContext
    await auth(context)
    res.setHeader("Cache-Control", "public, s-maxage=10, stale-while-revalidate=59")
    res.writeHead(200)
    const headers = new Headers(
      Object.entries(res.getHeaders()).flatMap(([name, value]) =>
        [value ?? []].flat().map((one): [string, string] => [name, String(one)]),
      ),
    )
    expectUncacheable({ headers })
    const plain = new Response(null, { headers: shared })
    await auth({ req: { headers: { cookie } }, res: plain } as unknown as GetServerSidePropsContext)
    expectUncacheable(plain)
  },
)
