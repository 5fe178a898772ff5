export { type SqlAdapter, type SqlAdapterOptions, sqlAdapter } from "./adapter.js"
export { UniqueViolation } from "./failures.js"
