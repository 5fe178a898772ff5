export { type SqlAdapter, sqlAdapter } from "./adapter.js"
export { UniqueViolation } from "@latchkey/core/adapters"
export type { SqlAdapterOptions } from "./options.js"
export type { SqlRecordStore } from "./records.js"
