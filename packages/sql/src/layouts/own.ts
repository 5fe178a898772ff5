import type { Flavor, Kind } from "../flavors/flavor.js"
import { storingDetails } from "./details.js"
import type { Column, Layout, TableMap, TableName } from "./table-map.js"
import type { Names } from "./names.js"

interface OwnTable {
  /** The content of the column for each field. */
  readonly fields: Readonly<Record<string, Kind | "details">>
  readonly hasRest?: true
}

/** The tables that the migrations create. */
const ownTables: Readonly<Record<TableName, OwnTable>> = {
  users: {
    fields: { id: "key", email: "key", emailVerified: "instant", name: "text", image: "text" },
    hasRest: true,
  },
  accounts: {
    fields: { provider: "shortKey", providerAccountId: "longKey", userId: "key", type: "text" },
    hasRest: true,
  },
  sessions: {
    fields: { sessionToken: "key", userId: "key", expires: "instant", details: "details" },
    hasRest: true,
  },
  verificationTokens: { fields: { identifier: "longKey", token: "shortKey", expires: "instant" } },
  authenticators: {
    fields: {
      credentialID: "base64Key",
      userId: "key",
      providerAccountId: "text",
      credentialPublicKey: "text",
      counter: "number",
      credentialDeviceType: "text",
      credentialBackedUp: "boolean",
      transports: "text",
      details: "details",
    },
  },
  rateLimits: { fields: { key: "key", points: "number", refused: "number", resets: "number" } },
}

/** The layout of the tables that this package creates. */
export function ownLayout(flavor: Flavor, names: Names): Layout {
  const map = (table: TableName) => mapOf(flavor, names, table)
  return {
    isOwn: true,
    orphans: [],
    tables: {
      users: map("users"),
      accounts: map("accounts"),
      sessions: map("sessions"),
      verificationTokens: map("verificationTokens"),
      authenticators: map("authenticators"),
      rateLimits: map("rateLimits"),
    },
  }
}

function mapOf(flavor: Flavor, names: Names, table: TableName): TableMap {
  const { fields, hasRest } = ownTables[table]
  const column = (field: string, kind: Kind): Column => ({
    field,
    name: names.column(table, field),
    storage: flavor.storage(kind, flavor.ownTypes[kind]),
  })
  const columns = Object.entries(fields).map(([field, kind]): Column => {
    if (kind !== "details") return column(field, kind)
    const { storage, ...rest } = column(field, "json")
    return { ...rest, storage: storingDetails(storage), merges: true, optional: true }
  })
  const rest: Column | undefined = hasRest && { ...column("extra", "json"), merges: true }
  return { name: names.table(table), columns, rest, dropped: new Set(), guards: [] }
}
