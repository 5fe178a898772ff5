import { readFileSync, writeFileSync } from "node:fs"
import { page, withTable } from "../conformance.mjs"
import { must } from "../shell.mjs"
import { root, shown } from "../workspace.mjs"

/** Measures every adapter, and writes the table in docs/evidence/adapters.md. Needs PostgreSQL, MariaDB and Redis. */
export async function conformance() {
  await must("vitest", ["run", "--project=long", "tests/adapters/table.long.test.ts"], {
    cwd: root,
    env: { ...process.env, WRITE_CONFORMANCE: "1" },
    advice: "Fix the problems above.",
  })
  writeFileSync(page, withTable(readFileSync(page, "utf8")))
  console.log(`Written: ${shown(page)}`)
}
