import type { Adapter } from "@auth/qwik/adapters"
import { sqlite } from "@latchkey/sql/sqlite"

/** The names of the adapter methods that were called since the last look. */
export const calls: string[] = []

let opened: Adapter | undefined

export function store(path: string): Adapter {
  opened ??= recorded(sqlite(path))
  return opened
}

function recorded(adapter: object): Adapter {
  return new Proxy(adapter, {
    get(target, name, receiver) {
      const method: unknown = Reflect.get(target, name, receiver)
      if (typeof method !== "function") return method
      return (...given: unknown[]) => {
        calls.push(String(name))
        return method.apply(target, given)
      }
    },
  })
}
