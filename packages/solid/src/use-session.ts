import type { Session } from "@latchkey/core/types"
import { createEffect, createMemo } from "solid-js"
import { useProvided } from "./provider.js"
import type { SessionOf, SessionState } from "./session.js"

export interface UseSessionOptions<R extends boolean = boolean> {
  /** Redirect visitors who aren't signed in to the sign-in page. */
  readonly required: R
  /** Called instead of redirecting to the sign-in page. */
  readonly onUnauthenticated?: (() => void) | undefined
}

/**
 * Returns the current session. Its type is `Session`, which you can augment. `useSession<typeof getSession>()` has the type
 * that the `session` callback of your server returns. The fields are reactive, so don't destructure the result.
 *
 * @example
 * ```ts
 * import { useSession } from "@latchkey/solid"
 *
 * export function useGreeting(): () => string {
 *   const session = useSession()
 *   return () => (session.status === "authenticated" ? `Hello ${session.data.user?.name}` : "Please sign in")
 * }
 * ```
 * @throws Error outside a `SessionProvider`
 */
export function useSession<A = Session>(options: UseSessionOptions<true>): SessionState<true, SessionOf<A>>
export function useSession<A = Session>(options?: UseSessionOptions): SessionState<false, SessionOf<A>>
export function useSession(options?: UseSessionOptions): SessionState {
  const { client, snapshot, signInPage } = useProvided("useSession")
  const isRejected = createMemo(() => options?.required === true && snapshot().status === "unauthenticated")
  createEffect(() => {
    if (!isRejected()) return
    if (options?.onUnauthenticated) options.onUnauthenticated()
    else redirectToSignIn(signInPage())
  })
  const state = {
    get data() {
      return isRejected() ? undefined : snapshot().data
    },
    get status() {
      return isRejected() ? "loading" : snapshot().status
    },
    update: client.update,
  }
  // One snapshot has both fields, so they fit together.
  return state as SessionState
}

let isRedirecting = false

/** Several components may call this in one update. Every assignment to `location.href` can send a request, so do it once. */
function redirectToSignIn(page: string): void {
  if (isRedirecting) return
  isRedirecting = true
  setTimeout(() => {
    isRedirecting = false
  })
  location.href = `${page}?${new URLSearchParams({ error: "SessionRequired", callbackUrl: location.href })}`
}
