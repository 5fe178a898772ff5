import NextAuth, { type NextAuthConfig, type NextAuthRequest, type Session } from "@latchkey/next"
import { expectTypeOf, test } from "vitest"

type SessionOf<F extends () => Promise<unknown>> = NonNullable<Awaited<ReturnType<F>>>

test("the session has the fields of the session callback, which gets the fields of jwt", () => {
  const { auth, requireSession, update } = NextAuth({
    providers: [],
    callbacks: {
      jwt: ({ token, user }) => ({
        ...token,
        role: user?.email === "root@site.test" ? ("admin" as const) : ("member" as const),
      }),
      session: ({ session, token }) => ({
        ...session,
        user: { ...session.user, id: token.sub ?? "", role: token.role },
      }),
    },
  })
  expectTypeOf<SessionOf<typeof auth>["user"]["role"]>().toEqualTypeOf<"admin" | "member">()
  expectTypeOf<SessionOf<typeof auth>["user"]["id"]>().toEqualTypeOf<string>()
  expectTypeOf<SessionOf<typeof auth>["user"]["name"]>().toEqualTypeOf<string | null | undefined>()
  expectTypeOf<SessionOf<typeof auth>["expires"]>().toEqualTypeOf<string>()
  expectTypeOf<SessionOf<typeof auth>>().toExtend<Session>()
  expectTypeOf(requireSession()).resolves.toEqualTypeOf<SessionOf<typeof auth>>()
  expectTypeOf(update({})).resolves.toEqualTypeOf<SessionOf<typeof auth> | null>()
  auth((request) => {
    expectTypeOf(request).toEqualTypeOf<NextAuthRequest<SessionOf<typeof auth>>>()
    expectTypeOf(request.auth?.user.role).toEqualTypeOf<"admin" | "member" | undefined>()
  })
})

test("a session that the callback returns unchanged has the default fields", () => {
  const { auth } = NextAuth({ providers: [], callbacks: { session: ({ session }) => session } })
  expectTypeOf<SessionOf<typeof auth>>().toExtend<Session>()
  expectTypeOf<SessionOf<typeof auth>["user"]["id"]>().toEqualTypeOf<string | undefined>()
  expectTypeOf<SessionOf<typeof auth>["expires"]>().toEqualTypeOf<string>()
})

test("the session callback can return any shape", () => {
  const { auth } = NextAuth({ providers: [], callbacks: { session: async () => ({ tenant: 7 }) } })
  expectTypeOf<SessionOf<typeof auth>>().toEqualTypeOf<{ tenant: number }>()
})

test("a configuration with `satisfies` keeps the return types of its callbacks", () => {
  const config = {
    providers: [],
    callbacks: {
      authorized: ({ auth, request }) => auth !== null && request.nextUrl.pathname !== "/closed",
      jwt: ({ token }) => ({ ...token, plan: 1 }),
      session: ({ session, token }) => ({ ...session, sub: token.sub }),
    },
  } satisfies NextAuthConfig
  const { auth } = NextAuth(config)
  expectTypeOf<SessionOf<typeof auth>["sub"]>().toEqualTypeOf<string | undefined>()
})

test("a configuration function keeps the return types of its callbacks", () => {
  const { auth } = NextAuth((request) => ({
    secret: request?.headers.get("host") ?? "default",
    providers: [],
    callbacks: { session: ({ session }) => ({ ...session, tenant: 7 }) },
  }))
  expectTypeOf<SessionOf<typeof auth>["tenant"]>().toEqualTypeOf<number>()
  const { auth: later } = NextAuth(async () => ({ providers: [], callbacks: { session: () => ({ tenant: "a" }) } }))
  expectTypeOf<SessionOf<typeof later>["tenant"]>().toEqualTypeOf<string>()
})

test("an annotated configuration has the Session of the application", () => {
  const config: NextAuthConfig = { providers: [] }
  expectTypeOf(NextAuth(config).auth()).toEqualTypeOf<Promise<Session | null>>()
  expectTypeOf(NextAuth(() => config).auth()).toEqualTypeOf<Promise<Session | null>>()
})
