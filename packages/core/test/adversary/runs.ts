import fc from "fast-check"
import { play, sequences } from "./play.js"

/** Sequences against sites of both modes. The vitest project `long` plays 8,000, `npm run adversary` 20,000. */
const total = Number(process.env["ADVERSARY_RUNS"] || 400)

/** The same sequences each time, so a failure comes from the change. */
const seed = Number(process.env["FUZZ_SEED"] || 20_261)
const path = process.env["FUZZ_PATH"]

/** Time limit of a test in milliseconds, for any number of sequences. */
export const patience: number = 60_000 + total * 200

export async function playMany(mode: "compatible" | "strict", numRuns = Math.ceil(total / 2)): Promise<void> {
  const replay = path === undefined ? {} : { path }
  await fc.assert(fc.asyncProperty(sequences(mode), play), { numRuns, seed, ...replay })
}
