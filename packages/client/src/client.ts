import type { Session } from "@latchkey/core/types"
import { openChannel } from "./channel.js"
import type { AuthClient, AuthClientOptions, ClientSafeProvider, GetSessionParams, SignIn, SignOut } from "./model.js"
import { isRecord } from "./result.js"
import { signInOver } from "./sign-in.js"
import { signOutOver } from "./sign-out.js"
import { hold } from "./state.js"
import { sessionIn } from "./reader.js"
import { synchronise } from "./sync.js"
import { watch } from "./watch.js"
import { inBrowser, openWire, tokenOf } from "./wire.js"

/**
 * A client for one server. It does nothing until it is asked or started.
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
  const wire = openWire(options)
  const state = hold<S>(options.session)
  const channel = openChannel<S>(wire.base)
  const sync = synchronise({ wire, state, channel })
  let stop: (() => void) | undefined
  let stopped = Infinity
  let revalidated = 0
  let revalidating: Promise<void> | undefined

  return {
    subscribe: state.subscribe,
    getSnapshot: state.get,
    start(watchOptions = {}) {
      stop?.()
      if (!inBrowser()) return () => {}
      const ends = [channel.listen(sync.hear), watch({ state, sync, channel }, watchOptions)]
      // What happened while nobody listened was not heard.
      if (state.get().status === "loading" || Date.now() - stopped >= 5000) void sync.read()
      const end = () => {
        if (stop !== end) return
        stop = undefined
        stopped = Date.now()
        for (const one of ends) one()
      }
      stop = end
      return end
    },
    adopt(session) {
      const before = state.get().status
      const asOf = Date.now()
      state.settle(session, asOf, true)
      // A server action signed in or out; the other tabs have not been rendered again.
      if (before !== "loading" && before !== state.get().status) channel.tell({ trigger: "getSession", asOf })
    },
    revalidate() {
      // Browsers read what is below zero as something far away.
      const wait = Math.max(0, revalidated + 1000 - Date.now())
      return (revalidating ??= new Promise((resolve) => setTimeout(resolve, wait)).then(async () => {
        revalidated = Date.now()
        revalidating = undefined
        await sync.read({ anew: true })
      }))
    },
    async getSession(params = {}) {
      if (inBrowser()) return sync.read({ quiet: params.broadcast === false })
      // What one visitor is must not be kept where another's page is made.
      return (sessionIn(await wire.send("session", { headers: cookieOf(params) })) ?? null) as S | null
    },
    async getCsrfToken() {
      return tokenOf(await wire.ask("csrf"))
    },
    async getProviders() {
      const { ok, body } = await wire.ask("providers")
      // The shape is that of our own endpoint (spec/http.md §7).
      return ok && isRecord(body) ? (body as Record<string, ClientSafeProvider>) : null
    },
    // Which of the overloads holds is decided by `redirect`.
    signIn: signInOver(wire, sync) as SignIn,
    signOut: signOutOver(wire, sync) as SignOut,
    update: sync.update,
  }
}

/** Of a request in the form of Node or of the web. */
function cookieOf({ headers, req }: GetSessionParams): Record<string, string> {
  const given = headers ?? req?.headers
  const cookie =
    given && ("get" in given && typeof given.get === "function" ? given.get("cookie") : Object(given).cookie)
  return typeof cookie === "string" ? { cookie } : {}
}
