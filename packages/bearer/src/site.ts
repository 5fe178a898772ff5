import type { Context } from "./context.js"
import type { Algorithm, BearerOptions } from "./options.js"

/** The options with their defaults. */
export interface Site extends Omit<BearerOptions, "clients"> {
  readonly algorithm: Algorithm
  readonly scopes: readonly string[]
  readonly clients: NonNullable<BearerOptions["clients"]>
  readonly maxAge: number
  readonly refreshMaxAge: number
  /** Nothing is stored, so nothing but the token itself can be asked. */
  readonly isStateless: boolean
}

/** With keys of the configuration and without clients, there's nothing to store. */
export function isStateless({ keys, clients = [] }: BearerOptions): boolean {
  return keys !== undefined && clients.length === 0
}

export function siteOf(options: BearerOptions): Site {
  return {
    ...options,
    algorithm: options.algorithm ?? "ES256",
    scopes: options.scopes ?? [],
    clients: options.clients ?? [],
    maxAge: options.maxAge ?? 600,
    refreshMaxAge: options.refreshMaxAge ?? 90 * 86_400,
    isStateless: isStateless(options),
  }
}

/** The URL of a route, without what the request adds to it. */
export function endpoint({ url }: Context, route: string): string {
  const { origin, pathname } = new URL(url(route))
  return origin + pathname
}

export function issuerOf({ issuer }: Site, context: Context): string {
  return issuer ?? endpoint(context, "")
}

/** The `client_id` of tokens for pages and server code of the site itself. */
export const ownClient = "web"
