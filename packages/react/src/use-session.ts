import type { Session } from "@latchkey/core/types"
import * as React from "react"
import { clientOptions } from "./config.js"
import { SessionContext } from "./provider.js"
import type { SessionContextValue, SessionOf } from "./session.js"

export interface UseSessionOptions<R extends boolean = boolean> {
  /** Redirect visitors who aren't signed in to the sign-in page. */
  required: R
  /** Called instead of redirecting to the sign-in page. */
  onUnauthenticated?: (() => void) | undefined
}

/**
 * Returns the current session. Its type is `Session`, which you can augment. `useSession<typeof auth>()` has the type that
 * the `session` callback of your server returns.
 *
 * @example
 * ```ts
 * import { useSession } from "@latchkey/react"
 *
 * export function useGreeting(): string {
 *   const { data, status } = useSession()
 *   return status === "authenticated" ? `Hello ${data.user?.name}` : "Please sign in"
 * }
 * ```
 * @throws Error outside a `SessionProvider`
 */
export function useSession<A = Session>(options: UseSessionOptions<true>): SessionContextValue<true, SessionOf<A>>
export function useSession<A = Session>(options?: UseSessionOptions): SessionContextValue<false, SessionOf<A>>
export function useSession(options?: UseSessionOptions): SessionContextValue {
  const value = React.useContext(SessionContext)
  if (!value)
    throw new Error(
      "useSession needs a <SessionProvider>. Wrap the components that use it, for example in your root layout.",
    )
  const isRejected = options?.required === true && value.status === "unauthenticated"
  const wasRejected = React.useRef(false)
  React.useEffect(() => {
    const isNew = isRejected && !wasRejected.current
    wasRejected.current = isRejected
    if (!isNew) return
    if (options.onUnauthenticated) options.onUnauthenticated()
    else redirectToSignIn()
  })
  return isRejected ? { ...value, status: "loading" } : value
}

let isRedirecting = false

/** Several components may call this in one render. Every assignment to `location.href` can send a request, so do it once. */
function redirectToSignIn(): void {
  if (isRedirecting) return
  isRedirecting = true
  setTimeout(() => {
    isRedirecting = false
  })
  const { baseUrl = "", basePath } = clientOptions()
  const query = new URLSearchParams({ error: "SessionRequired", callbackUrl: location.href })
  location.href = `${baseUrl}${basePath}/signin?${query}`
}
