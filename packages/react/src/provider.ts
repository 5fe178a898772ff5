import { type AuthClient, createAuthClient, type WatchOptions } from "@latchkey/client"
import type { Session } from "@latchkey/core/types"
import * as React from "react"
import { mount } from "./clients.js"
import { __NEXTAUTH as config, clientOptions } from "./config.js"
import type { SessionContextValue } from "./session.js"

export interface SessionProviderProps<S = Session> extends WatchOptions {
  readonly children?: React.ReactNode
  /**
   * The session as the server rendered it, `null` for nobody: then nothing has to be asked for. A later value that differs
   * is taken over. Default: the provider asks the server.
   */
  readonly session?: S | null | undefined
  /** Path below which the server answers. Default: that of `AUTH_URL` or `NEXTAUTH_URL`, else `/api/auth`. */
  readonly basePath?: string | undefined
  /** Origin of the server, if it is not that of the page. */
  readonly baseUrl?: string | undefined
}

/** For tests and stories that want to say what `useSession` returns; otherwise use {@link SessionProvider}. */
export const SessionContext: React.Context<SessionContextValue | undefined> =
  // There is no such function where server components are rendered.
  React.createContext?.<SessionContextValue | undefined>(undefined)

/** A server has nothing to paint, and says so when it is asked to. */
const useBeforePaint = typeof document === "undefined" ? React.useEffect : React.useLayoutEffect

/**
 * Knows the session for the components below it, and keeps it in step with the server and with other tabs.
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
 * @throws Error in a server component
 */
export function SessionProvider<S extends object = Session>(props: SessionProviderProps<S>): React.ReactElement {
  if (!SessionContext) throw new Error('SessionProvider is for client components: put it into a file with "use client"')
  const { children, session, basePath, baseUrl, refetchInterval, refetchOnWindowFocus, refetchWhenOffline } = props
  if (basePath) config.basePath = basePath
  if (baseUrl) config.baseUrl = baseUrl

  const [client] = React.useState(() => begin(session))
  // Nothing changes before the effects below have begun: a server and the first render in the browser see the same.
  const snapshot = React.useSyncExternalStore(client.subscribe, client.getSnapshot, client.getSnapshot)
  useBeforePaint(() => mount(client), [client])
  useRendered(client, session)
  React.useEffect(
    () => client.start({ refetchInterval, refetchOnWindowFocus, refetchWhenOffline }),
    [client, refetchInterval, refetchOnWindowFocus, refetchWhenOffline],
  )
  const value = React.useMemo(() => ({ ...snapshot, update: client.update }) as SessionContextValue, [client, snapshot])
  return React.createElement(SessionContext.Provider, { value }, children)
}

function begin(session: object | null | undefined): AuthClient {
  // What the server rendered is the session, in the application's own shape.
  return createAuthClient(clientOptions(session as Session | null | undefined))
}

/** Takes over a prop that differs from the one before; a page that was rendered without it says nothing. */
function useRendered(client: AuthClient, session: object | null | undefined): void {
  const rendered = JSON.stringify(session)
  const last = React.useRef(rendered)
  useBeforePaint(() => {
    if (rendered === undefined || rendered === last.current) return
    last.current = rendered
    client.adopt(session as Session | null)
  })
}
