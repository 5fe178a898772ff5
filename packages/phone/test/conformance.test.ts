import { memoryAdapter } from "@latchkey/adapter-kit/memory"
import { testModule } from "@latchkey/testing"
import { describe, test } from "vitest"
import { phone } from "../src/index.js"

testModule(
  { name: "phone", create: () => phone({ send: () => undefined }), adapter: memoryAdapter },
  { describe, test },
)
