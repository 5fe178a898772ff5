import NextAuth, { type NextAuthRequest, type RouteContext, type Session } from "@latchkey/next"
import type {
  GetServerSideProps,
  GetServerSidePropsContext,
  NextApiHandler,
  NextApiRequest,
  NextApiResponse,
} from "next"
import type { NextFetchEvent, NextMiddleware, NextProxy, NextRequest } from "next/server.js"
import { expectTypeOf, test } from "vitest"

const { handlers, auth, csrfToken, requireSession, signIn, signOut, update, unstable_update } = NextAuth({
  providers: [],
})

declare const request: NextRequest
declare const event: NextFetchEvent

test("auth() returns the session of the current request", () => {
  expectTypeOf(auth()).toEqualTypeOf<Promise<Session | null>>()
  expectTypeOf(requireSession()).toEqualTypeOf<Promise<Session>>()
  expectTypeOf(requireSession({ redirectTo: "/orders" })).toEqualTypeOf<Promise<Session>>()
})

test("with `maxAge` or `level`, there is a session", () => {
  expectTypeOf(auth({ maxAge: "5m", level: 2 })).toEqualTypeOf<Promise<Session>>()
  expectTypeOf(auth({ maxAge: 300, redirectTo: "/orders" })).toEqualTypeOf<Promise<Session>>()
  expectTypeOf(requireSession({ maxAge: "12h" })).toEqualTypeOf<Promise<Session>>()
  const wrapped = auth({ level: 2 }, async (request, { params }: { params: Promise<{ id: string }> }) => {
    expectTypeOf(request).toEqualTypeOf<NextAuthRequest<Session>>()
    return Response.json((await params).id)
  })
  expectTypeOf(wrapped).toExtend<
    (request: NextRequest, context: { params: Promise<{ id: string }> }) => Promise<Response>
  >()
  // @ts-expect-error there is no such unit
  auth({ maxAge: "5 minutes" })
  // @ts-expect-error there is no such level
  auth({ level: 3 })
})

test("csrfToken() returns the token of the current request", () => {
  expectTypeOf(csrfToken).toEqualTypeOf<() => Promise<string>>()
})

test("auth is a middleware and a proxy", () => {
  expectTypeOf(auth).toExtend<NextMiddleware>()
  expectTypeOf(auth).toExtend<NextProxy>()
  expectTypeOf(auth(request, event)).toEqualTypeOf<Promise<Response>>()
})

test("auth wraps a middleware", () => {
  const wrapped = auth((request) => {
    expectTypeOf(request).toEqualTypeOf<NextAuthRequest<Session>>()
    expectTypeOf(request.auth).toEqualTypeOf<Session | null>()
    expectTypeOf(request.nextUrl.pathname).toEqualTypeOf<string>()
  })
  expectTypeOf(wrapped).toExtend<NextMiddleware>()
  expectTypeOf(wrapped).toExtend<NextProxy>()
  const withEvent = auth(async (request, next: NextFetchEvent) => {
    next.waitUntil(Promise.resolve(request.auth))
    return undefined
  })
  expectTypeOf(withEvent).toExtend<NextMiddleware>()
})

test("auth wraps a Route Handler, which gets its params", () => {
  const plain = auth((request) => Response.json(request.auth))
  expectTypeOf(plain).toExtend<
    (request: NextRequest, context: { params: Promise<{ slug: string[] }> }) => Promise<Response>
  >()
  auth(async (_, { params }) => {
    expectTypeOf(await params).toBeAny()
  })
  const typed = auth(async (_, { params }: { params: Promise<{ id: string }> }) => Response.json((await params).id))
  expectTypeOf(typed).toExtend<
    (request: NextRequest, context: { params: Promise<{ id: string }> }) => Promise<Response>
  >()
  const inNext14 = auth((_, { params }: { params: { id: string } }) => Response.json(params.id))
  expectTypeOf(inNext14).toExtend<(request: NextRequest, context: { params: { id: string } }) => Promise<Response>>()
})

