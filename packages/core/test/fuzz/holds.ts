import fc from "fast-check"
import { expect } from "vitest"

/** Runs of each property: 2,000 unless the environment says otherwise. The project `long` of vitest makes 20,000. */
const total = Number(process.env["FUZZ_RUNS"] || 2000)

/** The same inputs each time, so that a change is judged by what it does; with another `FUZZ_SEED` there are new ones. */
const seed = Number(process.env["FUZZ_SEED"] || 20_261)

/** Milliseconds that a test may take, whatever the number of runs. */
export const patience: number = 60_000 + total * 30

/** Properties that drive whole requests share the runs of one: each gets this part of them. */
export function runs(share = 1): number {
  return Math.max(1, Math.ceil(total * share))
}

type Property<T> = fc.IRawProperty<T>

/** Whether this is so for as many inputs as asked for, and whether everybody's prototypes came out of it unharmed. */
export async function holds<T>(property: Property<T>, share = 1): Promise<void> {
  await fc.assert(property, { numRuns: runs(share), seed })
  expectPristine()
}

const shared = [Object, Array, Function, String, Number, Promise, Map, Error].map(({ prototype }) => prototype)

function members(): unknown {
  return shared.map((prototype) => Reflect.ownKeys(prototype))
}

const pristine = members()

/** No key of a stranger's has found its way into what all objects share. */
export function expectPristine(): void {
  expect(members()).toEqual(pristine)
  expect(Object.keys({})).toEqual([])
  expect(Reflect.get({}, "polluted")).toBeUndefined()
}

/** What this throws or rejects with; `undefined`: nothing. */
export async function thrownBy(work: () => unknown): Promise<unknown> {
  try {
    await work()
  } catch (cause) {
    return cause
  }
  return undefined
}
