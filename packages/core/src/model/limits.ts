import type { Awaitable } from "./user.js"

/** A number of attempts in a window of time. */
export interface RateLimit {
  /** Attempts per window: an integer of at least 1. */
  readonly points: number
  /** Length of the window in seconds. It begins with the first attempt. */
  readonly seconds: number
  /**
   * Seconds between further attempts when the points are used up. After twenty in an hour it's at least a minute.
   *
   * @default none: further attempts are refused until the window ends
   */
  readonly thenEvery?: number | undefined
}

/**
 * Counts attempts. Processes that share a store share their limits.
 *
 * @example
 * ```ts
 * import type { RateLimitStore } from "@latchkey/core/types"
 * // For a demonstration only: it counts in one process and never forgets.
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
   * Takes one point, or refuses if none is left. This must be one atomic step, because attackers send requests in
   * parallel. A refusal takes no point and doesn't extend the window.
   *
   * @param key 64 hex digits that reveal nothing about the user or IP address
   * @returns `retryAfter` is in seconds and matters only for a refusal
   */
  take(key: string, limit: RateLimit): Awaitable<{ readonly allowed: boolean; readonly retryAfter: number }>
  /** Returns one point. The count must not fall below zero. `seconds` is the window that the point was taken from. */
  giveBack?(key: string, seconds: number): Awaitable<void>
}

/**
 * What is limited. `credentials`: checking a password. `email`: sending a message. `link`: trying an email link or code.
 * `factor`: answering a second factor. `callback`: a callback of a provider that fails.
 */
export type RateLimitAction = "credentials" | "email" | "link" | "factor" | "callback" | "webauthn"

/** Limits for one action. `false` turns a limit off, and an omitted one keeps its default. */
export interface RateLimits {
  /** For one account or email, from any IP address. */
  readonly identifier?: RateLimit | false | undefined
  /** For one IP address (of IPv6, one /64 network), for any account. */
  readonly address?: RateLimit | false | undefined
  /** For one account or email from one IP address. */
  readonly both?: RateLimit | false | undefined
  /**
   * For one account or email from a browser that it signed in with before. The other limits don't count such attempts, so
   * attackers can't lock the owner out. `false`: no browser is known.
   */
  readonly device?: RateLimit | false | undefined
}

/** Options of `rateLimit`. */
export interface RateLimitOptions {
  /** @default `rateLimits` of the adapter, else the memory of this process */
  readonly store?: RateLimitStore | undefined
  /**
   * Limits by action.
   *
   * @default Windows of 15 minutes. `credentials`: `both` 10, `device` 10, `identifier` 30, `address` 50; a success isn't
   * counted. `email`: `both` 5, `device` 5, `identifier` 10, `address` 30. `link`: `address` 50, and `both` 8, `device` 8,
   * `identifier` 10 for codes and for tokens of your own `generateVerificationToken`. `factor`: `both` 8, `identifier` 10,
   * `address` 50; a right answer isn't counted. `callback` and `webauthn` (options for passkeys, and invalid passkeys): `address`
   * 50. After these, `identifier` lets one more attempt through every 2 seconds (`credentials`), 60 seconds (`email`) or 120
   * seconds (`link`, `factor`).
   */
  readonly limits?: { readonly [action in RateLimitAction]?: RateLimits | false | undefined } | undefined
  /**
   * Number of proxies that append to `X-Forwarded-For`. With 2, the client is the second entry from the right. Entries
   * before it are ignored, because a client can forge them.
   *
   * @default the IP address of the connection if it's public, else with `trustHost` the last public entry. Since a client may
   * have written that entry, its limits only slow further attempts down
   */
  readonly trustedProxies?: number | undefined
  /** Returns the client's IP address, for platforms with their own header for it. `undefined`: not known. */
  address?(headers: Headers): string | undefined
  /** Counts in memory while the store fails. `false` refuses attempts. An error is logged in any case. @default true */
  readonly failOpen?: boolean | undefined
}
