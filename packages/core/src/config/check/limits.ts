import type { AuthConfig } from "../../model/config.js"
import type { RateLimitAction } from "../../model/limits.js"
import { invalid, type Problem } from "./problem.js"

const actions: readonly string[] = [
  "credentials",
  "email",
  "link",
  "factor",
  "callback",
  "webauthn",
] satisfies RateLimitAction[]
const kinds: readonly string[] = ["identifier", "address", "both", "device"]

/** Checked strictly, because a limit with a typing error would have no effect. */
export function* limitProblems({ rateLimit }: AuthConfig): Generator<Problem> {
  const given: unknown = rateLimit
  if (given === undefined || given === false) return
  if (!isObject(given)) {
    yield invalid("rateLimit", "The value is neither `false` nor an object", "Omit it for the default limits")
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
    fix: "Set a `RateLimitStore`, or omit it",
  },
  {
    option: "trustedProxies",
    isValid: (value: unknown) => isInteger(value, 0),
    problem: "The value isn't an integer of at least 0",
    fix: "Set the number of proxies in front of this server",
  },
  {
    option: "address",
    isValid: (value: unknown) => typeof value === "function",
    problem: "The value isn't a function",
    fix: "Set a function from headers to an IP address",
  },
  {
    option: "limits",
    isValid: isObject,
    problem: "The value isn't an object",
    fix: `Set an object with limits for ${actions.join(", ")}`,
  },
] as const

function* actionProblems(limits: Readonly<Record<string, unknown>>): Generator<Problem> {
  for (const [action, own] of Object.entries(limits)) {
    const path = `rateLimit.limits.${action}`
    if (!actions.includes(action)) yield invalid(path, "The action is unknown", `Use one of ${actions.join(", ")}`)
    else if (isObject(own)) yield* kindProblems(path, own)
    else if (own !== undefined && own !== false)
      yield invalid(path, "The value is neither `false` nor an object", `Set limits for ${kinds.join(", ")}`)
  }
}

function* kindProblems(path: string, limits: Readonly<Record<string, unknown>>): Generator<Problem> {
  for (const [kind, limit] of Object.entries(limits)) {
    if (!kinds.includes(kind))
      yield invalid(`${path}.${kind}`, "The kind of limit is unknown", `Use one of ${kinds.join(", ")}`)
    else if (limit !== undefined && limit !== false && !isLimit(limit))
      yield invalid(
        `${path}.${kind}`,
        "`points`, `seconds` or `thenEvery` isn't an integer of at least 1",
        "Set { points: 10, seconds: 900 } for example, or `false` for no limit",
      )
  }
}

function isLimit(value: unknown): boolean {
  if (!isObject(value) || !isInteger(value["points"], 1) || !isInteger(value["seconds"], 1)) return false
  return value["thenEvery"] === undefined || isInteger(value["thenEvery"], 1)
}

function isInteger(value: unknown, min: number): boolean {
  return typeof value === "number" && Number.isSafeInteger(value) && value >= min
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null
}
