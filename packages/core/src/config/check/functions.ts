import type { AuthConfig } from "../../model/config.js"
import { eventNames } from "../../observability/events.js"
import { type Problem, tolerable } from "./problem.js"

const functions: readonly (readonly [
  option: "callbacks" | "events" | "logger" | "session" | "jwt",
  names: readonly string[],
])[] = [
  ["callbacks", ["signIn", "redirect", "jwt", "session"]],
  ["events", eventNames],
  ["logger", ["error", "warn", "debug"]],
  ["session", ["generateSessionToken"]],
  ["jwt", ["encode", "decode"]],
]

export function* functionProblems(config: AuthConfig): Generator<Problem> {
  for (const [option, names] of functions) {
    const group: Readonly<Record<string, unknown>> = { ...config[option] }
    for (const name of names) {
      const value = group[name]
      if (value === undefined || value === null || typeof value === "function") continue
      yield tolerable(`${option}.${name}`, "The value isn't a function", "Set a function, or omit the option")
    }
  }
}
