"use client"

import { revalidate, type SessionProviderProps, SessionProvider as Provider } from "@latchkey/react"
import type { Session } from "@latchkey/core/types"
import { createElement, type ReactElement, type ReactNode, useEffect, useRef } from "react"

/**
 * The `SessionProvider` of `@latchkey/react`, which also reads the session again after Next.js renders the page on the
 * server, as it does after a Server Action.
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
  return createElement(Provider<S>, props, createElement(Revalidation, { session: props.session }, props.children))
}

/** Milliseconds between reads. If the parent is a Client Component, every render of it has new children. */
const minInterval = 5000

interface RevalidationProps {
  readonly session: unknown
  readonly children?: ReactNode
}

/** Children from a Server Component are new objects only after a server render, which may have a new session. */
function Revalidation({ session, children }: RevalidationProps): ReactNode {
  const rendered = useRef(children)
  const lastRead = useRef(0)
  useEffect(() => {
    // With a `session` prop, the server render brings the new session itself.
    if (rendered.current === children || session !== undefined) return
    rendered.current = children
    const wait = lastRead.current === 0 ? 0 : Math.max(0, lastRead.current + minInterval - performance.now())
    const timer = setTimeout(() => {
      lastRead.current = performance.now()
      void revalidate()
    }, wait)
    return () => clearTimeout(timer)
  }, [children, session])
  return children
}
