import type { Session } from "@latchkey/core/types"

/**
 * The session that a server's `auth` gives: `typeof auth` → what its last overload promises, without `null`. Any other
 * type is taken for that of the session itself.
 */
export type SessionOf<A> = [A] extends [boolean]
  ? Session
  : A extends (...args: never[]) => infer R
    ? NonNullable<Awaited<R>>
    : A

/** See `update` of {@link SessionContextValue}. */
export type UpdateSession<S = Session> = (data?: unknown) => Promise<S | null>

/**
 * What `useSession` returns. While it is `loading`, `data` is `undefined` at run time; its type says `null`, since programs
 * written for `next-auth` hand it on as `Session | null`.
 *
 * `update(data)` hands `data` to the callbacks of the server, `update()` only reads again; the present session stays until
 * there is a new one. The promise is for the new session, or for `null` when it failed.
 */
export type SessionContextValue<R extends boolean = false, S = Session> = R extends true
  ?
      | { update: UpdateSession<S>; data: S; status: "authenticated" }
      | { update: UpdateSession<S>; data: null; status: "loading" }
  :
      | { update: UpdateSession<S>; data: S; status: "authenticated" }
      | { update: UpdateSession<S>; data: null; status: "unauthenticated" }
      | { update: UpdateSession<S>; data: null; status: "loading" }
