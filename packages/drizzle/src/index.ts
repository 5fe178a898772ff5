export {
  drizzle,
  DrizzleAdapter,
  type DrizzleOptions,
  type DrizzleSessionAdapter,
  type NewUser,
  type StoredUser,
  type UserChanges,
  type UsersOf,
} from "./adapter.js"
export type { DrizzleDatabase } from "./database.js"
export type { Swept, SweepOptions } from "@latchkey/core/adapters"
export type {
  AccountsTable,
  AuthenticatorsTable,
  DrizzleTables,
  RateLimitsTable,
  RecordsTable,
  SessionsTable,
  UsersTable,
  VerificationTokensTable,
} from "./tables.js"
