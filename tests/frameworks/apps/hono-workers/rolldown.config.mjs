import { join } from "node:path"

export default {
  input: "src/worker.ts",
  platform: "neutral",
  tsconfig: false,
  external: [/^(?:node|cloudflare):/],
  resolve: {
    mainFields: ["module", "main"],
    conditionNames: ["workerd", "import", "default"],
    // The suite's configuration opens SQLite, which a Worker doesn't have.
    alias: { "@latchkey/sql/sqlite": join(import.meta.dirname, "src/store.ts") },
  },
  output: { file: "dist/worker.js", codeSplitting: false },
}
