import type { Field, RecordType } from "@latchkey/core/module"
import { logout } from "@latchkey/logout"
import { sqlAdapter } from "@latchkey/sql"
import { auditTable } from "@latchkey/sql/audit"
import {
  type Dialect,
  DummyDriver,
  MysqlAdapter,
  MysqlIntrospector,
  MysqlQueryCompiler,
  PostgresAdapter,
  PostgresIntrospector,
  PostgresQueryCompiler,
  SqliteAdapter,
  SqliteIntrospector,
  SqliteQueryCompiler,
} from "kysely"
import { kinds as vaultKinds } from "../../packages/core/src/features/oauth/tokens/records.js"
import { kindOf } from "../../packages/core/src/module/records.js"
import { siteOf } from "./site.js"

/** What a version keeps in databases. */
export interface Schema {
  /** The statements of all migrations, and of the audit log, by dialect and in order. */
  readonly statements: Readonly<Record<string, readonly string[]>>
  /** By the name of the kind, such as `mfa.device`. */
  readonly records: Readonly<Record<string, RecordSchema>>
}

interface RecordSchema {
  readonly key: readonly string[]
  readonly index: readonly string[]
  /** Such as `sealed text`, or `integer?` for a field that may be missing. */
  readonly fields: Readonly<Record<string, string>>
}

/** What these sources keep. */
export async function currentSchema(): Promise<Schema> {
  const statements: Record<string, readonly string[]> = {}
  for (const [name, dialect] of Object.entries(dialects)) {
    const adapter = sqlAdapter(dialect)
    const migrations = await adapter.plan()
    statements[name] = migrations
    statements[`${name}, audit log`] = await auditTable(adapter).plan()
  }
  return { statements, records: recordsOfModules() }
}

/** An empty database: every question has no rows for an answer. */
const dialects: Readonly<Record<string, Dialect>> = {
  mysql: {
    createAdapter: () => new MysqlAdapter(),
    createDriver: () => new DummyDriver(),
    createIntrospector: (db) => new MysqlIntrospector(db),
    createQueryCompiler: () => new MysqlQueryCompiler(),
  },
  postgres: {
    createAdapter: () => new PostgresAdapter(),
    createDriver: () => new DummyDriver(),
    createIntrospector: (db) => new PostgresIntrospector(db),
    createQueryCompiler: () => new PostgresQueryCompiler(),
  },
  sqlite: {
    createAdapter: () => new SqliteAdapter(),
    createDriver: () => new DummyDriver(),
    createIntrospector: (db) => new SqliteIntrospector(db),
    createQueryCompiler: () => new SqliteQueryCompiler(),
  },
}

function recordsOfModules(): Record<string, RecordSchema> {
  const modules = [...(siteOf().config.modules ?? []), logout(), vaultKinds]
  const records = modules.flatMap(({ id, records: types = {} }) =>
    Object.entries(types).map(([name, type]) => [kindOf(id, name), schemaOf(type)] as const),
  )
  return Object.fromEntries(records.toSorted(([a], [b]) => (a < b ? -1 : 1)))
}

function schemaOf({ key, index, fields }: RecordType): RecordSchema {
  const types = Object.entries(fields).map(([name, field]) => [name, typeOf(field)] as const)
  return { key: key.map(String), index: index.map(String), fields: Object.fromEntries(types) }
}

function typeOf(field: Field<unknown>): string {
  const type = Object.entries(samples).find(([, sample]) => accepts(field, sample))?.[0] ?? "other"
  const kind = field.kind === "plain" ? "" : `${field.kind} `
  return `${kind}${type}${accepts(field, null) ? "?" : ""}`
}

/** A text is no instant, but an instant is kept as a text. */
const samples = { text: "text", instant: "2030-01-01T00:00:00.000Z", integer: 1, flag: true, list: [] }

function accepts(field: Field<unknown>, value: string | number | boolean | string[] | null): boolean {
  try {
    field.fromJson(value)
    return true
  } catch {
    return false
  }
}

/**
 * What would break the version that wrote `before` on a database of the version that wrote `after`, or the way there. Migrations may be
 * added at the end, if they only add; kinds of records may be added, and fields that may be missing.
 */
export function breaks(before: Schema, after: Schema): readonly string[] {
  const statements = Object.entries(before.statements).flatMap(([dialect, old]) => {
    const now = after.statements[dialect] ?? []
    const changed = old.filter((text, index) => now[index] !== text).map((text) => `another statement than ${text}`)
    const others = now.slice(old.length).filter((text) => !additions.some((addition) => addition.test(text)))
    return [...changed, ...others.map((text) => `more than an addition: ${text}`)].map((each) => `${dialect}: ${each}`)
  })
  const records = Object.entries(before.records).flatMap(([kind, old]) =>
    differences(old, after.records[kind]).map((each) => `${kind}: ${each}`),
  )
  return [...statements, ...records]
}

/** The version before writes no column that it doesn't know, so a new one may be empty. */
const additions = [
  /^create table /,
  /^create index /,
  /^insert into /,
  /^alter table \S+ add column (?!.*\bnot null\b)/,
]

function differences(old: RecordSchema, now: RecordSchema | undefined): readonly string[] {
  if (now === undefined) return ["the kind is gone"]
  const names = [...new Set([...Object.keys(old.fields), ...Object.keys(now.fields)])]
  const isSame = JSON.stringify([old.key, old.index]) === JSON.stringify([now.key, now.index])
  return [
    ...(isSame ? [] : ["another key or index"]),
    ...names.flatMap((name) => {
      const [was, is] = [old.fields[name], now.fields[name]]
      if (was === is || (was === undefined && is?.endsWith("?"))) return []
      return [`the field ${name} was ${was ?? "absent"}, and is ${is ?? "absent"}`]
    }),
  ]
}
