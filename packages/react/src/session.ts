import type { Session } from "@latchkey/core/types"

/**
 * The session type for a type argument of `useSession`. For `typeof auth`, it's what `auth()` resolves to, without `null`.
 * Any other type is the session type itself.
 */
export type SessionOf<A> = [A] extends [boolean]
  ? Session
  : A extends (...args: never[]) => infer R
    ? NonNullable<Awaited<R>>
    : A

/**
 * Sends `data` to the `jwt` and `session` callbacks of the server, or only reads the session if there is no `data`. The
 * old session stays until the new one arrives.
 *
 * @returns the new session, or `null` if the update failed
 */
export type UpdateSession<S = Session> = (data?: unknown) => Promise<S | null>

/**
 * What `useSession` returns.
 *
 * While `status` is `"loading"`, `data` is `undefined`. Its type is `null`, because applications written for `next-auth`
 * pass it on as `Session | null`.
 */
export type SessionContextValue<R extends boolean = false, S = Session> = R extends true
  ?
      | { update: UpdateSession<S>; data: S; status: "authenticated" }
      | { update: UpdateSession<S>; data: null; status: "loading" }
  :
      | { update: UpdateSession<S>; data: S; status: "authenticated" }
      | { update: UpdateSession<S>; data: null; status: "unauthenticated" }
      | { update: UpdateSession<S>; data: null; status: "loading" }
