import type { AuthConfig } from "../../model/config.js"
import type { RateLimitAction } from "../../model/limits.js"
import { invalid, type Problem } from "./problem.js"

const actions: readonly string[] = ["credentials", "email", "link", "callback"] satisfies RateLimitAction[]
const kinds: readonly string[] = ["identifier", "address", "both"]

/** What is wrong with `rateLimit`: a limit that does not hold is worse than none. */
export function* limitProblems({ rateLimit }: AuthConfig): Generator<Problem> {
  const given: unknown = rateLimit
  if (given === undefined || given === false) return
  if (!isObject(given)) {
    yield invalid("rateLimit", "The value is neither `false` nor an object", "Leave it out for the default limits")
    return
  }
  for (const { option, isValid, problem, fix } of options) {
    if (given[option] !== undefined && !isValid(given[option])) yield invalid(`rateLimit.${option}`, problem, fix)
  }
  if (isObject(given["limits"])) yield* actionProblems(given["limits"])
}

const options = [
  {
    option: "store",
    isValid: (value: unknown) => isObject(value) && typeof value["take"] === "function",
    problem: "The store has no `take` method",
    fix: "Pass a `RateLimitStore`, or leave it out",
  },
  {
    option: "trustedProxies",
    isValid: (value: unknown) => isCount(value, 0),
    problem: "The value is not a whole number from 0 up",
    fix: "Give the number of proxies",
  },
  {
    option: "address",
    isValid: (value: unknown) => typeof value === "function",
    problem: "The value is not a function",
    fix: "Pass a function from headers to an address",
  },
  { option: "limits", isValid: isObject, problem: "The value is not an object", fix: `Limit ${actions.join(", ")}` },
] as const

function* actionProblems(limits: Readonly<Record<string, unknown>>): Generator<Problem> {
  for (const [action, own] of Object.entries(limits)) {
    const path = `rateLimit.limits.${action}`
    if (!actions.includes(action))
      yield invalid(path, "There is no such action to limit", `Use one of ${actions.join(", ")}`)
    else if (isObject(own)) yield* kindProblems(path, own)
    else if (own !== undefined && own !== false)
      yield invalid(path, "The value is neither `false` nor an object", `Give limits for ${kinds.join(", ")}`)
  }
}

function* kindProblems(path: string, limits: Readonly<Record<string, unknown>>): Generator<Problem> {
  for (const [kind, limit] of Object.entries(limits)) {
    if (!kinds.includes(kind))
      yield invalid(`${path}.${kind}`, "There is no such limit", `Use one of ${kinds.join(", ")}`)
    else if (limit !== undefined && limit !== false && !isLimit(limit))
      yield invalid(
        `${path}.${kind}`,
        "The limit is not made of whole numbers from 1 up",
        "Write { points: 10, seconds: 900 }, or `false` for no limit",
      )
  }
}

function isLimit(value: unknown): boolean {
  return isObject(value) && isCount(value["points"], 1) && isCount(value["seconds"], 1)
}

function isCount(value: unknown, least: number): boolean {
  return typeof value === "number" && Number.isSafeInteger(value) && value >= least
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null
}
