import {
  type AuthError,
  type Destination,
  ReactRouterAuth,
  type Session,
  type UserAccount,
} from "@latchkey/react-router"
import GitHub from "@latchkey/react-router/providers/github"
import { SessionProvider, useSession } from "@latchkey/react-router/react"
import type {
  ActionFunctionArgs,
  LoaderFunctionArgs,
  MiddlewareFunction,
  RouterContext,
  RouterContextProvider,
} from "react-router"
import { expectTypeOf } from "vitest"

declare const args: { loader: LoaderFunctionArgs<Readonly<RouterContextProvider>>; action: ActionFunctionArgs }

const auth = ReactRouterAuth({ providers: [GitHub] })
expectTypeOf(auth.getSession(args.loader)).resolves.toEqualTypeOf<Session | null>()
expectTypeOf(auth.session(args.loader)).resolves.toEqualTypeOf<Session | null>()
expectTypeOf(auth.requireSession(args.action)).resolves.toEqualTypeOf<Session>()
expectTypeOf(auth.middleware).toEqualTypeOf<MiddlewareFunction<Response>>()
expectTypeOf(auth.loader(args.loader)).resolves.toEqualTypeOf<Response>()

// What the session callback returns is the session everywhere.
const typed = ReactRouterAuth(() => ({
  providers: [GitHub],
  callbacks: { session: async ({ session }) => ({ ...session, role: "admin" as const }) },
}))
expectTypeOf((await typed.session(args.loader))?.role).toEqualTypeOf<"admin" | undefined>()
expectTypeOf((await typed.requireSession(args.loader)).role).toEqualTypeOf<"admin">()
expectTypeOf((await typed.update(args.action, { user: { name: "Ada" } }))?.role).toEqualTypeOf<"admin" | undefined>()
expectTypeOf(typed.sessionContext).toExtend<RouterContext<{ role: "admin" } | null>>()

// A redirect, or where the user goes and why the sign-in was refused.
expectTypeOf(auth.signIn(args.action)).resolves.toEqualTypeOf<Response>()
expectTypeOf(
  auth.signIn(args.action, "github", { redirectTo: "/" }, { prompt: "login" }),
).resolves.toEqualTypeOf<Response>()
expectTypeOf(auth.signIn(args.action, "github", { redirect: false })).resolves.toEqualTypeOf<Destination>()
expectTypeOf<Destination["error"]>().toEqualTypeOf<AuthError | undefined>()
expectTypeOf(auth.signOut(args.action)).resolves.toEqualTypeOf<Response>()
expectTypeOf(auth.signOut(args.action, { redirectTo: "/", redirect: false })).resolves.toEqualTypeOf<Destination>()

expectTypeOf(useSession).toBeCallableWith({ required: true })
expectTypeOf(SessionProvider).toBeCallableWith({ session: null })

// @ts-expect-error a provider is a text
void auth.signIn(args.action, 5)

expectTypeOf(auth.account(args.loader)).toEqualTypeOf<UserAccount>()
expectTypeOf(auth.account(args.action)).toEqualTypeOf<UserAccount>()
