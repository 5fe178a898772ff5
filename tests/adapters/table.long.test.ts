import { describe, expect, test } from "vitest"
import { canRun, enoughFor, measure, stable, whole } from "./measure.js"
import { ours } from "./ours.js"
import { published } from "./published/index.js"
import { committedRow, writeRow } from "./results.js"

/** `npm run conformance` sets it. */
const writes = process.env["WRITE_CONFORMANCE"] === "1"
const entries = [...ours, ...published]

describe.each(entries)("$name over $database", (entry) => {
  test.skipIf(!canRun(entry))(
    "keeps and breaks the promises that docs/evidence/adapters.md lists",
    { timeout: 400_000 },
    async () => {
      const row = await measure(entry, writes ? whole : enoughFor(entry))
      if (writes) writeRow(row, entries)
      else expect(stable(row)).toEqual(stable(committedRow(entry)))
    },
  )
})
