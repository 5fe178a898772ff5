import type { Adapter } from "@latchkey/core/adapters"
import { sqlite } from "@latchkey/sql/sqlite"

/** A database whose calls a test counts and holds. */
export interface Observed {
  readonly adapter: Required<Adapter>
  /** How often each method was called. */
  calls(name: keyof Adapter): number
  /**
   * Holds the next call of this method: the database has finished it, and its result hasn't been returned yet. Resolves when
   * it has finished.
   */
  hold(name: "getSessionAndUser" | "updateSession" | "getUser"): Held
}

interface Held {
  readonly finished: Promise<void>
  release(): void
}

export function observed(): Observed {
  const database = sqlite(":memory:")
  const counts = new Map<string, number>()
  const gates = new Map<string, () => Promise<void>>()
  const watch =
    <Values extends unknown[], T>(name: string, call: (...values: Values) => T | PromiseLike<T>) =>
    async (...values: Values): Promise<T> => {
      counts.set(name, (counts.get(name) ?? 0) + 1)
      const result = await call(...values)
      const gate = gates.get(name)
      gates.delete(name)
      await gate?.()
      return result
    }
  return {
    adapter: {
      ...database,
      getUser: watch("getUser", database.getUser),
      getSessionAndUser: watch("getSessionAndUser", database.getSessionAndUser),
      updateSession: watch("updateSession", database.updateSession),
      deleteSession: watch("deleteSession", database.deleteSession),
    },
    calls: (name) => counts.get(name) ?? 0,
    hold: (name) => {
      let finish = () => {}
      let release = () => {}
      const finished = new Promise<void>((resolve) => (finish = resolve))
      const released = new Promise<void>((resolve) => (release = resolve))
      gates.set(name, () => {
        finish()
        return released
      })
      return { finished, release: () => release() }
    },
  }
}