test("Next.js 15, which checks the second parameter of a route export, finds a context there", () => {
  type Second<F> = F extends (...parameters: [never, infer C]) => unknown ? C : never
  const plain = auth((request) => Response.json(request.auth))
  const typed = auth(async (_, { params }: { params: Promise<{ id: string }> }) => Response.json(await params))
  expectTypeOf<Second<typeof plain>>().toEqualTypeOf<RouteContext>()
  expectTypeOf<Second<typeof typed>>().toEqualTypeOf<{ params: Promise<{ id: string }> }>()
})

test("auth reads the session in API Routes and getServerSideProps", () => {
  const route: NextApiHandler = async (req, res) => {
    expectTypeOf(auth(req, res)).toEqualTypeOf<Promise<Session | null>>()
    res.end()
  }
  expectTypeOf(route).toBeCallableWith({} as NextApiRequest, {} as NextApiResponse)
  const props: GetServerSideProps<{ session: Session | null }> = async (context) => ({
    props: { session: await auth(context) },
  })
  expectTypeOf(props).toBeCallableWith({} as GetServerSidePropsContext)
  const apart: GetServerSideProps<{ session: Session | null }> = async ({ req, res }) => ({
    props: { session: await auth(req, res) },
  })
  expectTypeOf(apart).toBeCallableWith({} as GetServerSidePropsContext)
  // @ts-expect-error: the response is missing
  void auth({} as NextApiRequest)
})

test("handlers are Route Handlers", () => {
  expectTypeOf(handlers).toExtend<Record<"GET" | "POST", (request: NextRequest) => Promise<Response>>>()
  expectTypeOf(handlers.GET(request)).toEqualTypeOf<Promise<Response>>()
})

test("signIn and signOut never return, or return the URL with redirect: false", () => {
  expectTypeOf(signIn()).toEqualTypeOf<Promise<never>>()
  expectTypeOf(signIn("github", { redirectTo: "/" }, { prompt: "login" })).toEqualTypeOf<Promise<never>>()
  expectTypeOf(signIn("github", { redirect: true })).toEqualTypeOf<Promise<never>>()
  expectTypeOf(signIn("github", { redirect: false })).toEqualTypeOf<Promise<string>>()
  expectTypeOf(signIn("email", { email: "ada@site.test", redirect: false })).toEqualTypeOf<Promise<string>>()
  expectTypeOf(signIn("credentials", new FormData())).toEqualTypeOf<Promise<never>>()
  expectTypeOf(signIn("github", {}, new URLSearchParams())).toEqualTypeOf<Promise<never>>()
  expectTypeOf(signIn("github", {}, [["a", "b"]])).toEqualTypeOf<Promise<never>>()
  expectTypeOf(signIn("github", {}, "a=b")).toEqualTypeOf<Promise<never>>()
  expectTypeOf(signOut()).toEqualTypeOf<Promise<never>>()
  expectTypeOf(signOut({ redirectTo: "/bye" })).toEqualTypeOf<Promise<never>>()
  expectTypeOf(signOut({ redirect: false })).toEqualTypeOf<Promise<string>>()
  // @ts-expect-error: the provider id is a string
  void signIn(1)
  // @ts-expect-error: redirectTo is a string
  void signIn("github", { redirectTo: 1 })
})

test("update and unstable_update take part of a session, or any other object", () => {
  expectTypeOf(update({ user: { name: "Grace" } })).toEqualTypeOf<Promise<Session | null>>()
  expectTypeOf(update({ cart: 3 })).toEqualTypeOf<Promise<Session | null>>()
  expectTypeOf(unstable_update).toEqualTypeOf<typeof update>()
  const session: Partial<Session> = { user: { name: "Grace" } }
  void update(session)
  // @ts-expect-error: data is an object
  void update("Grace")
})
