import {
  type AuthClient,
  type AuthClientOptions,
  createAuthClient,
  type Snapshot,
  type WatchOptions,
} from "@latchkey/client"
import type { Session } from "@latchkey/core/types"
import { createSubscriber } from "svelte/reactivity"

export type { AuthClient, ClientSafeProvider, SignInOptions, SignInResponse, SignOutParams } from "@latchkey/client"
export type { Session }

/** The options of the client, and when it reads the session again. */
export interface SvelteAuthOptions<S = Session> extends Omit<AuthClientOptions<S>, "session">, WatchOptions {}

/** The session of the user. A component that reads a property is rendered again when the session changes. */
export interface SessionState<S = Session> {
  /** `null` if no user is signed in, or while `status` is `"loading"`. */
  readonly data: S | null
  readonly status: "loading" | "authenticated" | "unauthenticated"
  /**
   * Sends `data` to the `jwt` and `session` callbacks of the server. Without `data`, it only reads the session.
   *
   * @returns the new session, or `null` if the update failed
   */
  update(data?: unknown): Promise<S | null>
}

/** The functions of a client. */
export interface SvelteAuth<S = Session>
  extends Pick<AuthClient<S>, "signIn" | "signOut" | "getSession" | "getProviders" | "getCsrfToken" | "update"> {
  /**
   * The session in a component. Tabs stay in sync, and a session that expires is read again.
   *
   * @param rendered returns the session that the server rendered the page with. Without it, the browser reads it first
   */
  useSession(rendered?: () => S | null | undefined): SessionState<S>
}

/**
 * Creates the functions for the auth routes of one server. Call it once, in a module of your application.
 *
 * @example
 * ```ts
 * import { createSvelteAuth } from "@latchkey/svelte"
 *
 * export const { useSession, signIn, signOut } = createSvelteAuth({ basePath: "/auth", refetchInterval: 300 })
 * ```
 */
export function createSvelteAuth<S = Session>(options: SvelteAuthOptions<S> = {}): SvelteAuth<S> {
  const client = createAuthClient<S>(options)
  const subscribe = createSubscriber((update) => {
    const stops = [client.subscribe(update), client.start(options)]
    return () => {
      for (const stop of stops) stop()
    }
  })
  /** The last session that a page was rendered with. A component that appears later may still have it. */
  let adopted: S | null | undefined

  function adopt(session: S | null): void {
    adopted = session
    client.adopt(session)
  }

  function useSession(rendered: () => S | null | undefined = () => undefined): SessionState<S> {
    const first = rendered()
    if (isBrowser() && first !== undefined && first !== adopted) adopt(first)
    const current = (): Snapshot<S> => {
      const given = rendered()
      // The module is shared by all requests on a server, so it must not keep the session of one.
      if (!isBrowser()) return snapshotOf(given)
      subscribe()
      if (given === undefined || given === adopted) return client.getSnapshot()
      // A form action signed in or out. State can't change while a component reads it.
      queueMicrotask(() => given !== adopted && adopt(given))
      // The client asks the server whether the session has ended.
      return given === null ? client.getSnapshot() : snapshotOf(given)
    }
    return {
      get data() {
        return current().data ?? null
      },
      get status() {
        return current().status
      },
      update: client.update,
    }
  }

  const { signIn, signOut, getSession, getProviders, getCsrfToken, update } = client
  return { useSession, signIn, signOut, getSession, getProviders, getCsrfToken, update }
}

/** {@link createSvelteAuth} with the auth routes at `/auth`. */
const auth: SvelteAuth = createSvelteAuth()

export const useSession: SvelteAuth["useSession"] = auth.useSession
export const signIn: SvelteAuth["signIn"] = auth.signIn
export const signOut: SvelteAuth["signOut"] = auth.signOut

function isBrowser(): boolean {
  return typeof document !== "undefined"
}

function snapshotOf<S>(session: S | null | undefined): Snapshot<S> {
  if (session === undefined) return { data: undefined, status: "loading" }
  return session === null ? { data: null, status: "unauthenticated" } : { data: session, status: "authenticated" }
}
