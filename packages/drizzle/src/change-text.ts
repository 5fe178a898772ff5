import type { Row } from "./database.js"
import type { Store } from "./store.js"
import type { Model } from "./tables.js"

/**
 * Changes JSON in a text column without a transaction, which not every driver has. A change by another process in between makes
 * it read again. An unknown row stays unknown.
 */
export async function changeText(
  store: Store,
  model: Model,
  key: Row,
  column: string,
  change: (before: unknown) => string,
): Promise<void> {
  for (let attempt = 0; attempt < maxAttempts; attempt += 1) {
    const [row] = await store.find(model, key)
    if (row === undefined) return
    const before = row[column]
    const after = change(before)
    if (after === before || (await store.replace(model, key, { column, before, after }))) return
  }
  throw new Error(`Other requests keep changing the same row of \`${model.name}\`. Try again later.`)
}

/** Each attempt that fails is another one's success. */
const maxAttempts = 100
