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

/** What the middleware of the application puts into the context for the pages. Their events have the types of their h3. */
export interface PageServer {
  page(event: object): Promise<PageAuth>
  /** @throws an error with `statusCode` 503 if the database fails: the user may be signed in */
  requireSession(event: object): Promise<unknown>
}

/** The key in `event.context` and in the payload. */
export const contextKey = "latchkey"
