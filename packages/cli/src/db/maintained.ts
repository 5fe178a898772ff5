import { Failure } from "../failure.js"
import type { Batch, Deleted, Problem, SweepOrder } from "./job.js"

/** The methods of an adapter that the commands for databases call. Each is optional in adapters of other packages. */
export interface Maintained {
  /** The SQL statements that `migrate` would run. */
  plan(): Promise<readonly string[]>
  migrate(): Promise<void>
  check(): Promise<readonly Problem[]>
  sweep(options: SweepOrder & { readonly signal: AbortSignal; onBatch(batch: Batch): void }): Promise<Deleted>
}

/**
 * Calls a method of the adapter.
 *
 * @throws Failure if the adapter doesn't have it
 */
export async function call<Name extends keyof Maintained>(
  adapter: object,
  name: Name,
  ...args: Parameters<Maintained[Name]>
): Promise<unknown> {
  const method: unknown = Reflect.get(adapter, name)
  if (typeof method !== "function") throw new Failure(`The adapter has no method \`${name}()\`. ${advice[name]}`)
  return Reflect.apply(method, adapter, args)
}

const ownTools =
  "`latchkey db` is for adapters that manage their tables, such as those of @latchkey/sql. Use the tools of your ORM or database instead."

const advice: Readonly<Record<keyof Maintained, string>> = {
  plan: ownTools,
  migrate: ownTools,
  check: ownTools,
  sweep: "Its database may delete expired rows by itself, as Redis and DynamoDB do. Otherwise delete them yourself.",
}

export function statementsOf(given: unknown): readonly string[] {
  if (Array.isArray(given) && given.every((one) => typeof one === "string")) return given
  throw unexpected("plan", "an array of SQL statements")
}

export function problemsOf(given: unknown): readonly Problem[] {
  if (Array.isArray(given) && given.every(isProblem)) return given
  throw unexpected("check", "an array of problems")
}

function isProblem(given: unknown): given is Problem {
  if (typeof given !== "object" || given === null) return false
  const [level, problem, fix] = ["level", "problem", "fix"].map((name): unknown => Reflect.get(given, name))
  return (level === "error" || level === "warning") && typeof problem === "string" && typeof fix === "string"
}

export function deletedOf(given: unknown): Deleted {
  if (typeof given !== "object" || given === null) throw unexpected("sweep", "the numbers of deleted rows")
  const counts = Object.entries(given).filter((entry): entry is [string, number] => typeof entry[1] === "number")
  return Object.fromEntries(counts)
}

function unexpected(method: string, wanted: string): Failure {
  return new Failure(`\`${method}()\` of the adapter didn't return ${wanted}. Update the package of the adapter.`)
}
