import {
  type AuthClient,
  createAuthClient,
  type EveryProp,
  type Snapshot,
  warnOfUnknownProps,
  type WatchOptions,
} from "@latchkey/client"
import type { Session } from "@latchkey/core/types"
import {
  type Accessor,
  createComponent,
  createContext,
  createEffect,
  createSignal,
  DEV,
  type JSX,
  on,
  onCleanup,
  onMount,
  untrack,
  useContext,
} from "solid-js"

export interface SessionProviderProps<S = Session> extends WatchOptions {
  readonly children?: JSX.Element
  /**
   * The session that the server rendered, or `null` if the visitor isn't signed in. It saves the first request. If the
   * prop changes, the provider takes the new value. @default the provider asks the server
   */
  readonly session?: S | null | undefined
  /** Path of the auth routes. @default "/auth" */
  readonly basePath?: string | undefined
  /** Origin of the server. @default the origin of the page */
  readonly baseUrl?: string | undefined
}

const known: EveryProp<SessionProviderProps> = {
  children: true,
  session: true,
  basePath: true,
  baseUrl: true,
  refetchInterval: true,
  refetchOnWindowFocus: true,
  refetchWhenOffline: true,
}

interface Provided {
  readonly client: AuthClient
  readonly snapshot: Accessor<Snapshot>
  /** The sign-in page of the server. */
  readonly signInPage: () => string
}

const SessionContext = createContext<Provided>()

/**
 * Provides the session to `useSession`, and keeps it in sync with the server and with other tabs.
 *
 * @example
 * ```ts
 * import { SessionProvider } from "@latchkey/solid"
 * import { createComponent, type JSX } from "solid-js"
 *
 * export const Providers = (props: { children: JSX.Element }) =>
 *   createComponent(SessionProvider, {
 *     basePath: "/auth",
 *     get children() {
 *       return props.children
 *     },
 *   })
 * ```
 */
export function SessionProvider<S extends object = Session>(props: SessionProviderProps<S>): JSX.Element {
  // Undefined in the production build of Solid.
  if (DEV !== undefined) warnOfUnknownProps(props, { component: "SessionProvider", props: known })
  // The client reads the paths for each request, so it follows the props.
  const options = {
    session: sessionIn(untrack(() => props.session)),
    get basePath() {
      return untrack(() => props.basePath) || "/auth"
    },
    get baseUrl() {
      return untrack(() => props.baseUrl)
    },
  }
  const client = createAuthClient(options)
  const [snapshot, setSnapshot] = createSignal<Snapshot>(client.getSnapshot())
  onMount(() => onCleanup(client.subscribe(() => setSnapshot(client.getSnapshot()))))
  createEffect(
    on(
      () => JSON.stringify(props.session),
      (text) => {
        if (text !== undefined) client.adopt(sessionIn(props.session) ?? null)
      },
      { defer: true },
    ),
  )
  createEffect(() => {
    const { refetchInterval, refetchOnWindowFocus, refetchWhenOffline } = props
    onCleanup(client.start({ refetchInterval, refetchOnWindowFocus, refetchWhenOffline }))
  })
  const value: Provided = {
    client,
    snapshot,
    signInPage: () => `${options.baseUrl ?? ""}${options.basePath.replace(/\/+$/, "")}/signin`,
  }
  return createComponent(SessionContext.Provider, {
    value,
    get children() {
      return props.children
    },
  })
}

/** The client doesn't look inside the session, so the application can use its own type. */
function sessionIn(session: object | null | undefined): Session | null | undefined {
  return session as Session | null | undefined
}

/** What the nearest provider has. @throws Error outside a `SessionProvider` */
export function useProvided(caller: string): Provided {
  const provided = useContext(SessionContext)
  if (provided === undefined)
    throw new Error(`${caller} needs a <SessionProvider>. Wrap the components that use it, for example in src/app.tsx.`)
  return provided
}

/**
 * Returns the client of the nearest `SessionProvider`, which signs in and out.
 *
 * @example
 * ```ts
 * import { useAuthClient } from "@latchkey/solid"
 *
 * export function useSignOut(): () => Promise<void> {
 *   const client = useAuthClient()
 *   return () => client.signOut({ redirectTo: "/" })
 * }
 * ```
 * @throws Error outside a `SessionProvider`
 */
export function useAuthClient(): AuthClient {
  return useProvided("useAuthClient").client
}
