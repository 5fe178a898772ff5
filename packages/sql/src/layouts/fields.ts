import type { Kind } from "../flavors/flavor.js"
import type { TableName } from "./table-map.js"

/** What the tables of published adapters contain. */
export interface TableFields {
  /** Each of them needs a column. */
  readonly required: Readonly<Record<string, Kind>>
  readonly optional: Readonly<Record<string, Kind | "details">>
  /** The fields of its unique key. */
  readonly key: readonly string[]
  /** Other columns of the application are fields with the name of the column. */
  readonly isOpen?: true
}

export const tableFields: Readonly<Record<TableName, TableFields>> = {
  users: {
    required: { id: "key", email: "key", emailVerified: "instant" },
    optional: { name: "text", image: "text" },
    key: ["email"],
    isOpen: true,
  },
  accounts: {
    required: { provider: "key", providerAccountId: "key", userId: "key", type: "text" },
    optional: {
      refresh_token: "text",
      access_token: "text",
      expires_at: "number",
      token_type: "text",
      scope: "text",
      id_token: "text",
      session_state: "text",
    },
    key: ["provider", "providerAccountId"],
    isOpen: true,
  },
  sessions: {
    required: { sessionToken: "key", userId: "key", expires: "instant" },
    optional: { details: "details" },
    key: ["sessionToken"],
    isOpen: true,
  },
  verificationTokens: {
    required: { identifier: "key", token: "key", expires: "instant" },
    optional: {},
    key: ["identifier", "token"],
  },
  authenticators: {
    required: {
      credentialID: "key",
      userId: "key",
      providerAccountId: "text",
      credentialPublicKey: "text",
      counter: "number",
      credentialDeviceType: "text",
      credentialBackedUp: "boolean",
    },
    optional: { transports: "text", details: "details" },
    key: ["credentialID"],
  },
  rateLimits: {
    required: { key: "key", points: "number", refused: "number", resets: "number" },
    optional: {},
    key: ["key"],
  },
}
