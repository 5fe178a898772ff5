import type { ApplicationTable } from "@latchkey/core/adapters"
import { type Delegate, hasText, typeOf } from "./client.js"
import type { Store } from "./store.js"
import { toField } from "./values.js"

export function tokenTable(store: Store, tokens: Delegate): ApplicationTable {
  return {
    ...tableIn(store, tokens),
    // One by one, because the usual collations of MySQL also find the tokens of similar emails.
    remove: async (key) => {
      for (const { token } of await store.find(tokens, key)) await store.remove(tokens, { ...key, token })
    },
  }
}

export function tableIn(store: Store, model: Delegate): ApplicationTable {
  return {
    hasColumn: (name) => name in model.fields,
    hasText: (column) => hasText(model, column),
    convert: (name, value) => converted(model, name, value),
    insert: (row) => store.insert(model, row),
    find: (key, last) => store.find(model, key, last && { orderBy: { [last.field]: "desc" }, take: last.limit }),
    update: (key, changes) => store.update(model, key, changes),
    replace: (key, change) => store.replace(model, key, change),
    take: (key) => store.take(model, key),
    remove: (key) => store.remove(model, key),
  }
}

/** Ids may be numbers in the database. */
export function converted(model: Delegate, name: string, value: unknown): unknown {
  if (name !== "id" && name !== "userId") return value
  const id = toField(typeOf(model, name), value)
  if (id === undefined) {
    throw new TypeError(
      `The ${name} can't be stored in a field of type ${typeOf(model, name)}. Use an id of that type.`,
    )
  }
  return id
}
