export type { UnstorageAdapterOptions } from "./options.js"
export type { SweepOptions, Swept } from "./sweep.js"
export { type LatchkeyUnstorageAdapter, unstorage, UnstorageAdapter } from "./unstorage.js"
