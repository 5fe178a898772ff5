import { memoryAdapter } from "@latchkey/adapter-kit/memory"
import { sqlite } from "@latchkey/sql/sqlite"
import { testModule } from "@latchkey/testing"
import { describe, test } from "vitest"
import { anonymous } from "../src/index.js"

const stores = { "in memory": memoryAdapter, "in SQLite": () => sqlite(":memory:") }

for (const [name, adapter] of Object.entries(stores)) {
  testModule({ name: `anonymous ${name}`, create: () => anonymous(), adapter }, { describe, test })
}
