import type { AuthClient } from "@latchkey/vue"

/** What a page gets from the server, in its payload. */
export interface PageAuth {
  /** `undefined` if the response is stored for several users. The browser reads the session then. */
  readonly session: object | null | undefined
  readonly basePath: string
  /** Path or URL of the sign-in page. */
  readonly signInPage: string
}

/** What the plugin provides as `$latchkey`. */
export interface NuxtAuthState {
  readonly client: AuthClient
  readonly signInPage: string
}

/** The key in `event.context` and in the payload. */
export const contextKey = "latchkey"
