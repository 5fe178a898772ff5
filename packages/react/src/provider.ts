import { type AuthClient, createAuthClient, type EveryProp, type WatchOptions } from "@latchkey/client"
import type { Session } from "@latchkey/core/types"
import * as React from "react"
import { checkProps } from "./check-props.js"
import { mount } from "./current-client.js"
import { __NEXTAUTH as config, clientOptions } from "./config.js"
import type { SessionContextValue } from "./session.js"

export interface SessionProviderProps<S = Session> extends WatchOptions {
  readonly children?: React.ReactNode
  /**
   * The session that the server rendered, or `null` if the visitor isn't signed in. It saves the first request. If the
   * prop changes, the provider takes the new value. @default the provider asks the server
   */
  readonly session?: S | null | undefined
  /** Path of the auth routes. @default the path of `AUTH_URL` or `NEXTAUTH_URL`, or else "/api/auth" */
  readonly basePath?: string | undefined
  /** Origin of the server. @default the origin of the page */
  readonly baseUrl?: string | undefined
}

const props: EveryProp<SessionProviderProps> = {
  children: true,
  session: true,
  basePath: true,
  baseUrl: true,
  refetchInterval: true,
  refetchOnWindowFocus: true,
  refetchWhenOffline: true,
}

/** Sets what `useSession` returns in tests and stories. In an application, use {@link SessionProvider}. */
export const SessionContext: React.Context<SessionContextValue | undefined> =
  // In React Server Components, `createContext` doesn't exist.
  React.createContext?.<SessionContextValue | undefined>(undefined)

/** React 18 warns about `useLayoutEffect` on a server. */
const useIsomorphicLayoutEffect = typeof document === "undefined" ? React.useEffect : React.useLayoutEffect

/**
 * Provides the session to `useSession` and keeps it in sync with the server and with other tabs.
 *
 * @example
 * ```ts
 * import { SessionProvider } from "@latchkey/react"
 * import { createElement, type ReactNode } from "react"
 *
 * export function Providers({ children }: { children: ReactNode }) {
 *   return createElement(SessionProvider, { basePath: "/auth" }, children)
 * }
 * ```
 * @throws Error in a Server Component
 */
export function SessionProvider<S extends object = Session>(given: SessionProviderProps<S>): React.ReactElement {
  if (!SessionContext)
    throw new Error(
      'SessionProvider only works in Client Components. Add "use client" at the top of the file that renders it.',
    )
  const { children, session, basePath, baseUrl, refetchInterval, refetchOnWindowFocus, refetchWhenOffline } = given
  checkProps(given, { component: "SessionProvider", props })
  if (basePath) config.basePath = basePath
  if (baseUrl) config.baseUrl = baseUrl

  const [client] = React.useState(() => createClient(session))
  // The client only changes after the effects below run, so the server and the first browser render get the same snapshot.
  const snapshot = React.useSyncExternalStore(client.subscribe, client.getSnapshot, client.getSnapshot)
  useIsomorphicLayoutEffect(() => mount(client), [client])
  useSessionProp(client, session)
  React.useEffect(
    () => client.start({ refetchInterval, refetchOnWindowFocus, refetchWhenOffline }),
    [client, refetchInterval, refetchOnWindowFocus, refetchWhenOffline],
  )
  const value = React.useMemo(() => ({ ...snapshot, update: client.update }) as SessionContextValue, [client, snapshot])
  return React.createElement(SessionContext.Provider, { value }, children)
}

function createClient(session: object | null | undefined): AuthClient {
  // The client doesn't look inside the session, so the application can use its own type.
  return createAuthClient(clientOptions(session as Session | null | undefined))
}

/** Takes a prop that differs from the previous one. `undefined` means that the page doesn't pass a session. */
function useSessionProp(client: AuthClient, session: object | null | undefined): void {
  const rendered = JSON.stringify(session)
  const last = React.useRef(rendered)
  useIsomorphicLayoutEffect(() => {
    if (rendered === undefined || rendered === last.current) return
    last.current = rendered
    client.adopt(session as Session | null)
  })
}
