import { breakStores } from "./faults.js"

/** faults.long.test.ts has the other settings of `security` and of sessions over PostgreSQL. */
await breakStores(
  "crash_faults",
  (kind, { setting: { mode, strategy } }) => kind === "SQLite" || (mode === "strict" && strategy === "database"),
)
