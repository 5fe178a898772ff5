/** Options of `redisCache`. */
export interface RedisCacheOptions {
  /** Prefix of all keys. Must differ for each app and database that share a Redis. @default "latchkey:cache:" */
  readonly prefix?: string
  /**
   * How long a copy of a session or user is used, in seconds. Writes through this adapter are seen at once, and other changes
   * in the database after this time.
   *
   * @default 60
   */
  readonly ttlSeconds?: number
  /** How long an unknown token isn't looked up again, in seconds. 0: it always is. @default 10 */
  readonly unknownTtlSeconds?: number
  /** How long Redis may take to respond, in milliseconds. @default 500 */
  readonly timeoutMillis?: number
  /** How long reads don't ask Redis after a failure, in milliseconds. @default 2000 */
  readonly retryMillis?: number
  /** Called once per outage of Redis. @default logs a warning with `console.warn` */
  readonly onError?: (error: unknown) => void
}
