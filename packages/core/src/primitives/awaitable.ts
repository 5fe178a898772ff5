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

/** Calls the function at most once, and returns the same result each time. */
export function once<T>(make: () => T): () => T {
  let made: { readonly result: T } | undefined
  return () => (made ??= { result: make() }).result
}

/** {@link once} for a module. One that couldn't be read, such as with too many open files, is tried again at the next call. */
export function loadOnce<T>(load: () => Promise<T>): () => Promise<T> {
  let loading: Promise<T> | undefined
  return () =>
    (loading ??= load().catch((cause: unknown) => {
      loading = undefined
      throw cause
    }))
}

/** A function that loads on its first call. */
export function onFirstUse<Args extends readonly unknown[], T>(
  load: () => Promise<(...args: Args) => Awaitable<T>>,
): (...args: Args) => Promise<T> {
  let loaded: ((...args: Args) => Awaitable<T>) | undefined
  return async (...args) => {
    loaded ??= await load()
    return loaded(...args)
  }
}

/** Each takes a connection of the database. */
const maxAtOnce = 10

/** Waits for all of them, then fails if one did: a failure keeps no other one from being done. */
export async function eachAtOnce<T>(items: readonly T[], work: (item: T) => Promise<void>): Promise<void> {
  const failures: unknown[] = []
  const left = items.values()
  const worker = async () => {
    for (const item of left) await work(item).catch((cause: unknown) => void failures.push(cause))
  }
  await Promise.all(Array.from({ length: Math.min(maxAtOnce, items.length) }, worker))
  if (failures.length > 0) throw failures[0]
}
