import type { AuthClient } from "@latchkey/client"
import type { Session } from "@latchkey/core/types"
import { SessionProvider, type SessionState, type UpdateSession, useAuthClient, useSession } from "@latchkey/solid"
import { createComponent } from "solid-js"
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
declare function getSession(event?: object): Promise<Own | null>

test("without a type argument, the session is the application's Session", () => {
  const session = useSession()
  expectTypeOf(session.data).toEqualTypeOf<Session | null | undefined>()
  expectTypeOf(session.status).toEqualTypeOf<"authenticated" | "unauthenticated" | "loading">()
  expectTypeOf(session.update).toEqualTypeOf<UpdateSession>()
  if (session.status === "authenticated") expectTypeOf(session.data.role).toEqualTypeOf<"admin" | undefined>()
  if (session.status === "loading") expectTypeOf(session.data).toEqualTypeOf<undefined>()
})

test("typeof getSession has the type of the configuration's session callback", () => {
  const session = useSession<typeof getSession>()
  expectTypeOf(session.data).toEqualTypeOf<Own | null | undefined>()
  expectTypeOf(session.update()).resolves.toEqualTypeOf<Own | null>()
})

test("a required session is authenticated or loading", () => {
  const session = useSession<Own>({ required: true, onUnauthenticated() {} })
  expectTypeOf(session).toEqualTypeOf<SessionState<true, Own>>()
  expectTypeOf(session.status).toEqualTypeOf<"authenticated" | "loading">()
  if (session.status === "authenticated") expectTypeOf(session.data).toEqualTypeOf<Own>()
})

test("the provider takes sessions of any shape", () => {
  createComponent(SessionProvider, { session: own, basePath: "/auth", refetchInterval: 60 })
  createComponent(SessionProvider, { session: undefined })
  expectTypeOf(useAuthClient()).toEqualTypeOf<AuthClient>()
})
