import * as cache from "next/cache.js"

/**
 * Waits until a request renders. With Cache Components, Next.js prerenders up to the first use of `io()`, which may come
 * after `headers()`, and reports code that reads the clock earlier. `connection()` fails in `"use cache: private"`.
 */
export async function requestTime(): Promise<void> {
  await ioOf(cache)?.()
}

/** `undefined` in versions without Cache Components, and in a test that mocks the module. A mock of vitest throws. */
function ioOf(given: { readonly io?: unknown }): (() => unknown) | undefined {
  try {
    return typeof given.io === "function" ? (given.io as () => unknown) : undefined
  } catch {
    return undefined
  }
}
