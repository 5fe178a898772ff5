/** Remembers for a while what changed. It forgets the oldest changes first, so its size is bounded. */
export class RecentChanges {
  /** When to forget each key, the oldest first. */
  readonly #until = new Map<string, number>()
  readonly #lifetimeMs: number
  readonly #maxSize: number

  constructor(lifetimeMs: number, maxSize: number) {
    this.#lifetimeMs = lifetimeMs
    this.#maxSize = maxSize
  }

  add(key: string): void {
    this.#until.delete(key)
    this.#until.set(key, performance.now() + this.#lifetimeMs)
    for (const [oldest, until] of this.#until) {
      if (this.#until.size <= this.#maxSize && until > performance.now()) return
      this.#until.delete(oldest)
    }
  }

  has(key: string): boolean {
    const until = this.#until.get(key)
    return until !== undefined && until > performance.now()
  }
}
