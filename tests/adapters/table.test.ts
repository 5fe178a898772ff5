import { describe, expect, test } from "vitest"
import { canRun, enoughFor, measure, stable } from "./measure.js"
import { ours } from "./ours.js"
import { published } from "./published/index.js"
import { committedRow } from "./results.js"

/** The rest takes minutes, so `table.long.test.ts` has it. */
const quick = ["@latchkey/sql/sqlite SQLite", "@auth/pg-adapter PostgreSQL", "@auth/unstorage-adapter memory"]

const entries = [...ours, ...published].filter(({ name, database }) => quick.includes(`${name} ${database}`))

describe.each(entries)("$name over $database", (entry) => {
  test.skipIf(!canRun(entry))("keeps and breaks the promises that docs/evidence/adapters.md lists", async () => {
    expect(stable(await measure(entry, enoughFor(entry)))).toEqual(stable(committedRow(entry)))
  })
})
