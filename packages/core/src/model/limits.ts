import type { Awaitable } from "./user.js"

/** So many attempts in so long. */
export interface RateLimit {
  /** Whole attempts, at least 1. */
  readonly points: number
  /** Length of the window, which begins with its first attempt. */
  readonly seconds: number
}

/**
 * Where attempts are counted. Several processes share their limits if they share the store.
 *
 * @example
 * ```ts
 * import type { RateLimitStore } from "@latchkey/core/types"
 * // One process, nothing ever forgotten: for a demonstration only.
 * const counts = new Map<string, number>()
 * export const store: RateLimitStore = {
 *   take(key, { points, seconds }) {
 *     const count = counts.get(key) ?? 0
 *     if (count < points) counts.set(key, count + 1)
 *     return { allowed: count < points, retryAfter: seconds }
 *   },
 * }
 * ```
 */
export interface RateLimitStore {
  /**
   * Takes one point, or refuses because none is left: in one atomic step, since attackers send in parallel. A refusal
   * takes nothing and does not make the window longer.
   *
   * @param key 64 hexadecimal digits that tell nothing about whom they stand for
   * @returns `retryAfter` in seconds, of use when refused
   */
  take(key: string, limit: RateLimit): Awaitable<{ readonly allowed: boolean; readonly retryAfter: number }>
  /** Gives back one point that was taken before: never more than are taken. `seconds` as it was taken with. */
  giveBack?(key: string, seconds: number): Awaitable<void>
}

/**
 * What costs: a password that is checked, a message that is sent, a link or code that is tried, an answer of a provider
 * that does not hold.
 */
export type RateLimitAction = "credentials" | "email" | "link" | "callback"

/** The limits of one action; `false`: none. What is left out keeps its default. */
export interface RateLimits {
  /** For one account or mailbox, from wherever. */
  readonly identifier?: RateLimit | false | undefined
  /** For one client address (IPv6: one /64), whoever is meant. */
  readonly address?: RateLimit | false | undefined
  /** For one account or mailbox from one address. */
  readonly both?: RateLimit | false | undefined
}

/** How often what costs may be tried. */
export interface RateLimitOptions {
  /** @default the memory of this process, with this configuration object */
  readonly store?: RateLimitStore | undefined
  /**
   * Windows are 15 minutes. `credentials`: 10 for both, 30 an identifier, 50 an address, and what succeeds is not
   * counted; `email`: 10 a mailbox, 30 an address; `link`: 50 an address, and 10 a mailbox for codes,
   * and for links where `generateVerificationToken` makes the tokens; `callback`: 50 an address, and only what fails is counted.
   */
  readonly limits?: { readonly [action in RateLimitAction]?: RateLimits | false | undefined } | undefined
  /**
   * How many proxies in front add to `X-Forwarded-For`: the client is the n-th entry from the right, whatever stands
   * left of it.
   *
   * @default what the integration says, if that is a public address; else, with `trustHost`, the right-most public entry
   */
  readonly trustedProxies?: number | undefined
  /** Finds the client's address where a platform has a header of its own for it; `undefined`: not known. */
  address?(headers: Headers): string | undefined
  /** Whether attempts are let through while the store fails; an error is logged either way. @default true */
  readonly failOpen?: boolean | undefined
}
