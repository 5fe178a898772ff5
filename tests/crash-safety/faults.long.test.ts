import { breakStores } from "./faults.js"

await breakStores(
  "crash_faults_long",
  (kind, { setting: { mode, strategy } }) => kind === "PostgreSQL" && (mode !== "strict" || strategy !== "database"),
)
