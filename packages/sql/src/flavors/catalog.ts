import type { Sql } from "./sql.js"

/** Queries of the catalog. Each returns rows of the type that is named. Numbers are 0 or 1, because drivers differ in booleans. */
export interface CatalogQueries {
  /** Rows of {@link ColumnRow}, in the order of the columns. */
  columns(tables: readonly string[]): Sql
  /** Rows of {@link UniqueRow}: the columns of unique indexes and primary keys, without partial ones. */
  uniques(tables: readonly string[]): Sql
  /** Rows of {@link ReferenceRow}: foreign keys with `on delete cascade`. */
  cascades(tables: readonly string[]): Sql
  /** Rows of {@link IndexRow}: the first columns of all indexes. */
  indexes(tables: readonly string[]): Sql
}

/** 0 or 1. Drivers return integers as numbers, text or bigint. */
type Flag = number | string | bigint

export interface ColumnRow {
  readonly table_name: string
  readonly column_name: string
  readonly type: string
  readonly not_null: Flag
  readonly has_default: Flag
  /** Whether the default is a function, so that each row gets another value. */
  readonly is_computed: Flag
  /** Whether the database assigns numbers. */
  readonly is_serial: Flag
  /** Whether equal texts have equal bytes. */
  readonly is_exact: Flag
}

export interface UniqueRow {
  readonly table_name: string
  readonly index_name: string
  readonly column_name: string
}

export interface ReferenceRow {
  readonly table_name: string
  readonly column_name: string
}

export interface IndexRow {
  readonly table_name: string
  readonly column_name: string
}
