import { newId } from "@latchkey/core/adapters"
import { type AnyMySqlColumn, boolean, datetime, int, mysqlTable, text, varchar } from "drizzle-orm/mysql-core"

// The layout of `@auth/drizzle-adapter` for MySQL. It limits tokens to 255 characters, and dates to seconds before 2038, which only
// matters when a table is created. So tokens are `text` here, and dates are `datetime(3)`, which no time zone shifts.
// Columns and tables have other types in each database, so the schemas of the three repeat what they have in common.

const key = (name: string) => varchar(name, { length: 255 })

export function userColumns() {
  return {
    id: varchar("id", { length: 255 }).primaryKey().$defaultFn(newId),
    name: varchar("name", { length: 255 }),
    email: varchar("email", { length: 255 }).unique(),
    emailVerified: datetime("emailVerified", { mode: "date", fsp: 3 }),
    image: text("image"),
  }
}

export function accountColumns(userId: () => AnyMySqlColumn) {
  return {
    userId: key("userId").notNull().references(userId, { onDelete: "cascade" }),
    type: key("type").notNull(),
    provider: key("provider").notNull(),
    providerAccountId: key("providerAccountId").notNull(),
    refresh_token: text("refresh_token"),
    access_token: text("access_token"),
    expires_at: int("expires_at"),
    token_type: key("token_type"),
    scope: text("scope"),
    id_token: text("id_token"),
    session_state: text("session_state"),
  }
}

export function sessionColumns(userId: () => AnyMySqlColumn) {
  return {
    sessionToken: key("sessionToken").primaryKey(),
    userId: key("userId").notNull().references(userId, { onDelete: "cascade" }),
    expires: datetime("expires", { mode: "date", fsp: 3 }).notNull(),
  }
}

export function verificationTokenColumns() {
  return {
    identifier: key("identifier").notNull(),
    token: key("token").notNull(),
    expires: datetime("expires", { mode: "date", fsp: 3 }).notNull(),
  }
}

export function authenticatorColumns(userId: () => AnyMySqlColumn) {
  return {
    credentialID: key("credentialID").notNull().unique(),
    userId: key("userId").notNull().references(userId, { onDelete: "cascade" }),
    providerAccountId: key("providerAccountId").notNull(),
    credentialPublicKey: text("credentialPublicKey").notNull(),
    counter: int("counter", { unsigned: true }).notNull(),
    credentialDeviceType: key("credentialDeviceType").notNull(),
    credentialBackedUp: boolean("credentialBackedUp").notNull(),
    transports: key("transports"),
  }
}

/** For queries only, so they have no keys. */
export function defaultTables() {
  const users = mysqlTable("user", userColumns())
  const userId = () => users.id
  return {
    users,
    accounts: mysqlTable("account", accountColumns(userId)),
    sessions: mysqlTable("session", sessionColumns(userId)),
    verificationTokens: mysqlTable("verificationToken", verificationTokenColumns()),
    authenticators: mysqlTable("authenticator", authenticatorColumns(userId)),
  }
}
