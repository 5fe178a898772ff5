import type { Adapter } from "@latchkey/core/adapters"
import { type ConformanceCase, hasAll, missing, type Surroundings, type WithMethods } from "../conformance/case.js"
import { fail } from "../conformance/check.js"

/** One call during which the connection breaks. */
export interface Operation {
  readonly id: string
  /** Title of the test: a sentence. */
  readonly name: string
  readonly part: ConformanceCase["part"]
  /** Stores the rows that the call needs. */
  prepare(adapter: Adapter, surroundings: Surroundings): Promise<Attempt>
}

export interface Attempt {
  operate(): unknown
  /** Checks what is stored, over a connection that works. */
  verify(outcome: PromiseSettledResult<unknown>): Promise<void>
}

export function defineOperation<const Needs extends keyof Adapter>(
  head: Pick<Operation, "id" | "name" | "part">,
  needs: readonly Needs[],
  prepare: (adapter: WithMethods<Needs>, options: Surroundings) => Promise<Attempt>,
): Operation {
  return {
    ...head,
    prepare: async (adapter, surroundings) => {
      if (!hasAll(adapter, needs)) fail(`The adapter has the methods ${needs.join(", ")}`, missing(adapter, needs))
      return prepare(adapter, surroundings)
    },
  }
}

/**
 * Checks a write: if it's stored, it's complete, and if the call succeeded, it's stored. A write that isn't stored can be
 * repeated.
 *
 * @param isStored checks that the write is there with all its parts, or not at all
 */
export async function expectAllOrNothing(
  outcome: PromiseSettledResult<unknown>,
  isStored: () => Promise<boolean>,
  repeat: () => unknown,
): Promise<void> {
  const stored = await isStored()
  if (stored) return
  if (outcome.status === "fulfilled") fail("A call that succeeds stores its write", "no write")
  await repeat()
  if (!(await isStored())) fail("A call that failed can be repeated", "no write")
}

/** Fails if only some of these rows are there. Returns whether they are. */
export function expectSame(requirement: string, rows: Readonly<Record<string, boolean>>): boolean {
  const states = Object.values(rows)
  if (new Set(states).size > 1) fail(requirement, JSON.stringify(rows))
  return states[0] === true
}
