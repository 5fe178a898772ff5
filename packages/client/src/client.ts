import type { Session } from "@latchkey/core/types"
import { createSignIn, createSignOut } from "./actions.js"
import { createChannel } from "./channel.js"
import type {
  AuthClient,
  AuthClientOptions,
  ClientSafeProvider,
  Connection,
  GetSessionParams,
  SignIn,
  SignOut,
} from "./model.js"
import { sessionIn } from "./reader.js"
import { isRecord } from "./result.js"
import { createStore } from "./store.js"
import { createSync, type Sync } from "./sync.js"
import { createTransport, csrfTokenIn, isBrowser, type Transport } from "./transport.js"
import { watch } from "./watch.js"

/**
 * Creates a client for the auth routes of one server. It sends no request until you call a method.
 *
 * @example
 * ```ts
 * import { createAuthClient } from "@latchkey/client"
 *
 * const auth = createAuthClient({ basePath: "/auth" })
 * auth.subscribe(() => {
 *   const { data, status } = auth.getSnapshot()
 *   document.title = status === "authenticated" ? `Hello ${data.user?.name}` : "Please sign in"
 * })
 * const stop = auth.start({ refetchInterval: 300 })
 * addEventListener("pagehide", stop)
 * ```
 */
export function createAuthClient<S = Session>(options: AuthClientOptions<S> = {}): AuthClient<S> {
  const transport = createTransport(options)
  const store = createStore<S>(options.session)
  const channel = createChannel<S>(transport.baseUrl)
  const sync = createSync({ transport, store, channel })
  let stop: (() => void) | undefined
  let stoppedAt = Infinity
  let revalidatedAt = 0
  let revalidation: Promise<void> | undefined

  return {
    subscribe: store.subscribe,
    getSnapshot: store.get,
    start(watchOptions = {}) {
      stop?.()
      if (!isBrowser()) return () => {}
      const stopListening = channel.listen(sync.onMessage)
      const stopWatching = watch({ store, sync, channel }, watchOptions)
      // A stopped client misses messages from other tabs.
      if (store.get().status === "loading" || Date.now() - stoppedAt >= 5000) void sync.read()
      const stopThis = () => {
        if (stop !== stopThis) return
        stop = undefined
        stoppedAt = Date.now()
        stopListening()
        stopWatching()
      }
      stop = stopThis
      return stopThis
    },
    adopt(session) {
      const { status } = store.get()
      // While the database is down, a server renders pages without a session, too.
      if (session === null && status === "authenticated") return void sync.read({ fresh: true })
      const asOf = Date.now()
      store.set(session, asOf, true)
      // A server action signed in. The other tabs weren't rendered again, so tell them to ask the server.
      if (session !== null && status === "unauthenticated") channel.post({ trigger: "getSession", asOf })
    },
    revalidate() {
      // `setTimeout` converts its delay to 32 bits, so a large negative number can become a long delay.
      const wait = Math.max(0, revalidatedAt + 1000 - Date.now())
      return (revalidation ??= new Promise((resolve) => setTimeout(resolve, wait)).then(async () => {
        revalidatedAt = Date.now()
        revalidation = undefined
        await sync.read({ fresh: true })
      }))
    },
    async getSession(params = {}) {
      if (isBrowser()) return sync.read({ quiet: params.broadcast === false })
      // Don't store the session on a server: the next request comes from another visitor.
      return (sessionIn(await transport.send("session", { headers: cookieHeaderOf(params) })) ?? null) as S | null
    },
    async getCsrfToken() {
      return csrfTokenIn(await transport.get("csrf"))
    },
    async getProviders() {
      const { ok, body } = await transport.get("providers")
      // The `/providers` route of `@latchkey/core` returns this shape.
      return ok && isRecord(body) ? (body as Record<string, ClientSafeProvider>) : null
    },
    // `redirect` decides which overload applies.
    signIn: createSignIn(transport, sync) as SignIn,
    signOut: createSignOut(transport, sync) as SignOut,
    update: sync.update,
    connection: connectionOf(transport, sync),
  }
}

function connectionOf<S>({ send, navigate }: Transport, { runExclusive, read }: Sync<S>): Connection {
  return { send, navigate, runExclusive, read: async () => read({ fresh: true }) }
}

/** The cookies of a Node.js or web request. */
function cookieHeaderOf({ headers, req }: GetSessionParams): Record<string, string> {
  const given = headers ?? req?.headers
  const cookie =
    given && ("get" in given && typeof given.get === "function" ? given.get("cookie") : Object(given).cookie)
  return typeof cookie === "string" ? { cookie } : {}
}
