/** Begins a transaction that ends when `work` does. */
export type RunTransaction<Inside> = (work: (inside: Inside) => Promise<void>) => PromiseLike<unknown>

/** Some libraries run a transaction only for a callback. This gives it a beginning and an end, as drivers of Kysely need. */
export class CallbackTransaction<Inside> {
  readonly inside: Inside
  /** Why the transaction ended early, such as a lost connection. */
  ended: { readonly cause: unknown } | undefined
  readonly #finished: PromiseLike<unknown>
  readonly #finish: (result: "commit" | "rollback") => void

  private constructor(inside: Inside, finished: PromiseLike<unknown>, finish: (result: "commit" | "rollback") => void) {
    this.inside = inside
    this.#finished = finished
    this.#finish = finish
    finished.then(undefined, (cause: unknown) => {
      this.ended = { cause }
    })
  }

  static begin<Inside>(run: RunTransaction<Inside>): Promise<CallbackTransaction<Inside>> {
    const { promise: decision, resolve: finish } = withResolvers<"commit" | "rollback">()
    return new Promise((resolve, reject) => {
      const finished = run(async (inside) => {
        // `finished` is assigned by now, because libraries ask the server before they call back.
        resolve(new CallbackTransaction(inside, finished, finish))
        if ((await decision) === "rollback") throw rolledBack
      })
      finished.then(undefined, reject)
    })
  }

  async commit(): Promise<void> {
    this.#finish("commit")
    await this.#finished
  }

  async rollback(): Promise<void> {
    if (this.ended) return
    this.#finish("rollback")
    try {
      await this.#finished
    } catch (error) {
      if (error !== rolledBack) throw error
    }
  }
}

const rolledBack = new Error("The transaction was rolled back.")

/** Node 20 has no `Promise.withResolvers`. */
function withResolvers<Value>(): { readonly promise: Promise<Value>; resolve(value: Value): void } {
  let settle: ((value: Value) => void) | undefined
  const promise = new Promise<Value>((resolve) => {
    settle = resolve
  })
  return { promise, resolve: (value) => settle?.(value) }
}
