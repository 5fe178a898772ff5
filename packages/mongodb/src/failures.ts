import { UniqueViolation } from "@latchkey/core/adapters"

/** Calls `write`. A duplicate key becomes a `UniqueViolation` without the key, which can be a session token. */
export async function rejectDuplicates<T>(taken: string, write: () => Promise<T>): Promise<T> {
  try {
    return await write()
  } catch (error) {
    if (isDuplicate(error)) throw new UniqueViolation(taken)
    throw error
  }
}

export function isDuplicate(error: unknown): boolean {
  return codeOf(error) === 11_000
}

/** A code of https://www.mongodb.com/docs/manual/reference/error-codes/ */
export function codeOf(error: unknown): unknown {
  return error instanceof Error ? Reflect.get(error, "code") : undefined
}
