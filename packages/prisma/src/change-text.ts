import type { Delegate, Row } from "./client.js"
import type { Store } from "./store.js"

/**
 * Changes JSON in a text field without a transaction. A change by another process in between makes it read again. An unknown
 * row stays unknown.
 */
export async function changeText(
  store: Store,
  model: Delegate,
  key: Row,
  field: string,
  change: (before: unknown) => string,
): Promise<void> {
  for (let attempt = 0; attempt < maxAttempts; attempt += 1) {
    const [row] = await store.find(model, key)
    if (row === undefined) return
    const before = row[field]
    const after = change(before)
    if (after === before || (await store.replace(model, key, { field, before, after }))) return
  }
  throw new Error("Other requests keep changing the same row. Try again later.")
}

/** Each attempt that fails is another one's success. */
const maxAttempts = 100
