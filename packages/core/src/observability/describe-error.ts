import { causesOf, titleOf } from "./causes.js"
import { printable } from "./clean.js"

/** Characters. */
const maxLength = 4000

/** What happened and what to do, with the messages of all causes and without stacks. The error has no secrets anymore. */
export function describeError(error: Error): string {
  const causes = causesOf(error).map((text) => `Caused by ${text.split("\n    at ", 1)[0]}`)
  return printable([titleOf(error), ...causes].join("\n")).slice(0, maxLength)
}
