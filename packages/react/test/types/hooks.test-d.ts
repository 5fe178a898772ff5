import type { Session } from "@latchkey/core/types"
import {
  getSession,
  SessionProvider,
  type SessionContextValue,
  type SignInResponse,
  signIn,
  signOut,
  type UpdateSession,
  useSession,
} from "@latchkey/react"
import { createElement } from "react"
import { expectTypeOf, test } from "vitest"

declare module "@latchkey/core/types" {
  interface Session {
    role?: "admin"
  }
}

interface Own {
  user: { id: number }
  expires: string
}

declare const own: Own | null
declare function auth(handler: (request: Request) => Response): (request: Request) => Promise<Response>
declare function auth(request: Request, response: object): Promise<Own | null>
declare function auth(): Promise<Own | null>

test("without a type argument, the session is the application's Session", () => {
  const { data, status, update } = useSession()
  expectTypeOf(data).toEqualTypeOf<Session | null>()
  expectTypeOf(status).toEqualTypeOf<"authenticated" | "unauthenticated" | "loading">()
  expectTypeOf(update).toEqualTypeOf<UpdateSession>()
  expectTypeOf(update({ anything: 1 })).resolves.toEqualTypeOf<Session | null>()
  if (status === "authenticated") expectTypeOf(data.role).toEqualTypeOf<"admin" | undefined>()
  else expectTypeOf(data).toEqualTypeOf<null>()
})

test("typeof auth has the type of its last overload", () => {
  const session = useSession<typeof auth>()
  expectTypeOf(session.data).toEqualTypeOf<Own | null>()
  expectTypeOf(session.update()).resolves.toEqualTypeOf<Own | null>()
  expectTypeOf(useSession<typeof auth>({ required: false }).data).toEqualTypeOf<Own | null>()
  expectTypeOf(getSession<typeof auth>()).resolves.toEqualTypeOf<Own | null>()
  expectTypeOf(getSession()).resolves.toEqualTypeOf<Session | null>()
})

test("a required session is authenticated or loading", () => {
  const session = useSession({ required: true })
  expectTypeOf(session.status).toEqualTypeOf<"authenticated" | "loading">()
  if (session.status === "authenticated") expectTypeOf(session.data).toEqualTypeOf<Session>()
  const own = useSession<typeof auth>({ required: true, onUnauthenticated() {} })
  expectTypeOf(own).toEqualTypeOf<SessionContextValue<true, Own>>()
  if (own.status === "authenticated") expectTypeOf(own.data).toEqualTypeOf<Own>()
  expectTypeOf(useSession<true>({ required: true })).toEqualTypeOf<SessionContextValue<true>>()
  expectTypeOf(useSession({ required: Math.random() > 0.5 })).toEqualTypeOf<SessionContextValue>()
})

test("SessionProvider takes any session type", () => {
  createElement(SessionProvider<Own>, { session: own }, "child")
  createElement(SessionProvider, { session: null, basePath: "/auth", refetchInterval: 60, refetchWhenOffline: false })
  // @ts-expect-error: not a session
  createElement(SessionProvider, { session: "ada" })
  // @ts-expect-error: no such prop
  createElement(SessionProvider, { refetchIntervall: 60 })
})

test("`redirect` decides the return type of signIn and signOut", () => {
  expectTypeOf(signIn()).resolves.toEqualTypeOf<void>()
  expectTypeOf(signIn("github", { redirectTo: "/" }, { prompt: "login" })).resolves.toEqualTypeOf<void>()
  expectTypeOf(signIn("credentials", { redirect: false, name: "ada" })).resolves.toEqualTypeOf<SignInResponse>()
  const redirect = Math.random() > 0.5
  expectTypeOf(signIn("credentials", { redirect })).resolves.toEqualTypeOf<SignInResponse | undefined>()
  expectTypeOf(signOut()).resolves.toEqualTypeOf<void>()
  expectTypeOf(signOut({ redirect: false }))
    .resolves.toHaveProperty("url")
    .toEqualTypeOf<string>()
})
