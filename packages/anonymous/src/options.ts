import type { AdapterUser } from "@latchkey/core/adapters"

/** An anonymous user signed in as another user. */
export interface Upgrade {
  /** The anonymous user, who is removed afterwards. */
  readonly anonymous: AdapterUser
  /** The user who has signed in or up. */
  readonly user: AdapterUser
}

/** Options of `anonymous`. */
export interface AnonymousOptions {
  /**
   * Moves what belongs to the anonymous user. It isn't called if the anonymous user keeps the id, because a provider was linked to
   * them. It's called once. If it throws, or if the process ends while it runs, it's called again for the same two users, so make
   * it idempotent. Treat what is moved as the input of a visitor.
   *
   * @default nothing is moved
   */
  readonly onUpgrade?: ((upgrade: Upgrade) => void | Promise<void>) | undefined
  /** Anonymous users that one visitor (IP address) may create in an hour. @default 10 */
  readonly perHour?: number | undefined
}

/** Functions for server code, as the member `anonymous` of what the initializer returns. */
export interface AnonymousServer {
  isAnonymous(userId: string): Promise<boolean>
  /** Removes anonymous users whose sessions have ended, and repeats upgrades that failed. Call it from time to time, for example daily. */
  sweep(options?: SweepOptions): Promise<Swept>
}

export interface SweepOptions {
  /** How long ago an anonymous user has to have been created. @default 30 */
  readonly days?: number | undefined
}

export interface Swept {
  readonly removed: number
  /** Upgrades that were completed. */
  readonly upgraded: number
  /** The error of each anonymous user who couldn't be swept. The next call tries again. */
  readonly failed: readonly unknown[]
}

export const defaults = { perHour: 10, days: 30 } as const

export function problemsOf({ perHour = defaults.perHour }: AnonymousOptions): readonly string[] {
  return Number.isSafeInteger(perHour) && perHour >= 1 ? [] : ["`perHour` is a number of users, from 1 up"]
}
