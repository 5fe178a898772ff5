import { type MemoryAdapter, memoryAdapter } from "@latchkey/adapter-kit"
import type { Adapter } from "@latchkey/core/adapters"

export interface Defect {
  readonly what: string
  readonly make: () => Adapter
  /** Ids of all cases that fail. */
  readonly breaks: readonly string[]
}

/** A memory adapter with some methods replaced. */
export function over(methods: (good: MemoryAdapter) => Partial<Adapter>): () => Adapter {
  return () => {
    const good = memoryAdapter()
    return { ...good, ...methods(good) }
  }
}

export const caseInsensitive: Intl.Collator = new Intl.Collator("en", { sensitivity: "base" })
