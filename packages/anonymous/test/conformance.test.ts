import { memoryAdapter } from "@latchkey/adapter-kit/memory"
import { testModule } from "@latchkey/testing"
import { describe, test } from "vitest"
import { anonymous } from "../src/index.js"

testModule({ name: "anonymous", create: () => anonymous(), adapter: memoryAdapter }, { describe, test })
