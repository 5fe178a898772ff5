import type { Session } from "@latchkey/core/types"
import * as React from "react"
import { clientOptions } from "./config.js"
import { SessionContext } from "./provider.js"
import type { SessionContextValue, SessionOf } from "./session.js"

export interface UseSessionOptions<R extends boolean = boolean> {
  /** Whether somebody must be signed in: who is not is sent to the sign-in page. */
  required: R
  /** Instead of going to the sign-in page. */
  onUnauthenticated?: (() => void) | undefined
}

/**
 * Who is signed in. The type of the session is that of the application's `Session`, or of what its server gives:
 * `useSession<typeof auth>()`.
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
 * @throws Error outside of a provider
 */
export function useSession<A = Session>(options: UseSessionOptions<true>): SessionContextValue<true, SessionOf<A>>
export function useSession<A = Session>(options?: UseSessionOptions): SessionContextValue<false, SessionOf<A>>
export function useSession(options?: UseSessionOptions): SessionContextValue {
  const value = React.useContext(SessionContext)
  if (!value) throw new Error("useSession found no session: put a <SessionProvider> around what uses it")
  const isMissing = options?.required === true && value.status === "unauthenticated"
  const wasMissing = React.useRef(false)
  React.useEffect(() => {
    const isNew = isMissing && !wasMissing.current
    wasMissing.current = isMissing
    if (!isNew) return
    if (options.onUnauthenticated) options.onUnauthenticated()
    else sendToSignIn()
  })
  return isMissing ? { ...value, status: "loading" } : value
}

/** Browsers make one request of it, although many components may require the same session. */
function sendToSignIn(): void {
  const { baseUrl = "", basePath } = clientOptions()
  const query = new URLSearchParams({ error: "SessionRequired", callbackUrl: location.href })
  location.href = `${baseUrl}${basePath}/signin?${query}`
}
