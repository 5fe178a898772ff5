import NextAuth, { type Session } from "@latchkey/next"
import {
  getSession,
  type SessionContextValue,
  SessionProvider,
  signIn,
  signOut,
  useSession,
} from "@latchkey/next/react"
import { createElement } from "react"
import { expectTypeOf, test } from "vitest"

const { auth } = NextAuth({
  providers: [],
  callbacks: {
    jwt: ({ token }) => ({ ...token, role: "admin" as const }),
    session: ({ session, token }) => ({ ...session, role: token.role }),
  },
})

type Known = NonNullable<Awaited<ReturnType<typeof auth>>>

test("useSession<typeof auth> has the session type of the server", () => {
  const { data, status, update } = useSession<typeof auth>()
  expectTypeOf(data).toEqualTypeOf<Known | null>()
  expectTypeOf(data?.role).toEqualTypeOf<"admin" | undefined>()
  expectTypeOf(status).toEqualTypeOf<"authenticated" | "loading" | "unauthenticated">()
  expectTypeOf(update({ anything: 1 })).toEqualTypeOf<Promise<Known | null>>()
})

test("status narrows data", () => {
  const session = useSession<typeof auth>({ required: true })
  if (session.status === "authenticated") expectTypeOf(session.data.role).toEqualTypeOf<"admin">()
  else expectTypeOf(session.data).toEqualTypeOf<null>()
  expectTypeOf(session).toEqualTypeOf<SessionContextValue<true, Known>>()
})

test("without a type argument, useSession has the Session of the application", () => {
  expectTypeOf(useSession().data).toEqualTypeOf<Session | null>()
  expectTypeOf(getSession()).toEqualTypeOf<Promise<Session | null>>()
  expectTypeOf(getSession<typeof auth>()).toEqualTypeOf<Promise<Known | null>>()
})

test("SessionProvider takes the session of the server", async () => {
  createElement(SessionProvider, { session: await auth(), basePath: "/auth", refetchInterval: 60 })
  createElement(SessionProvider, { session: null })
  createElement(SessionProvider, null, "content")
})

test("signIn and signOut with redirect: false return a result", async () => {
  const { ok, error, url } = await signIn("credentials", { name: "ada", redirect: false })
  expectTypeOf(ok).toEqualTypeOf<boolean>()
  expectTypeOf(error).toEqualTypeOf<string | undefined>()
  expectTypeOf(url).toEqualTypeOf<string | null>()
  const left = await signOut({ redirect: false })
  expectTypeOf(left.url).toEqualTypeOf<string>()
})
