import {
  type ActionOptions,
  type AuthError,
  type CredentialsSignin,
  type RegisteredSession,
  type Session,
  SvelteKitAuth,
  type SvelteKitAuthConfig,
} from "@latchkey/sveltekit"
import { signIn as signInFromBrowser, signOut as signOutFromBrowser } from "@latchkey/sveltekit/client"
import { SignIn, SignOut } from "@latchkey/sveltekit/components"
import GitHub from "@latchkey/sveltekit/providers/github"
import { signIn as signInWithPasskey } from "@latchkey/sveltekit/webauthn"
import type { Action, Actions, RequestEvent } from "@sveltejs/kit"
import type { Handle } from "@sveltejs/kit/hooks"
import { expectTypeOf } from "vitest"

const config: SvelteKitAuthConfig = { providers: [GitHub], session: { strategy: "jwt" } }

// The function gets the event, and may be async.
const auth = SvelteKitAuth(config)
SvelteKitAuth(async (event) => {
  expectTypeOf(event).toEqualTypeOf<RequestEvent>()
  return config
})

expectTypeOf(auth.handle).toExtend<Handle>()
expectTypeOf(auth.signIn).toExtend<Action>()
expectTypeOf(auth.signOut).toExtend<Action>()
export const actions: Actions = { default: auth.signIn, leave: auth.signOut }

// Without a registered configuration, the session is `Session`.
expectTypeOf<RegisteredSession>().toEqualTypeOf<Session>()
expectTypeOf(auth.csrfToken).toEqualTypeOf<(event: RequestEvent) => Promise<string>>()
expectTypeOf(auth.getSession).toEqualTypeOf<(event: RequestEvent) => Promise<Session | null>>()

const typed = SvelteKitAuth({
  providers: [GitHub],
  callbacks: { session: async ({ session }) => ({ ...session, role: "admin" as const }) },
})
type Typed = Awaited<ReturnType<typeof typed.requireSession>>
expectTypeOf<Typed["role"]>().toEqualTypeOf<"admin">()
expectTypeOf<Awaited<ReturnType<typeof typed.getSession>>>().toEqualTypeOf<Typed | null>()
expectTypeOf<Awaited<ReturnType<typeof typed.update>>>().toEqualTypeOf<Typed | null>()

// The arguments are those of @auth/sveltekit.
declare const locals: App.Locals
export const calls = (): unknown[] => [
  locals.signIn(),
  locals.signIn("github", { redirectTo: "/" }, { prompt: "login" }),
  locals.signIn("email", new FormData(), new URLSearchParams()),
  locals.signOut({ redirectTo: "/" }),
  signInFromBrowser("github", { redirectTo: "/" }, [["prompt", "login"]]),
  signOutFromBrowser({ redirect: false }),
  signInWithPasskey("passkey", { action: "register" }),
]
export const url = (): Promise<string> => locals.signIn("github", { redirect: false })
export const form: ActionOptions = { redirectTo: "/", email: "ada@users.test" }
expectTypeOf<CredentialsSignin>().toExtend<AuthError>()

expectTypeOf(SignIn).toBeConstructibleWith({ target: document.body, props: { provider: "github" } })
expectTypeOf(SignOut).toBeConstructibleWith({ target: document.body, props: { options: { redirectTo: "/" } } })

// @ts-expect-error @auth/sveltekit has no `raw`
export const raw: SvelteKitAuthConfig = { providers: [], raw: true }
