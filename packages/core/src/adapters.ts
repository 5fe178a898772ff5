export type {
  Adapter,
  AdapterAccount,
  AdapterAccountType,
  AdapterAuthenticator,
  AdapterSession,
  AdapterUser,
  PasskeyDetails,
  SessionDetails,
  VerificationToken,
} from "./model/adapter.js"
export type {
  Bump,
  NewRecord,
  RecordIndex,
  RecordPage,
  RecordStore,
  RecordWrite,
  StoredRecord,
} from "./model/records.js"

export {
  assertBatch,
  assertRecord,
  bumpBySwapping,
  indexEntry,
  inLockOrder,
  isExpiredRecord,
  pageOf,
} from "./model/record-rules.js"
export {
  type AccountMethods,
  accountMethods,
  type AdapterTable,
  type AuthenticatorMethods,
  authenticatorMethods,
  type LastRows,
  type SessionMethods,
  sessionMethods,
  type TokenMethods,
  tokenMethods,
  type UserMethods,
  userMethods,
} from "./store-kit/adapter-table.js"
export {
  type ApplicationTable,
  authenticatorsIn,
  entitiesIn,
  neededColumns,
  type RowTaking,
  type StoredRow,
  takeRow,
  type TextChange,
  tokensIn,
} from "./store-kit/application-table.js"
export { type ComparedStorage, comparedRecords, type RecordChange } from "./store-kit/compared-records.js"
export {
  checkedWrites,
  type RecordAccess,
  recordsIn,
  type RecordKey,
  type RecordTable,
  type TimedWrite,
  writeAllOrNone,
  writeRecord,
} from "./store-kit/record-writes.js"
export {
  assertStorable,
  detailsOf,
  fieldsFromJson,
  fieldsToJson,
  isStorable,
  newId,
  UniqueViolation,
} from "./store-kit/stored-values.js"
export { type SweepOptions, type Swept, sweepTable, type SweptTable } from "./store-kit/sweep.js"
export { memoryRateLimitStore } from "./limits/memory-store.js"
export type { JsonArray, JsonObject, JsonPrimitive, JsonValue } from "./model/user.js"

const isoInstant = /^(?:[+-]\d{2})?\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?(?:Z|[+-]\d{2}:\d{2})$/

/**
 * Whether a value is an ISO 8601 date and time with a time zone. Adapters over databases that store text use it to turn
 * dates back into `Date` objects.
 *
 * @example
 * ```ts
 * import { isDate } from "@latchkey/core/adapters"
 * const expires = isDate("2030-01-01T00:00:00.000Z") // true
 * ```
 */
export function isDate(value: unknown): value is string {
  return typeof value === "string" && isoInstant.test(value) && !Number.isNaN(Date.parse(value))
}
