import type { ModuleParts, RecordTypes } from "@latchkey/core/module"
import type { SecurityEvent } from "@latchkey/core/types"
import { createIds, entryOf } from "./entry.js"
import { type AuditOptions, type AuditServer, type AuditSink, defaults, type Flushed, problemsOf } from "./options.js"
import { createQueue } from "./queue.js"

/** The entries of one configuration, in the order in which they came. */
export interface Trail extends AuditServer {
  /** @throws Error about a sink that fails, now and then. Core logs it. */
  write(event: SecurityEvent): Promise<void>
}

export function trailOf(options: AuditOptions): Trail {
  const { sinks = defaults.sinks, timeoutMs = defaults.timeoutMs, maxWaiting = defaults.maxWaiting } = options
  const nextId = createIds()
  const queues = sinks.map((sink) => createQueue({ sink, timeoutMs, maxWaiting, nextId }))
  const flush = async () => totalOf(await Promise.all(queues.map((queue) => queue.flush())))
  return {
    async write(event) {
      const entry = entryOf(event, nextId)
      const written = await Promise.allSettled(queues.map((queue) => queue.add(entry)))
      const problems = written.flatMap((each): unknown[] => (each.status === "rejected" ? [each.reason] : []))
      if (problems.length > 1) throw new AggregateError(problems, "Several sinks of the audit log fail")
      for (const problem of problems) throw problem
    },
    flush,
    async close() {
      const flushed = await flush()
      await Promise.allSettled(sinks.map(async (sink: AuditSink) => sink.close?.()))
      return flushed
    },
  }
}

function totalOf(all: readonly Flushed[]): Flushed {
  const sum = (of: keyof Flushed) => all.reduce((total, each) => total + each[of], 0)
  return { waiting: sum("waiting"), lost: sum("lost") }
}

export function partsOf(options: AuditOptions, { flush, close }: Trail): ModuleParts<RecordTypes, AuditServer> {
  return {
    events: { lost: "Entries were lost, because a sink failed for a long time." },
    check: () => problemsOf(options),
    // It issues nothing.
    revoke: () => undefined,
    async export(_, { id }) {
      const kept = await Promise.all((options.sinks ?? []).map(async (sink) => sink.export?.(id) ?? []))
      return kept.flat()
    },
    server: () => ({ flush, close }),
  }
}
