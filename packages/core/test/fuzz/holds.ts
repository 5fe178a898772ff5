import fc from "fast-check"
import { expect } from "vitest"

/** Runs of each property: 2,000 unless the environment sets another number. The vitest project `long` sets 10,000. */
const total = Number(process.env["FUZZ_RUNS"] || 2000)

/** The same inputs each time, so a failure comes from the change. Another `FUZZ_SEED` gives new ones. */
const seed = Number(process.env["FUZZ_SEED"] || 20_261)

/** Time limit of a test in milliseconds, for any number of runs. */
export const patience: number = 60_000 + total * 30

/** Properties that send whole requests get this share of the runs. */
export function runs(share = 1): number {
  return Math.max(1, Math.ceil(total * share))
}

type Property<T> = fc.IRawProperty<T>

/** Tests a property with the configured number of inputs, and that no shared prototype was changed. */
export async function holds<T>(property: Property<T>, share = 1): Promise<void> {
  await fc.assert(property, { numRuns: runs(share), seed })
  expectPristine()
}

const shared = [Object, Array, Function, String, Number, Promise, Map, Error].map(({ prototype }) => prototype)

function members(): unknown {
  return shared.map((prototype) => Reflect.ownKeys(prototype))
}

const pristine = members()

/** No key was added to `Object.prototype`. */
export function expectPristine(): void {
  expect(members()).toEqual(pristine)
  expect(Object.keys({})).toEqual([])
  expect(Reflect.get({}, "polluted")).toBeUndefined()
}

/** The error that this throws or rejects with; `undefined`: none. */
export async function thrownBy(work: () => unknown): Promise<unknown> {
  try {
    await work()
  } catch (cause) {
    return cause
  }
  return undefined
}
