import {
  type CreateTableBuilder,
  type ColumnDefinitionBuilder,
  type Compilable,
  type Kysely,
  type SchemaModule,
  sql,
} from "kysely"
import type { ColumnTypes, Flavor, Kind } from "./flavors/flavor.js"
import type { Names } from "./layouts/names.js"
import type { TableName } from "./layouts/table-map.js"
import { recordsStatements } from "./records-table.js"

/** A database whose tables are created. */
export interface Target {
  readonly db: Kysely<unknown>
  readonly flavor: Flavor
  readonly types: ColumnTypes
  readonly names: Names
}

export interface Migration {
  readonly name: string
  /** Whether the adapter works without it. */
  readonly isOptional?: true
  statements(target: Target): readonly Compilable[]
}

/** In this order. Never change a published migration; add another one. */
export const migrations: readonly Migration[] = [
  {
    name: "0001_users",
    statements: (target) => {
      const users = table(target, "users")
        .column("id", "key", (column) => column.primaryKey().notNull())
        .column("email", "key", (column) => column.unique())
        .column("emailVerified", "instant")
        .column("name", "text")
        .column("image", "text")
        .column("extra", "json", required)
      const accounts = table(target, "accounts")
        .column("provider", "shortKey", required)
        .column("providerAccountId", "longKey", required)
        .column("userId", "key", required)
        .column("type", "text", required)
        .column("extra", "json", required)
        .primaryKey("accounts_key", ["provider", "providerAccountId"])
        .owner("accounts_user_id_fkey")
      return [users.build(), accounts.build(), index(target, "accounts", "userId")]
    },
  },
  {
    name: "0002_sessions",
    statements: (target) => {
      const sessions = table(target, "sessions")
        .column("sessionToken", "key", (column) => column.primaryKey().notNull())
        .column("userId", "key", required)
        .column("expires", "instant", required)
        .column("extra", "json", required)
        .owner("sessions_user_id_fkey")
      const tokens = table(target, "verificationTokens")
        .column("identifier", "longKey", required)
        .column("token", "shortKey", required)
        .column("expires", "instant", required)
        .primaryKey("verification_tokens_key", ["identifier", "token"])
      return [
        sessions.build(),
        index(target, "sessions", "userId"),
        index(target, "sessions", "expires"),
        tokens.build(),
        index(target, "verificationTokens", "expires"),
      ]
    },
  },
  {
    name: "0003_authenticators",
    statements: (target) => {
      const authenticators = table(target, "authenticators")
        .column("credentialID", "base64Key", (column) => column.primaryKey().notNull())
        .column("userId", "key", required)
        .column("providerAccountId", "text", required)
        .column("credentialPublicKey", "text", required)
        .column("counter", "number", required)
        .column("credentialDeviceType", "text", required)
        .column("credentialBackedUp", "boolean", required)
        .column("transports", "text")
        .owner("authenticators_user_id_fkey")
      return [authenticators.build(), index(target, "authenticators", "userId")]
    },
  },
  {
    name: "0004_rate_limits",
    statements: (target) => {
      const rateLimits = table(target, "rateLimits")
        .column("key", "key", (column) => column.primaryKey().notNull())
        .column("points", "integer", required)
        .column("refused", "integer", required)
        .column("resets", "number", required)
      return [rateLimits.build(), index(target, "rateLimits", "resets")]
    },
  },
  {
    name: "0005_details",
    statements: (target) =>
      (["sessions", "authenticators"] as const).map((name) => addColumn(target, name, "details", "json")),
  },
  { name: "0006_records", isOptional: true, statements: recordsStatements },
]

type Change = (column: ColumnDefinitionBuilder) => ColumnDefinitionBuilder

const required: Change = (column) => column.notNull()

/** Describes a table by the names of its fields. */
class NewTable {
  readonly #target: Target
  readonly #table: TableName
  readonly #builder: CreateTableBuilder<string, string>

  constructor(target: Target, name: TableName, builder: CreateTableBuilder<string, string>) {
    this.#target = target
    this.#table = name
    this.#builder = builder
  }

  column(field: string, kind: Kind | "integer", change: Change = (column) => column): NewTable {
    const type = kind === "integer" ? kind : this.#target.types[kind]
    return this.#with(this.#builder.addColumn(this.#name(field), sql.raw(type), change))
  }

  primaryKey(name: string, fields: readonly string[]): NewTable {
    const columns = fields.map((field) => this.#name(field))
    return this.#with(this.#builder.addPrimaryKeyConstraint(this.#target.names.index(name), columns))
  }

  /** The rows belong to a user, and are deleted with them. MySQL ignores a foreign key that is part of a column. */
  owner(name: string): NewTable {
    const { names } = this.#target
    const [users, id] = [names.table("users"), names.column("users", "id")]
    const key = this.#builder.addForeignKeyConstraint(
      names.index(name),
      [this.#name("userId")],
      users,
      [id],
      (constraint) => constraint.onDelete("cascade"),
    )
    return this.#with(key)
  }

  build(): Compilable {
    return this.#builder.modifyEnd(this.#target.flavor.tableOptions(this.#target.types))
  }

  #with(builder: CreateTableBuilder<string, string>): NewTable {
    return new NewTable(this.#target, this.#table, builder)
  }

  #name(field: string): string {
    return this.#target.names.column(this.#table, field)
  }
}

function table(target: Target, name: TableName): NewTable {
  const { schema }: { schema: SchemaModule } = target.db
  return new NewTable(target, name, schema.createTable(target.names.table(name)))
}

function index({ db, names }: Target, name: TableName, field: string): Compilable {
  const column = names.column(name, field)
  return db.schema.createIndex(names.indexOf(name, field)).on(names.table(name)).column(column)
}

function addColumn({ db, names, types }: Target, name: TableName, field: string, kind: Kind): Compilable {
  return db.schema.alterTable(names.table(name)).addColumn(names.column(name, field), sql.raw(types[kind]))
}
