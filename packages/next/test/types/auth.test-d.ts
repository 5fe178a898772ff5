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

const { handlers, auth, requireSession, signIn, signOut, update, unstable_update } = NextAuth({ providers: [] })

declare const request: NextRequest
declare const event: NextFetchEvent

test("without arguments it is the session of the present request", () => {
  expectTypeOf(auth()).toEqualTypeOf<Promise<Session | null>>()
  expectTypeOf(requireSession()).toEqualTypeOf<Promise<Session>>()
  expectTypeOf(requireSession({ redirectTo: "/orders" })).toEqualTypeOf<Promise<Session>>()
})

test("it is a middleware and a proxy", () => {
  expectTypeOf(auth).toExtend<NextMiddleware>()
  expectTypeOf(auth).toExtend<NextProxy>()
  expectTypeOf(auth(request, event)).toEqualTypeOf<Promise<Response>>()
})

test("it wraps a middleware", () => {
  const wrapped = auth((visit) => {
    expectTypeOf(visit).toEqualTypeOf<NextAuthRequest<Session>>()
    expectTypeOf(visit.auth).toEqualTypeOf<Session | null>()
    expectTypeOf(visit.nextUrl.pathname).toEqualTypeOf<string>()
  })
  expectTypeOf(wrapped).toExtend<NextMiddleware>()
  expectTypeOf(wrapped).toExtend<NextProxy>()
  const withEvent = auth(async (visit, next: NextFetchEvent) => {
    next.waitUntil(Promise.resolve(visit.auth))
    return undefined
  })
  expectTypeOf(withEvent).toExtend<NextMiddleware>()
})

test("it wraps a route handler, which gets the parameters of its route", () => {
  const plain = auth((visit) => Response.json(visit.auth))
  expectTypeOf(plain).toExtend<
    (request: NextRequest, context: { params: Promise<{ slug: string[] }> }) => Promise<Response>
  >()
  auth(async (_, { params }) => {
    expectTypeOf(await params).toEqualTypeOf<Record<string, string | string[] | undefined>>()
  })
  const typed = auth(async (_, { params }: { params: Promise<{ id: string }> }) => Response.json((await params).id))
  expectTypeOf(typed).toExtend<
    (request: NextRequest, context: { params: Promise<{ id: string }> }) => Promise<Response>
  >()
  const inNext14 = auth((_, { params }: { params: { id: string } }) => Response.json(params.id))
  expectTypeOf(inNext14).toExtend<(request: NextRequest, context: { params: { id: string } }) => Promise<Response>>()
})

test("Next.js 15, which looks at the second parameter of what a route exports, finds a context there", () => {
  type Second<F> = F extends (...parameters: [never, infer C]) => unknown ? C : never
  const plain = auth((visit) => Response.json(visit.auth))
  const typed = auth(async (_, { params }: { params: Promise<{ id: string }> }) => Response.json(await params))
  expectTypeOf<Second<typeof plain>>().toEqualTypeOf<RouteContext>()
  expectTypeOf<Second<typeof typed>>().toEqualTypeOf<{ params: Promise<{ id: string }> }>()
})

test("it reads the session in API routes and in getServerSideProps", () => {
  const route: NextApiHandler = async (req, res) => {
    expectTypeOf(auth(req, res)).toEqualTypeOf<Promise<Session | null>>()
    res.end()
  }
  expectTypeOf(route).toBeCallableWith({} as NextApiRequest, {} as NextApiResponse)
  const props: GetServerSideProps<{ session: Session | null }> = async (context) => ({
    props: { session: await auth(context) },
  })
  expectTypeOf(props).toBeCallableWith({} as GetServerSidePropsContext)
  // @ts-expect-error: an API route has a response as well
  void auth({} as NextApiRequest)
})

test("handlers are the exports of a route", () => {
  expectTypeOf(handlers).toExtend<Record<"GET" | "POST", (request: NextRequest) => Promise<Response>>>()
  expectTypeOf(handlers.GET(request)).toEqualTypeOf<Promise<Response>>()
})

test("signIn and signOut end the action, or give the address", () => {
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
  // @ts-expect-error: a provider is named by its id
  void signIn(1)
  // @ts-expect-error: an address is a text
  void signIn("github", { redirectTo: 1 })
})

test("update takes part of a session, or anything else, under both names", () => {
  expectTypeOf(update({ user: { name: "Grace" } })).toEqualTypeOf<Promise<Session | null>>()
  expectTypeOf(update({ cart: 3 })).toEqualTypeOf<Promise<Session | null>>()
  expectTypeOf(unstable_update).toEqualTypeOf<typeof update>()
  const session: Partial<Session> = { user: { name: "Grace" } }
  void update(session)
  // @ts-expect-error: data has names
  void update("Grace")
})
