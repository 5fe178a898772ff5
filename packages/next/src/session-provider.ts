"use client"

import { revalidate, type SessionProviderProps, SessionProvider as Provider } from "@latchkey/react"
import type { Session } from "@latchkey/core/types"
import { createElement, type ReactElement, type ReactNode, useEffect, useRef } from "react"

/**
 * `SessionProvider` of `@latchkey/react` that also notices when Next.js renders the page anew, as it does after a server
 * action that signed somebody in or out.
 *
 * @example
 * ```ts
 * import { SessionProvider } from "@latchkey/next/react"
 * import { createElement, type ReactNode } from "react"
 *
 * export default function Layout({ children }: { children: ReactNode }) {
 *   return createElement("html", null, createElement("body", null, createElement(SessionProvider, null, children)))
 * }
 * ```
 */
export function SessionProvider<S extends object = Session>(props: SessionProviderProps<S>): ReactElement {
  return createElement(Provider<S>, props, createElement(Renewal, { session: props.session }, props.children))
}

/** A component that types of the caller's own render again with every key pressed must not ask each time. Milliseconds. */
const pause = 5000

interface RenewalProps {
  readonly session: unknown
  readonly children?: ReactNode
}

/** What a server component renders is new only when the server has rendered; the session may be another one then. */
function Renewal({ session, children }: RenewalProps): ReactNode {
  const shown = useRef(children)
  const last = useRef(0)
  useEffect(() => {
    // A session that is handed down comes anew with what the server renders.
    if (shown.current === children || session !== undefined) return
    shown.current = children
    const wait = last.current === 0 ? 0 : Math.max(0, last.current + pause - performance.now())
    const timer = setTimeout(() => {
      last.current = performance.now()
      void revalidate()
    }, wait)
    return () => clearTimeout(timer)
  }, [children, session])
  return children
}
