import type { EventCallbacks } from "./callbacks.js"
import type { AuthRequest, AuthResult } from "./http.js"
import type { AuthContext } from "./auth.js"
import type { Proof, Verdict } from "./signin.js"
import type { Session } from "./session.js"
import type { Awaitable } from "./user.js"

/** One endpoint of a module below the base path. `POST` requires the CSRF check unless `csrf` is `false`. */
export interface ModuleRoute {
  readonly csrf?: boolean
  handle(auth: AuthContext, request: AuthRequest): Awaitable<AuthResult>
}

/**
 * An extension. Five seams, all optional: data in, data out; nothing is edited after it is made.
 *
 * @example
 * ```ts
 * import type { Module } from "@latchkey/core"
 * export const closedAtNight = (hour: () => number): Module => ({
 *   id: "closed-at-night",
 *   guard: () => (hour() < 6 ? { kind: "deny", reason: "We are asleep" } : { kind: "allow" }),
 * })
 * ```
 */
export interface Module {
  /** Letters, digits and `-`; unique in the configuration. */
  readonly id: string
  /** Keys are `"GET name"` or `"POST name"`; `name` is one path segment that no built-in action has. */
  readonly routes?: Readonly<Record<string, ModuleRoute>>
  /** Recognises a visitor who brought no session cookie, for instance by an API key. */
  identify?(visitor: { readonly headers: Headers; readonly origin: string }): Awaitable<Session | null>
  /** Has a say after the `signIn` callback allowed a sign-in and before anything is written. */
  guard?(attempt: { readonly proof: Proof; readonly incoming: AuthRequest }): Awaitable<Verdict>
  /** Adds to the session after the `session` callback. */
  session?(params: { readonly session: Session; readonly headers: Headers }): Awaitable<Session>
  readonly events?: EventCallbacks
}
