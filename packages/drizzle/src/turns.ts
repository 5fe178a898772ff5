/** Lets one call after another work with a database. */
export interface Turns {
  last: Promise<unknown>
}

const turnsOf = new WeakMap<object, Turns>()

/** Adapters of the same database share their turns. */
export function turnsFor(db: object): Turns {
  const turns = turnsOf.get(db) ?? { last: Promise.resolve() }
  turnsOf.set(db, turns)
  return turns
}

export async function exclusively<Result>(turns: Turns | undefined, work: () => Promise<Result>): Promise<Result> {
  if (turns === undefined) return work()
  const result = turns.last.then(work)
  turns.last = result.catch(() => undefined)
  return result
}
