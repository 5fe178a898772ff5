import type { ClientSafeProvider, GetSessionParams, SignIn, SignOut } from "@latchkey/client"
import type { Session } from "@latchkey/core/types"
import { currentClient } from "./current-client.js"
import type { SessionOf } from "./session.js"

/**
 * Reads the session from the server and updates the provider and the other tabs.
 *
 * @example
 * ```ts
 * import { getSession } from "@latchkey/react"
 *
 * export async function getServerSideProps(context: { req: { headers: { cookie?: string } } }) {
 *   return { props: { session: await getSession(context) } }
 * }
 * ```
 * @returns the session, or `null` if the visitor isn't signed in or the server didn't respond
 */
export async function getSession<A = Session>(params?: GetSessionParams): Promise<SessionOf<A> | null> {
  // The server's callbacks decide the shape; the caller passes its type.
  return currentClient().getSession(params) as Promise<SessionOf<A> | null>
}

/** @returns the CSRF token to include in your own forms, or an empty string if the server didn't respond */
export async function getCsrfToken(): Promise<string> {
  return currentClient().getCsrfToken()
}

/** Lists the providers by id. A page asks the server once. @returns `null` if the server didn't respond */
export async function getProviders(): Promise<Record<string, ClientSafeProvider> | null> {
  return currentClient().getProviders()
}

/** Reads the session again, at most once a second. Call it when it may have changed, such as after a server action. */
export async function revalidate(): Promise<void> {
  return currentClient().revalidate()
}

/**
 * Signs in with a provider. Without a provider, or with an unknown one, it opens the sign-in page.
 *
 * With `redirect: false` it stays on the page and returns the result, also if the sign-in fails. That works with
 * credentials and email providers.
 *
 * @example
 * ```ts
 * import { signIn } from "@latchkey/react"
 *
 * export async function submit(fields: { name: string; password: string }): Promise<string> {
 *   const { ok, error } = await signIn("credentials", { ...fields, redirect: false })
 *   return ok ? "Welcome" : `Sign-in failed: ${error}`
 * }
 * ```
 * @throws TypeError for a passkey provider. Import `signIn` from the webauthn entry point for those.
 */
// `redirect` decides which overload applies.
export const signIn: SignIn = (async (...args: Parameters<SignIn>) => currentClient().signIn(...args)) as SignIn

/**
 * Signs out in all tabs.
 *
 * @example
 * ```ts
 * import { signOut } from "@latchkey/react"
 *
 * export const leave = () => signOut({ redirectTo: "/goodbye" })
 * ```
 */
export const signOut: SignOut = (async (...args: Parameters<SignOut>) => currentClient().signOut(...args)) as SignOut
