import { createSvelteAuth, type SvelteAuth, type SvelteAuthOptions } from "@latchkey/svelte"
import { base } from "./base.js"
import type { RegisteredSession } from "./types.js"

export type {
  SignInAuthorizationParams,
  SignInOptions,
  SignInResponse,
  SignOutParams,
  SignOutResponse,
} from "@latchkey/client"
export type { SessionState, SvelteAuth, SvelteAuthOptions } from "@latchkey/svelte"

/**
 * Creates the functions for auth routes at another base path than `/auth`.
 *
 * @example
 * ```ts
 * import { createClient } from "@latchkey/sveltekit/client"
 *
 * export const { useSession, signIn, signOut } = createClient({ basePath: "/api/auth" })
 * ```
 */
export function createClient(options: SvelteAuthOptions<RegisteredSession> = {}): SvelteAuth<RegisteredSession> {
  return createSvelteAuth<RegisteredSession>({ basePath: `${base}/auth`, ...options })
}

const client: SvelteAuth<RegisteredSession> = createClient()

/** The session in a component. Pass the session that the page was rendered with. */
export const useSession: typeof client.useSession = client.useSession

/**
 * Signs in from the browser. Without `provider`, the browser goes to the sign-in page.
 *
 * @example
 * ```ts
 * import { signIn } from "@latchkey/sveltekit/client"
 *
 * export const withGitHub = () => signIn("github", { redirectTo: "/account" })
 * ```
 */
export const signIn: typeof client.signIn = client.signIn

/**
 * Signs out from the browser.
 *
 * @example
 * ```ts
 * import { signOut } from "@latchkey/sveltekit/client"
 *
 * export const leave = () => signOut({ redirectTo: "/" })
 * ```
 */
export const signOut: typeof client.signOut = client.signOut
