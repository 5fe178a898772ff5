import fc from "fast-check"
import { expect, test } from "vitest"
import { type InvariantId, invariants } from "../invariants.js"
import type * as Play from "../play.js"
import { holes } from "./all.js"

/** Sequences after which a hole counts as not found. Most are found within a hundred. */
const numRuns = Number(process.env["ADVERSARY_HOLE_RUNS"] || 3000)
const givenSeed = process.env["ADVERSARY_HOLE_SEED"]

/** Seeds that find a hole within a hundred sequences. With most others it takes 1,500, which is minutes. */
const quickSeeds: Readonly<Record<string, number>> = {
  "an email of any length is normalized": 3,
  "a cookie from before the switch needs no row": 4,
}

/** Names, separated by `|`. @default all */
const chosen = process.env["HOLES"]?.split("|")

const playable = holes.filter(({ name, breaks }) => breaks !== undefined && (chosen?.includes(name) ?? true))

test.each(playable)("random sequences find the hole: $name", { timeout: 600_000 }, async ({ name }) => {
  const { play, sequences } = (await import(
    /* @vite-ignore */ `../play.ts?hole=${encodeURIComponent(name)}`
  )) as typeof Play
  const seed = Number(givenSeed ?? quickSeeds[name] ?? 20_262)
  const {
    numRuns: played,
    counterexample,
    errorInstance,
  } = await fc.check(fc.asyncProperty(sequences(), play), { numRuns, seed })
  if (!(errorInstance instanceof Error)) expect.fail(`No sequence of ${played} finds the hole`)
  const { id } = errorInstance as Error & { readonly id?: InvariantId }
  console.log(`${name}\n  breaks ${id} after ${played} sequences: ${fc.stringify(counterexample?.[0]?.steps)}`)
  expect(Object.keys(invariants), String(errorInstance)).toContain(id)
})
