import { index, integer, primaryKey, sqliteTable, text } from "drizzle-orm/sqlite-core"
import {
  accountColumns,
  authenticatorColumns,
  sessionColumns,
  userColumns,
  verificationTokenColumns,
} from "./layouts/sqlite.js"

// The tables of `@auth/drizzle-adapter`, plus columns and indexes that may be missing.
// Columns and tables have other types in each database, so the schemas of the three repeat what they have in common.

/** Users. `extra` has the fields of `profile()` without a column, as JSON. */
export const users = sqliteTable("user", { ...userColumns(), extra: text("extra") })

const userId = () => users.id

/** Accounts at providers. `extra` has the fields of `account()` without a column, as JSON. */
export const accounts = sqliteTable("account", { ...accountColumns(userId), extra: text("extra") }, (table) => [
  primaryKey({ columns: [table.provider, table.providerAccountId] }),
  index("account_userId_index").on(table.userId),
])

/** Sessions. `details` has what users see about a session on the account page, as JSON. */
export const sessions = sqliteTable("session", { ...sessionColumns(userId), details: text("details") }, (table) => [
  index("session_userId_index").on(table.userId),
  index("session_expires_index").on(table.expires),
])

/** Tokens of email links. */
export const verificationTokens = sqliteTable("verificationToken", verificationTokenColumns(), (table) => [
  primaryKey({ columns: [table.identifier, table.token] }),
])

/** Passkeys. `details` has what users see about a passkey on the account page, as JSON. */
export const authenticators = sqliteTable(
  "authenticator",
  { ...authenticatorColumns(userId), details: text("details") },
  (table) => [primaryKey({ columns: [table.userId, table.credentialID] })],
)

/** Counts of sign-in attempts. Without this table, each process counts in memory. */
export const rateLimits = sqliteTable("rateLimit", {
  key: text("key").primaryKey(),
  points: integer("points").notNull(),
  /** 1 if the last attempt was refused, else 0. */
  refused: integer("refused").notNull(),
  /** End of the window in milliseconds since 1970. */
  resets: integer("resets").notNull(),
})

/** What modules keep. */
export const records = sqliteTable(
  "latchkey_records",
  {
    kind: text("kind").notNull(),
    key: text("key").notNull(),
    owner: text("owner"),
    index1: text("index1"),
    index2: text("index2"),
    /** JSON. */
    data: text("data").notNull(),
    version: integer("version").notNull(),
    /** In milliseconds since 1970. */
    expiresAt: integer("expires_at"),
  },
  (table) => [
    primaryKey({ columns: [table.kind, table.key] }),
    index("latchkey_records_owner_index").on(table.owner),
    index("latchkey_records_index1_index").on(table.index1),
    index("latchkey_records_index2_index").on(table.index2),
    index("latchkey_records_expires_at_index").on(table.expiresAt),
  ],
)
