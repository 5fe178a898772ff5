import { memoryAdapter } from "@latchkey/adapter-kit/memory"
import { testModule } from "@latchkey/testing"
import { describe, test } from "vitest"
import { deviceBound } from "../src/index.js"

testModule({ name: "device-bound", create: () => deviceBound(), adapter: memoryAdapter }, { describe, test })
