export { type MemoryAdapter, memoryAdapter, type Rows } from "./memory.js"
export { UniqueViolation } from "./unique-violation.js"
