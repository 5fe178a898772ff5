/** The adapter violates its contract. The message has the requirement and what the adapter did instead. */
export class BrokenPromise extends Error {
  override readonly name = "BrokenPromise"
}

export function fail(requirement: string, got: string): never {
  throw new BrokenPromise(`${requirement}: got ${got}`)
}

/** Checks that the value has these fields with these values. Dates must be `Date` objects. */
export function expectFields(requirement: string, value: unknown, fields: object): void {
  if (!isObject(value)) fail(requirement, show(value))
  for (const [name, expected] of Object.entries(fields)) {
    const actual = Reflect.get(value, name)
    if (!isEqual(actual, expected)) fail(`${requirement}: ${name} is ${show(expected)}`, show(actual))
  }
}

/** Checks that the value has these fields with these values, and no other fields. */
export function expectExactly(requirement: string, value: unknown, fields: object): void {
  expectFields(requirement, value, fields)
  const others = Object.keys(Object(value)).filter((name) => !Object.hasOwn(fields, name))
  if (others.length > 0) fail(`${requirement}, without other fields`, others.join(", "))
}

/** @param subject a method and its argument, such as "getUser of an unknown id" */
export function expectNull(subject: string, value: unknown): void {
  if (value !== null) fail(`${subject} returns null`, show(value))
}

/** Checks that one field of the rows has exactly these values, in any order. */
export function expectList(requirement: string, value: unknown, field: string, expected: readonly string[]): void {
  if (!Array.isArray(value)) fail(`${requirement}: the result is an array`, show(value))
  const actual = value.map((row: unknown) => String(isObject(row) ? Reflect.get(row, field) : row)).toSorted()
  if (!isEqual(actual, expected.toSorted())) fail(`${requirement}: ${field} is ${show(expected)}`, show(actual))
}

/** Checks that the call rejects, and returns the error. */
export async function expectRejection(requirement: string, call: () => unknown): Promise<unknown> {
  try {
    await call()
  } catch (error) {
    return error
  }
  return fail(requirement, "no error")
}

/** Runs all calls in parallel, checks that exactly one succeeds, and returns its result. */
export async function expectOneWinner<Result>(
  requirement: string,
  attempts: readonly (() => PromiseLike<Result> | Result)[],
  succeeded: (result: Result) => boolean,
): Promise<Result> {
  const outcomes = await Promise.allSettled(attempts.map(async (attempt) => attempt()))
  const winners = outcomes.flatMap((outcome) =>
    outcome.status === "fulfilled" && succeeded(outcome.value) ? [outcome.value] : [],
  )
  const [winner] = winners
  if (winners.length !== 1 || winner === undefined) {
    fail(
      `${requirement}: exactly 1 of ${attempts.length} parallel calls succeeds`,
      `${winners.length}${firstReason(outcomes)}`,
    )
  }
  return winner
}

function firstReason(outcomes: readonly PromiseSettledResult<unknown>[]): string {
  const rejected = outcomes.find((outcome) => outcome.status === "rejected")
  return rejected ? ` (one was rejected with: ${String(rejected.reason)})` : ""
}

function isEqual(actual: unknown, expected: unknown): boolean {
  if (expected instanceof Date) return actual instanceof Date && actual.getTime() === expected.getTime()
  if (!isObject(expected) || !isObject(actual)) return Object.is(actual, expected)
  const names = Object.keys(expected)
  return (
    names.length === Object.keys(actual).length &&
    names.every((name) => isEqual(Reflect.get(actual, name), Reflect.get(expected, name)))
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
