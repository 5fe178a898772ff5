/** An adapter broke a promise of the contract: the message says which, what should have come and what came. */
export class BrokenPromise extends Error {
  override readonly name = "BrokenPromise"
}

export function fail(promised: string, got: string): never {
  throw new BrokenPromise(`${promised}: got ${got}`)
}

/** The value has at least these fields, with just these values; dates are `Date`s. */
export function holds(promised: string, value: unknown, fields: object): void {
  if (!isObject(value)) fail(promised, show(value))
  for (const [name, expected] of Object.entries(fields)) {
    const actual = Reflect.get(value, name)
    if (!alike(actual, expected)) fail(`${promised}: ${name} is ${show(expected)}`, show(actual))
  }
}

/** As {@link holds}, and the value has no other field. */
export function equals(promised: string, value: unknown, fields: object): void {
  holds(promised, value, fields)
  const surplus = Object.keys(Object(value)).filter((name) => !Object.hasOwn(fields, name))
  if (surplus.length > 0) fail(`${promised}, without other fields`, surplus.join(", "))
}

export function isNull(promised: string, value: unknown): void {
  if (value !== null) fail(`${promised}: null`, show(value))
}

/** The list has just these values of one field, in any order. */
export function lists(promised: string, value: unknown, field: string, expected: readonly string[]): void {
  if (!Array.isArray(value)) fail(`${promised}: an array`, show(value))
  const actual = value.map((row: unknown) => String(isObject(row) ? Reflect.get(row, field) : row)).toSorted()
  if (!alike(actual, expected.toSorted())) fail(`${promised}: ${field} ${show(expected)}`, show(actual))
}

/** What `work` was rejected with; an adapter that accepted it has broken the promise. */
export async function refuses(promised: string, work: () => unknown): Promise<unknown> {
  try {
    await work()
  } catch (error) {
    return error
  }
  return fail(promised, "no error")
}

/** Runs all at once; exactly one may win. Returns what the winner got. */
export async function oneWins<Result>(
  promised: string,
  attempts: readonly (() => PromiseLike<Result> | Result)[],
  won: (result: Result) => boolean,
): Promise<Result> {
  const outcomes = await Promise.allSettled(attempts.map(async (attempt) => attempt()))
  const winners = outcomes.flatMap((outcome) =>
    outcome.status === "fulfilled" && won(outcome.value) ? [outcome.value] : [],
  )
  const [winner] = winners
  if (winners.length !== 1 || winner === undefined) {
    fail(
      `${promised}: exactly 1 of ${attempts.length} parallel calls succeeds`,
      `${winners.length}${firstReason(outcomes)}`,
    )
  }
  return winner
}

function firstReason(outcomes: readonly PromiseSettledResult<unknown>[]): string {
  const rejected = outcomes.find((outcome) => outcome.status === "rejected")
  return rejected ? ` (one was rejected with: ${String(rejected.reason)})` : ""
}

function alike(actual: unknown, expected: unknown): boolean {
  if (expected instanceof Date) return actual instanceof Date && actual.getTime() === expected.getTime()
  if (!isObject(expected) || !isObject(actual)) return Object.is(actual, expected)
  const names = Object.keys(expected)
  return (
    names.length === Object.keys(actual).length &&
    names.every((name) => alike(Reflect.get(actual, name), Reflect.get(expected, name)))
  )
}

function isObject(value: unknown): value is object {
  return typeof value === "object" && value !== null
}

function show(value: unknown): string {
  if (value instanceof Date) return Number.isNaN(value.getTime()) ? "an invalid Date" : `Date(${value.toISOString()})`
  if (typeof value === "string" || isObject(value)) return JSON.stringify(value)
  return String(value)
}
