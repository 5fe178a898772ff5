import {
  type AuthClient,
  type AuthClientOptions,
  createAuthClient,
  type Snapshot,
  type WatchOptions,
} from "@latchkey/client"
import type { Session } from "@latchkey/core/types"
import {
  type App,
  computed,
  type ComputedRef,
  getCurrentInstance,
  inject,
  type InjectionKey,
  onMounted,
  type Plugin,
  shallowRef,
  type ShallowRef,
} from "vue"

export type {
  AuthClient,
  ClientSafeProvider,
  SignInAuthorizationParams,
  SignInOptions,
  SignInResponse,
  SignOutParams,
  SignOutResponse,
} from "@latchkey/client"

/** The options of {@link createAuth}. */
export interface AuthOptions<S = Session> extends AuthClientOptions<S>, WatchOptions {}

/** What `useSession` returns. */
export interface UseSessionReturn<S = Session> {
  /** The session, `null` if no user is signed in, or `undefined` while it's being read. */
  readonly data: ComputedRef<S | null | undefined>
  readonly status: ComputedRef<Snapshot<S>["status"]>
  /**
   * Sends `data` to the `jwt` and `session` callbacks of the server, or only reads the session if there is no `data`. The
   * old session stays until the new one arrives.
   *
   * @returns the new session, or `null` if the update failed
   */
  readonly update: (data?: unknown) => Promise<S | null>
}

interface Auth<S = Session> {
  readonly client: AuthClient<S>
  readonly snapshot: Readonly<ShallowRef<Snapshot<S>>>
  /** Keeps the session in sync from now on. */
  readonly start: () => void
}

const key: InjectionKey<Auth> = Symbol("latchkey")

/**
 * Creates the plugin that gives components the session. Create one for each application, and on a server one for each
 * request.
 *
 * @example
 * ```ts
 * import { createAuth } from "@latchkey/vue"
 * import { createApp, defineComponent } from "vue"
 *
 * createApp(defineComponent({})).use(createAuth({ basePath: "/auth" })).mount("#app")
 * ```
 */
export function createAuth<S = Session>(options: AuthOptions<S> = {}): Plugin<[]> & { readonly client: AuthClient<S> } {
  const client = createAuthClient<S>(options)
  return {
    client,
    install(app: App) {
      const snapshot = shallowRef(client.getSnapshot())
      let stop: (() => void) | undefined
      const unsubscribe = client.subscribe(() => {
        snapshot.value = client.getSnapshot()
      })
      app.onUnmount(() => {
        unsubscribe()
        stop?.()
      })
      const start = () => {
        stop ??= client.start(options)
      }
      // The client doesn't look inside the session, so the application can use its own type.
      app.provide(key, { client, snapshot, start } as Auth)
    },
  }
}

/**
 * Returns the current session. Its type is `Session`, which you can augment. `useSession<MySession>()` has the type that the
 * `session` callback of your server returns.
 *
 * @example
 * ```ts
 * import { useSession } from "@latchkey/vue"
 * import { computed } from "vue"
 *
 * export function useGreeting() {
 *   const { data } = useSession()
 *   return computed(() => (data.value ? `Hello ${data.value.user?.name}` : "Please sign in"))
 * }
 * ```
 * @throws Error without the plugin
 */
export function useSession<S = Session>(): UseSessionReturn<S> {
  // The server's callbacks decide the shape; the caller passes its type.
  const { client, snapshot, start } = injected() as Auth<S>
  // The first render in a browser has to show what the server rendered, so the session is read after it.
  if (getCurrentInstance() !== null) onMounted(start)
  return {
    data: computed(() => snapshot.value.data),
    status: computed(() => snapshot.value.status),
    update: client.update,
  }
}

/**
 * Returns the client with `signIn`, `signOut`, `getProviders`, `getCsrfToken` and `revalidate`.
 *
 * @example
 * ```ts
 * import { useAuth } from "@latchkey/vue"
 *
 * export function useLeave() {
 *   const { signOut } = useAuth()
 *   return () => signOut({ redirectTo: "/goodbye" })
 * }
 * ```
 * @throws Error without the plugin
 */
export function useAuth(): AuthClient {
  return injected().client
}

function injected(): Auth {
  const auth = inject(key, undefined)
  if (auth === undefined) throw new Error("useSession and useAuth need the plugin: app.use(createAuth())")
  return auth
}
