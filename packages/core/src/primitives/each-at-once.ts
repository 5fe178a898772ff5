/** Each takes a connection of the database. */
const maxAtOnce = 10

/** Waits for all of them, then fails if one did: a failure keeps no other one from being done. */
export async function eachAtOnce<T>(items: readonly T[], work: (item: T) => Promise<void>): Promise<void> {
  const failures: unknown[] = []
  const left = items.values()
  const worker = async () => {
    for (const item of left) await work(item).catch((cause: unknown) => void failures.push(cause))
  }
  await Promise.all(Array.from({ length: Math.min(maxAtOnce, items.length) }, worker))
  if (failures.length > 0) throw failures[0]
}
