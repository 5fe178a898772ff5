import { UnknownAction } from "../../errors.js"
import { maxPassedState, maxPassedStateNesting } from "../../limits/of-input.js"
import type { AuthRequest } from "../../model/http.js"
import type { JsonObject } from "../../model/user.js"
import { nestsDeeper } from "../../primitives/exact-json.js"

/**
 * The `state` that the application passed to `signIn`: an object, which a form has as JSON. Auth.js v5 ignores the field, so anything
 * else is ignored here.
 *
 * @throws UnknownAction if it's too large
 */
export function passedState({ body }: AuthRequest): JsonObject | undefined {
  const given = body["state"]
  if (typeof given === "string" && given.length > maxPassedState && given.trimStart().startsWith("{")) throw tooLarge()
  const value = typeof given === "string" ? parsed(given) : given
  if (!isObject(value)) return undefined
  if (nestsDeeper(value, maxPassedStateNesting)) throw tooLarge()
  const text = JSON.stringify(value)
  if (new TextEncoder().encode(text).length > maxPassedState) throw tooLarge()
  return JSON.parse(text, withoutPrototype) as JsonObject
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

function isObject(value: unknown): value is object {
  return typeof value === "object" && value !== null && !Array.isArray(value)
}

/** An application that merges the data would change a prototype. */
function withoutPrototype(name: string, value: unknown): unknown {
  return name === "__proto__" || name === "constructor" ? undefined : value
}

function tooLarge(): UnknownAction {
  const limits = `${maxPassedState} bytes of JSON and ${maxPassedStateNesting} levels`
  return new UnknownAction(`The \`state\` of \`signIn\` is larger than ${limits}. Keep the data, and pass its id`)
}
