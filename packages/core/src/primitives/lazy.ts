import type { Awaitable } from "./awaitable.js"

/** Loads something on first use: what is asked for, or a module that exports it as its default. */
export type Lazily<T> = () => Awaitable<T | { readonly default: T }>

/** The thing itself, loaded if need be. */
export async function loaded<T extends object>(given: T | Lazily<T>): Promise<T> {
  if (typeof given !== "function") return given
  const found = await given()
  return "default" in found ? found.default : found
}
