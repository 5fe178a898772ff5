import type { ClientSafeProvider, GetSessionParams, SignIn, SignOut } from "@latchkey/client"
import type { Session } from "@latchkey/core/types"
import { currentClient } from "./clients.js"
import type { SessionOf } from "./session.js"

/**
 * Asks the server for the session; the provider and other tabs learn of it.
 *
 * @example
 * ```ts
 * import { getSession } from "@latchkey/react"
 *
 * export async function getServerSideProps(context: { req: { headers: { cookie?: string } } }) {
 *   return { props: { session: await getSession(context) } }
 * }
 * ```
 * @returns `null` for nobody, and when there was no answer
 */
export async function getSession<A = Session>(params?: GetSessionParams): Promise<SessionOf<A> | null> {
  // The caller says which shape the server's callbacks give it.
  return currentClient().getSession(params) as Promise<SessionOf<A> | null>
}

/** The token that forms of the application must send back; an empty text when there was no answer. */
export async function getCsrfToken(): Promise<string> {
  return currentClient().getCsrfToken()
}

/** What can be signed in with, by id; `null` when there was no answer. A page asks once. */
export async function getProviders(): Promise<Record<string, ClientSafeProvider> | null> {
  return currentClient().getProviders()
}

/** Something may have changed (a navigation, a server action): asks for the session again, at most once a second. */
export async function revalidate(): Promise<void> {
  return currentClient().revalidate()
}

/**
 * Signs in with a provider, or shows the sign-in page without one. With `redirect: false` (credentials, e-mail) it stays on
 * the page and says what happened; it does not throw.
 *
 * @example
 * ```ts
 * import { signIn } from "@latchkey/react"
 *
 * export async function submit(fields: { name: string; password: string }): Promise<string> {
 *   const { ok, error } = await signIn("credentials", { ...fields, redirect: false })
 *   return ok ? "Welcome" : `That did not work: ${error}`
 * }
 * ```
 * @throws TypeError for a passkey provider: those have an entry of their own
 */
// Which of the overloads holds is decided by `redirect`.
export const signIn: SignIn = (async (...given: Parameters<SignIn>) => currentClient().signIn(...given)) as SignIn

/**
 * Ends the session, in all tabs.
 *
 * @example
 * ```ts
 * import { signOut } from "@latchkey/react"
 *
 * export const leave = () => signOut({ redirectTo: "/goodbye" })
 * ```
 */
export const signOut: SignOut = (async (...given: Parameters<SignOut>) => currentClient().signOut(...given)) as SignOut
