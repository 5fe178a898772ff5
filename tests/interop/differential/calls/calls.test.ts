// Direct calls of the functions that both libraries export, with random arguments. FUZZ_RUNS is the number of calls of each
// function, and FUZZ_SEED makes others.
import { expect, test } from "vitest"
import { subjects } from "./all.js"

const { FUZZ_RUNS = "2000" } = process.env

test.each(subjects.map((subject) => [subject.name, subject] as const))(
  "%s differs from next-auth only where docs/differences.md says so, and shows each of these rows",
  async (_, subject) => {
    const { used, failure } = await subject.check(Number(FUZZ_RUNS))
    expect(failure, failure).toBeUndefined()
    expect(used.toSorted()).toEqual(subject.rowIds.toSorted())
  },
)
