export {
  conformance,
  type Runner,
  type TestAdapterOptions,
  testAdapter,
} from "./conformance.js"
export { allCapabilities, type Capability, type ConformanceCase, type Surroundings } from "./conformance/case.js"
export { BrokenPromise } from "./conformance/check.js"
export { type ConnectionLossOptions, testConnectionLoss } from "./connection-loss.js"
export { type MemoryAdapter, memoryAdapter, type Rows } from "./memory.js"
export { UniqueViolation } from "@latchkey/core/adapters"
