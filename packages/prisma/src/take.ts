import type { Row } from "./client.js"

interface Taking {
  readonly key: Row
  readonly find: () => Promise<Row | undefined>
  /** Deletes the rows with these values, and returns their number. */
  readonly remove: (values: Row) => Promise<number>
}

/**
 * Deletes a row and returns it. `delete` of Prisma isn't atomic in databases without RETURNING. So of parallel calls, several may
 * read the row, but only one deletes it. If another request replaced it, the new row isn't deleted, but read again.
 */
export async function takeRow({ key, find, remove }: Taking): Promise<Row | undefined> {
  let before: Row | undefined
  for (let attempt = 0; attempt < maxAttempts; attempt += 1) {
    const row = await find()
    if (row === undefined) return undefined
    const read = versionOf(row)
    // A field with microseconds doesn't equal the date that was read.
    const isUnchanged = before !== undefined && isSame(read, before)
    if ((await remove(isUnchanged ? key : { ...read, ...key })) > 0) return row
    before = read
  }
  throw new Error("Other requests keep replacing the same row. Try again later.")
}

const maxAttempts = 100

/** What differs if a row was replaced. */
function versionOf(row: Row): Row {
  const entries = ["id", "userId", "expires"].map((name) => [name, row[name]] as const)
  return Object.fromEntries(entries.filter(([, value]) => value !== undefined && value !== null))
}

function isSame(one: Row, other: Row): boolean {
  const plain = (value: unknown): unknown => (value instanceof Date ? value.getTime() : value)
  return Object.entries(one).every(([name, value]) => plain(value) === plain(other[name]))
}
