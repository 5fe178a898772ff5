import type { AuthConfig } from "@latchkey/core"
import type { Destination } from "@latchkey/core/integration"
import {
  type AuthError,
  type CredentialsSignin,
  customFetch,
  getSession,
  type GetSessionResult,
  type Session,
  SolidAuth,
  type SolidAuthConfig,
  type UserAccount,
} from "@latchkey/solid-start"
import { signIn, type SignInResponse, signOut } from "@latchkey/solid-start/client"
import GitHub from "@latchkey/solid-start/providers/github"
import { createMiddleware } from "@solidjs/start/middleware"
import type { APIHandler } from "@solidjs/start/server"
import { expectTypeOf, test } from "vitest"

const config = {
  providers: [GitHub],
  callbacks: { session: ({ session }) => ({ ...session, role: "admin" as const }) },
} satisfies AuthConfig

test("the session has the type that the session callback of the configuration returns", () => {
  const auth = SolidAuth(config)
  type Own = Awaited<ReturnType<typeof auth.requireSession>>
  expectTypeOf<Own["role"]>().toEqualTypeOf<"admin">()
  expectTypeOf(auth.getSession()).resolves.toEqualTypeOf<Own | null>()
  expectTypeOf(auth.update({ user: { name: "Ada" } })).resolves.toEqualTypeOf<Own | null>()
  expectTypeOf(getSession(new Request("https://app.test"), config)).resolves.toEqualTypeOf<Own | null>()
})

test("without a session callback it is the Session of the application, and the configuration can be a function", () => {
  const options: SolidAuthConfig = { providers: [GitHub], prefix: "/auth" }
  expectTypeOf(SolidAuth(() => options).getSession).returns.resolves.toEqualTypeOf<Session | null>()
  expectTypeOf(getSession(new Request("https://app.test"), options)).toEqualTypeOf<GetSessionResult>()
})

test("SolidStart accepts the middleware and the handlers", () => {
  const { GET, POST, middleware } = SolidAuth(config)
  expectTypeOf(createMiddleware).toBeCallableWith([middleware])
  expectTypeOf(GET).toExtend<APIHandler>()
  expectTypeOf(POST).toExtend<APIHandler>()
})

test("a sign-in redirects, or returns where to go", () => {
  const auth = SolidAuth(config)
  expectTypeOf(auth.signIn("github", { redirectTo: "/" }, { prompt: "login" })).resolves.toBeNever()
  expectTypeOf(auth.signIn("github", new FormData())).resolves.toBeNever()
  expectTypeOf(auth.signIn("github", new URLSearchParams())).resolves.toBeNever()
  expectTypeOf(auth.signIn("github", { redirect: false })).resolves.toEqualTypeOf<Destination>()
  expectTypeOf(auth.signOut()).resolves.toBeNever()
  expectTypeOf(auth.signOut({ redirect: false })).resolves.toEqualTypeOf<Destination>()
})

test("the functions for browsers have the signatures of @auth/solid-start", () => {
  expectTypeOf(signIn("github", { callbackUrl: "/" }, new URLSearchParams())).resolves.toEqualTypeOf<void>()
  expectTypeOf(signIn("github", { name: "ada", redirect: false })).resolves.toEqualTypeOf<SignInResponse>()
  expectTypeOf(signOut({ callbackUrl: "/" })).resolves.toEqualTypeOf<void>()
  expectTypeOf<CredentialsSignin>().toExtend<AuthError>()
  expectTypeOf(customFetch).toEqualTypeOf<typeof customFetch>()
})

test("`account` has the functions of the user's account", () => {
  expectTypeOf(SolidAuth(config).account()).toEqualTypeOf<UserAccount>()
})
