import { memoryAdapter } from "@latchkey/adapter-kit/memory"
import { sqlite } from "@latchkey/sql/sqlite"
import { testModule } from "@latchkey/testing"
import { describe, test } from "vitest"
import { logout } from "../src/index.js"

const stores = { "in memory": memoryAdapter, "in SQLite": () => sqlite(":memory:") }

const config = { security: { revocableSessions: true } }

for (const [name, adapter] of Object.entries(stores)) {
  const subject = { create: () => logout({ frontChannel: true }), adapter, config }
  testModule({ name: `logout ${name}`, ...subject }, { describe, test })
}
