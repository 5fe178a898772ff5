import type { SecurityEventName } from "./security-catalogue.js"

export type { SecurityEventName }

/**
 * What happened to the security of an account or of the site, for an audit log. It contains no secret, email or name.
 *
 * @example
 * ```ts
 * import type { AuthConfig } from "@latchkey/core"
 *
 * export const config: AuthConfig = {
 *   providers: [],
 *   events: { security: (event) => console.log(JSON.stringify(event)) },
 * }
 * ```
 */
export interface SecurityEvent {
  /** One of the catalogue. Those of modules begin with the id of the module, such as `api-keys.created`. */
  readonly name: SecurityEventName | ModuleEventName
  readonly outcome: "success" | "failure"
  readonly at: Date
  /** Who did it. */
  readonly actor: SecurityActor
  /** Whom it concerns. */
  readonly subject: SecuritySubject
  /**
   * Names the session, in the same way as `sessions()` of the account. A session without a row in the database has another name
   * after each renewal. `undefined`: there was none.
   */
  readonly session: string | undefined
  /** `undefined`: the application did it outside of a request. */
  readonly request: SecurityRequest | undefined
  /** The type of the error, or what the application gave as the reason. */
  readonly reason?: string | undefined
  readonly data?: SecurityData | undefined
}

/** The intersection keeps TypeScript from dropping the names of the catalogue from the union. */
export type ModuleEventName = `${string}.${string}` & Record<never, never>

export type SecurityActor =
  | { readonly kind: "user"; readonly id: string }
  | { readonly kind: "visitor" }
  | { readonly kind: "application" }

export type SecuritySubject =
  | { readonly kind: "user"; readonly id: string }
  /** No user is known. `provider` is the id of what was tried. */
  | { readonly kind: "attempt"; readonly provider: string | undefined }

export interface SecurityRequest {
  readonly method: string | undefined
  /** That of the auth route, without the query. `undefined`: a function without a route. */
  readonly path: string | undefined
  /** As rate limits see it: an IPv6 address stands for its /64. `undefined`: not known, or private. */
  readonly ip: string | undefined
  /** The client may have written `ip` itself. */
  readonly isIpForgeable: boolean
  /** At most 200 characters. */
  readonly userAgent: string | undefined
}

export type SecurityData = Readonly<Record<string, string | number | boolean | readonly string[] | undefined>>
