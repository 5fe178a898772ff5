import { bigint, index, int, longtext, mysqlTable, primaryKey, text, varchar } from "drizzle-orm/mysql-core"
import {
  accountColumns,
  authenticatorColumns,
  sessionColumns,
  userColumns,
  verificationTokenColumns,
} from "./layouts/mysql.js"

// The tables of `@auth/drizzle-adapter`, plus columns and indexes that may be missing.
// Columns and tables have other types in each database, so the schemas of the three repeat what they have in common.

/** Users. `extra` has the fields of `profile()` without a column, as JSON. */
export const users = mysqlTable("user", { ...userColumns(), extra: text("extra") })

const userId = () => users.id

/** Accounts at providers. `extra` has the fields of `account()` without a column, as JSON. */
export const accounts = mysqlTable("account", { ...accountColumns(userId), extra: text("extra") }, (table) => [
  primaryKey({ columns: [table.provider, table.providerAccountId] }),
  index("account_userId_index").on(table.userId),
])

/** Sessions. `details` has what users see about a session on the account page, as JSON. */
export const sessions = mysqlTable("session", { ...sessionColumns(userId), details: text("details") }, (table) => [
  index("session_userId_index").on(table.userId),
  index("session_expires_index").on(table.expires),
])

/** Tokens of email links. */
export const verificationTokens = mysqlTable("verificationToken", verificationTokenColumns(), (table) => [
  primaryKey({ columns: [table.identifier, table.token] }),
])

/** Passkeys. `details` has what users see about a passkey on the account page, as JSON. */
export const authenticators = mysqlTable(
  "authenticator",
  { ...authenticatorColumns(userId), details: text("details") },
  (table) => [primaryKey({ columns: [table.userId, table.credentialID] })],
)

/** Counts of sign-in attempts. Without this table, each process counts in memory. */
export const rateLimits = mysqlTable("rateLimit", {
  key: varchar("key", { length: 255 }).primaryKey(),
  points: int("points").notNull(),
  /** 1 if the last attempt was refused, else 0. */
  refused: int("refused").notNull(),
  /** End of the window in milliseconds since 1970. */
  resets: bigint("resets", { mode: "number" }).notNull(),
})

/** What modules keep. */
export const records = mysqlTable(
  "latchkey_records",
  {
    kind: varchar("kind", { length: 64 }).notNull(),
    key: varchar("key", { length: 255 }).notNull(),
    owner: varchar("owner", { length: 255 }),
    index1: varchar("index1", { length: 255 }),
    index2: varchar("index2", { length: 255 }),
    /** JSON. */
    data: longtext("data").notNull(),
    version: int("version").notNull(),
    /** In milliseconds since 1970. */
    expiresAt: bigint("expires_at", { mode: "number" }),
  },
  (table) => [
    primaryKey({ columns: [table.kind, table.key] }),
    index("latchkey_records_owner_index").on(table.owner),
    index("latchkey_records_index1_index").on(table.index1),
    index("latchkey_records_index2_index").on(table.index2),
    index("latchkey_records_expires_at_index").on(table.expiresAt),
  ],
)
