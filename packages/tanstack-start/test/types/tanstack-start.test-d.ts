import {
  type AuthError,
  type Destination,
  type Session,
  TanStackStartAuth,
  type UserAccount,
} from "@latchkey/tanstack-start"
import GitHub from "@latchkey/tanstack-start/providers/github"
import { SessionProvider, useSession } from "@latchkey/tanstack-start/react"
import { createMiddleware } from "@tanstack/react-start"
import { expectTypeOf } from "vitest"

const auth = TanStackStartAuth({ providers: [GitHub] })
expectTypeOf(auth.getSession()).resolves.toEqualTypeOf<Session | null>()
expectTypeOf(auth.session()).resolves.toEqualTypeOf<Session | null>()
expectTypeOf(auth.requireSession({ callbackUrl: "/account" })).resolves.toEqualTypeOf<Session>()
expectTypeOf(auth.csrfToken()).resolves.toBeString()
expectTypeOf(auth.handler).toEqualTypeOf<(request: Request) => Promise<Response>>()

// What the session callback returns is the session everywhere.
const typed = TanStackStartAuth(() => ({
  providers: [GitHub],
  callbacks: { session: async ({ session }) => ({ ...session, role: "admin" as const }) },
}))
expectTypeOf((await typed.session())?.role).toEqualTypeOf<"admin" | undefined>()
expectTypeOf((await typed.requireSession()).role).toEqualTypeOf<"admin">()
expectTypeOf((await typed.update({ user: { name: "Ada" } }))?.role).toEqualTypeOf<"admin" | undefined>()

// Also in the context of functions and routes.
const middleware = createMiddleware().server(typed.middleware)
createMiddleware({ type: "function" })
  .middleware([middleware])
  .server(({ next, context }) => {
    expectTypeOf(context.session?.role).toEqualTypeOf<"admin" | undefined>()
    return next()
  })

// A redirect that is thrown, or where the user goes and why the sign-in was refused.
expectTypeOf(auth.signIn("github", { redirectTo: "/" }, { prompt: "login" })).resolves.toBeNever()
expectTypeOf(auth.signIn("github", { redirect: false })).resolves.toEqualTypeOf<Destination>()
expectTypeOf<Destination["error"]>().toEqualTypeOf<AuthError | undefined>()
expectTypeOf(auth.signOut()).resolves.toBeNever()
expectTypeOf(auth.signOut({ redirectTo: "/", redirect: false })).resolves.toEqualTypeOf<Destination>()

expectTypeOf(useSession).toBeCallableWith({ required: true })
expectTypeOf(SessionProvider).toBeCallableWith({ session: null })

// @ts-expect-error a provider is a text
void auth.signIn(5)

expectTypeOf(auth.account()).toEqualTypeOf<UserAccount>()
