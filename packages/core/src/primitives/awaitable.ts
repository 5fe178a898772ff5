export type Awaitable<T> = T | PromiseLike<T>

/**
 * Keeps what can be synchronous synchronous: an `await` on every layer costs more than a decryption. Not called `then`:
 * a module with an export of that name is a thenable, and importing it at run time would call it.
 */
export function andThen<T, U>(value: Awaitable<T>, next: (value: T) => Awaitable<U>): Awaitable<U> {
  return isPromise(value) ? Promise.resolve(value).then(next) : next(value)
}

export function isPromise<T>(value: Awaitable<T>): value is PromiseLike<T> {
  return typeof value === "object" && value !== null && "then" in value
}
