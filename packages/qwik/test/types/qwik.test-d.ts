import type { Signal } from "@qwik.dev/core"
import type { ActionStore, RequestEventCommon } from "@qwik.dev/router"
import {
  type ActionResult,
  type AuthError,
  type CredentialsSignin,
  type GetSessionResult,
  QwikAuth$,
  type QwikAuthConfig,
  type Session,
  setEnvDefaults,
  type SignInInput,
  type UserAccount,
} from "@latchkey/qwik"
import GitHub from "@latchkey/qwik/providers/github"
import { signIn as signInWithPasskey } from "@latchkey/qwik/webauthn"
import { expectTypeOf } from "vitest"

declare module "@latchkey/core/types" {
  interface Session {
    tenant: number
  }
}

const config: QwikAuthConfig = { providers: [GitHub], session: { strategy: "jwt" } }

// The function gets the event of the installed Qwik, and may be async.
const auth = QwikAuth$((ev) => {
  expectTypeOf(ev).toEqualTypeOf<RequestEventCommon>()
  return config
})
QwikAuth$(async ({ env }: RequestEventCommon) => ({ ...config, secret: env.get("AUTH_SECRET") }))

expectTypeOf(auth.onRequest).toEqualTypeOf<(ev: RequestEventCommon) => Promise<void>>()

expectTypeOf(auth.getSession).toEqualTypeOf<(ev: RequestEventCommon) => Promise<Session | null>>()
expectTypeOf(auth.csrfToken).toEqualTypeOf<(ev: RequestEventCommon) => Promise<string>>()

// An augmented session reaches the loader.
const session = auth.useSession()
expectTypeOf(session).toExtend<Signal<Session | null>>()
expectTypeOf(session.value?.tenant).toEqualTypeOf<number | undefined>()

// What the session callback adds reaches it too.
const typed = QwikAuth$(() => ({
  providers: [GitHub],
  callbacks: { session: ({ session }) => ({ ...session, role: "admin" as const }) },
}))
expectTypeOf(typed.useSession().value?.role).toEqualTypeOf<"admin" | undefined>()

// The inputs and outputs of the actions are those of @auth/qwik.
const signIn = auth.useSignIn()
expectTypeOf(signIn).toExtend<ActionStore<ActionResult<SignInInput>, SignInInput, false>>()
export const calls = (): unknown[] => [
  signIn.submit({}),
  signIn.submit({ providerId: "github", redirectTo: "/", options: { redirectTo: "/", email: "a@b.example" } }),
  signIn.submit({ authorizationParams: "prompt=login" }),
  signIn.submit({ authorizationParams: new URLSearchParams() }),
  signIn.submit({ authorizationParams: { prompt: "login" } }),
  signIn.submit(new FormData()),
  auth.useSignOut().submit({ redirectTo: "/" }),
  signInWithPasskey("passkey", { action: "register" }),
]
// @ts-expect-error a provider's id is text
export const wrong: SignInInput = { providerId: 5 }
const result = signIn.value
expectTypeOf(result?.failed).toEqualTypeOf<true | undefined>()
expectTypeOf(result?.fieldErrors?.providerId).toEqualTypeOf<string[] | undefined>()
expectTypeOf(result?.fieldErrors?.authorizationParams).toEqualTypeOf<string[] | undefined>()
expectTypeOf(result?.formErrors).toEqualTypeOf<string[] | undefined>()
expectTypeOf(auth.useSignOut().value?.fieldErrors?.redirectTo).toEqualTypeOf<string[] | undefined>()

expectTypeOf<Awaited<GetSessionResult>["data"]>().toEqualTypeOf<Session | null>()
expectTypeOf<Awaited<GetSessionResult>["cookie"]>().toBeAny()
expectTypeOf<CredentialsSignin>().toExtend<AuthError>()
expectTypeOf(setEnvDefaults).toBeCallableWith(
  { get: (name: string) => (name === "AUTH_SECRET" ? "x" : undefined) },
  config,
)

// @ts-expect-error @auth/qwik has no `raw`
export const raw: QwikAuthConfig = { providers: [], raw: true }
// @ts-expect-error `authorized` is an option of Next.js
export const authorized: QwikAuthConfig = { providers: [], callbacks: { authorized: () => true } }

expectTypeOf(auth.account).toEqualTypeOf<(ev: RequestEventCommon) => Promise<UserAccount>>()
