import { newId } from "@latchkey/core/adapters"
import { type AnyPgColumn, bigint, boolean, integer, pgTable, text, timestamp } from "drizzle-orm/pg-core"

// The layout of `@auth/drizzle-adapter` for PostgreSQL. Its counter has 31 bits, but that of a passkey can have 32 (WebAuthn §6.1), which
// only matters when the table is created. So it's a `bigint` here.
// Columns and tables have other types in each database, so the schemas of the three repeat what they have in common.

export function userColumns() {
  return {
    id: text("id").primaryKey().$defaultFn(newId),
    name: text("name"),
    email: text("email").unique(),
    emailVerified: timestamp("emailVerified", { mode: "date" }),
    image: text("image"),
  }
}

export function accountColumns(userId: () => AnyPgColumn) {
  return {
    userId: text("userId").notNull().references(userId, { onDelete: "cascade" }),
    type: text("type").notNull(),
    provider: text("provider").notNull(),
    providerAccountId: text("providerAccountId").notNull(),
    refresh_token: text("refresh_token"),
    access_token: text("access_token"),
    expires_at: integer("expires_at"),
    token_type: text("token_type"),
    scope: text("scope"),
    id_token: text("id_token"),
    session_state: text("session_state"),
  }
}

export function sessionColumns(userId: () => AnyPgColumn) {
  return {
    sessionToken: text("sessionToken").primaryKey(),
    userId: text("userId").notNull().references(userId, { onDelete: "cascade" }),
    expires: timestamp("expires", { mode: "date" }).notNull(),
  }
}

export function verificationTokenColumns() {
  return {
    identifier: text("identifier").notNull(),
    token: text("token").notNull(),
    expires: timestamp("expires", { mode: "date" }).notNull(),
  }
}

export function authenticatorColumns(userId: () => AnyPgColumn) {
  return {
    credentialID: text("credentialID").notNull().unique(),
    userId: text("userId").notNull().references(userId, { onDelete: "cascade" }),
    providerAccountId: text("providerAccountId").notNull(),
    credentialPublicKey: text("credentialPublicKey").notNull(),
    counter: bigint("counter", { mode: "number" }).notNull(),
    credentialDeviceType: text("credentialDeviceType").notNull(),
    credentialBackedUp: boolean("credentialBackedUp").notNull(),
    transports: text("transports"),
  }
}

/** For queries only, so they have no keys. */
export function defaultTables() {
  const users = pgTable("user", userColumns())
  const userId = () => users.id
  return {
    users,
    accounts: pgTable("account", accountColumns(userId)),
    sessions: pgTable("session", sessionColumns(userId)),
    verificationTokens: pgTable("verificationToken", verificationTokenColumns()),
    authenticators: pgTable("authenticator", authenticatorColumns(userId)),
  }
}
