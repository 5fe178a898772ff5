import type { Session } from "@latchkey/core/types"

/**
 * The session type for a type argument of `useSession`. For `typeof getSession`, it's what `getSession()` resolves to, without
 * `null`. Any other type is the session type itself.
 */
export type SessionOf<A> = A extends (...args: never[]) => infer R ? NonNullable<Awaited<R>> : A

/**
 * Sends `data` to the `jwt` and `session` callbacks of the server, or only reads the session if there is no `data`. The
 * old session stays until the new one arrives.
 *
 * @returns the new session, or `null` if the update failed
 */
export type UpdateSession<S = Session> = (data?: unknown) => Promise<S | null>

interface Authenticated<S> {
  readonly data: S
  readonly status: "authenticated"
  readonly update: UpdateSession<S>
}

interface Loading<S> {
  readonly data: undefined
  readonly status: "loading"
  readonly update: UpdateSession<S>
}

interface Unauthenticated<S> {
  readonly data: null
  readonly status: "unauthenticated"
  readonly update: UpdateSession<S>
}

/** What `useSession` returns. The fields are reactive, so don't destructure it. */
export type SessionState<R extends boolean = false, S = Session> = R extends true
  ? Authenticated<S> | Loading<S>
  : Authenticated<S> | Unauthenticated<S> | Loading<S>
