import type { Framework } from "./plan.js"
import type { Result } from "./run.js"

/** Which entries explained differences, in how many scenarios. */
export interface Usage {
  add(framework: Framework, result: Result): void
  /** A table of all entries, with those last that no scenario used. */
  report(ids: readonly string[]): string
}

export function createUsage(): Usage {
  const used = new Map<string, number>()
  const scenarios = new Map<Framework, number>()
  let requests = 0
  let ended = 0
  return {
    add: (framework, result) => {
      scenarios.set(framework, (scenarios.get(framework) ?? 0) + 1)
      requests += result.requests
      if (result.ended) ended += 1
      for (const id of result.used) used.set(id, (used.get(id) ?? 0) + 1)
    },
    report: (ids) => {
      const counts = ids.map((id): [string, number] => [id, used.get(id) ?? 0]).toSorted((a, b) => b[1] - a[1])
      const unused = counts.filter(([, count]) => count === 0).map(([id]) => id)
      return [
        `${[...scenarios].map(([framework, count]) => `${count} on ${framework}`).join(", ")}: ${requests} requests`,
        `${ended} scenarios ended at a difference after which the libraries hold other data`,
        ...counts.filter(([, count]) => count > 0).map(([id, count]) => `${String(count).padStart(6)} ${id}`),
        `Not used: ${unused.join(", ") || "none"}`,
      ].join("\n")
    },
  }
}
