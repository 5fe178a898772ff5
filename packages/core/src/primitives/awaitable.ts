export type Awaitable<T> = T | PromiseLike<T>

/**
 * Like `await`, but synchronous for a synchronous value: an `await` on every layer costs more than a decryption. It isn't
 * called `then`, because a module with an export of that name is a thenable and `import()` would call it.
 */
export function andThen<T, U>(value: Awaitable<T>, next: (value: T) => Awaitable<U>): Awaitable<U> {
  return isPromise(value) ? Promise.resolve(value).then(next) : next(value)
}

export function isPromise<T>(value: Awaitable<T>): value is PromiseLike<T> {
  return typeof value === "object" && value !== null && "then" in value
}

/** Loads a value on first use: the value itself, or a module that has it as its default export. */
export type Lazily<T> = () => Awaitable<T | { readonly default: T }>

export async function loaded<T extends object>(given: T | Lazily<T>): Promise<T> {
  if (typeof given !== "function") return given
  const found = await given()
  return "default" in found ? found.default : found
}
