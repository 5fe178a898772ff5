import type { AuditEntry, AuditSink } from "@latchkey/audit"

export interface MemorySink extends AuditSink {
  readonly entries: readonly AuditEntry[]
  readonly calls: readonly number[]
  /** What the next writes do. @default they keep the entries */
  next: "keep" | "throw" | "hang"
  /** Ends the writes that hang. */
  release(): void
}

/** A sink that can fail. */
export function memorySink(name = "memory"): MemorySink {
  const entries: AuditEntry[] = []
  const calls: number[] = []
  let hanging: (() => void)[] = []
  const sink: MemorySink = {
    name,
    entries,
    calls,
    next: "keep",
    release() {
      for (const end of hanging.splice(0)) end()
      hanging = []
    },
    async write(given) {
      calls.push(given.length)
      if (sink.next === "throw") throw new Error("connection lost")
      if (sink.next === "hang") await new Promise<void>((resolve) => hanging.push(resolve))
      entries.push(...given)
    },
  }
  return sink
}
