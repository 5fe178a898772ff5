import type { Database } from "./database.js"
import type { Store } from "./store.js"

/** What other entries of this package need of an adapter. */
export interface Opened {
  readonly database: Database
  readonly store: Store
}

/** Bundlers copy modules, so it's the same symbol in each copy. Objects that adapters are spread into have it, too. */
const opened = Symbol.for("@latchkey/sql opened")

export function keepOpened<A extends object>(adapter: A, of: Opened): A {
  return Object.assign(adapter, { [opened]: of })
}

/** @throws TypeError if the adapter isn't one of this package */
export function openedIn(adapter: object): Opened {
  const found: unknown = Reflect.get(adapter, opened)
  if (found === undefined)
    throw new TypeError(
      "The adapter isn't one of `@latchkey/sql`. Pass what `postgres()`, `mysql()` or `sqlite()` returns.",
    )
  return found as Opened
}
