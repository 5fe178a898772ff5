import type { ApplicationTable } from "@latchkey/core/adapters"
import { desc } from "drizzle-orm"
import { toColumn } from "./columns.js"
import type { Select } from "./database.js"
import type { Store } from "./store.js"
import { hasText, type Model } from "./tables.js"

/** @param id the columns that identify a row */
export function tableIn(store: Store, model: Model, id: readonly string[]): ApplicationTable {
  return {
    name: model.name,
    hasColumn: (name) => model.columns[name] !== undefined,
    hasText: (column) => hasText(model, column),
    convert: (name, value) => converted(model, name, value),
    insert: (row) => store.insert(model, row, id),
    find: (key, last) => {
      const column = last && model.columns[last.field]
      const part = (select: Select) => (column ? select.orderBy(desc(column)).limit(last.limit) : select)
      return store.find(model, key, part)
    },
    update: (key, changes) => store.update(model, key, changes),
    replace: (key, change) => store.replace(model, key, change),
    take: (key) => store.take(model, key),
    remove: (key) => store.remove(model, key),
  }
}

/** Ids may be numbers in the database. Other values have the type of their column. */
function converted({ columns }: Model, name: string, value: unknown): unknown {
  const column = columns[name]
  if (column === undefined || (name !== "id" && name !== "userId")) return value
  const id = toColumn(column, value)
  if (id === undefined) {
    throw new TypeError(
      `The ${name} can't be stored in a column of type ${column.getSQLType()}. Use an id of that type.`,
    )
  }
  return id
}
