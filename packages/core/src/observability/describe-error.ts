import { causesOf, titleOf } from "./causes.js"
import { clean } from "./clean.js"

/** Characters. */
const maxLength = 4000

/** What happened and what to do, with the messages of all causes and without stacks and secrets. */
export function describeError(error: Error, secrets: readonly string[]): string {
  const causes = causesOf(error).map((text) => `Caused by ${text.split("\n    at ", 1)[0]}`)
  return clean([titleOf(error), ...causes].join("\n"), secrets).slice(0, maxLength)
}
