import { AdapterError, AuthError } from "../errors.js"

/** A log entry has at most this many causes. Errors of other code can be chained in any way. */
const maxCauses = 20

/** The causes of an error, each with its stack: the cause of a cause, and all errors of an `AggregateError`. */
export function causesOf(error: Error): readonly string[] {
  return errorsIn(error).slice(1).map(textOf)
}

/** An error and all of its causes. */
export function errorsIn(error: Error): readonly Error[] {
  const found = new Set<Error>([error])
  const queue = directCauses(error)
  for (let cause = queue.shift(); cause !== undefined && found.size <= maxCauses; cause = queue.shift()) {
    // An error can be among its own causes.
    if (found.has(cause)) continue
    found.add(cause)
    queue.push(...directCauses(cause))
  }
  return [...found]
}

/** Whether the database failed. A user whose session couldn't be read may still be signed in. */
export function isOutage(error: Error | undefined): boolean {
  return error !== undefined && errorsIn(error).some((cause) => cause instanceof AdapterError)
}

function directCauses(error: Error): Error[] {
  const { cause } = error
  // An `AuthError` has details as its cause, and the error among them as `err`.
  const inner: unknown = typeof cause === "object" && cause !== null && "err" in cause ? cause.err : cause
  const several: readonly unknown[] = "errors" in error && Array.isArray(error.errors) ? error.errors : []
  return [inner, ...several].filter((each) => each instanceof Error)
}

function textOf(error: Error): string {
  const code: unknown = "code" in error ? error.code : undefined
  const title = titleOf(error)
  // Node writes the code of a network error beside its message, which can be empty.
  const suffix = typeof code === "string" && !title.includes(code) ? ` (${code.slice(0, 64)})` : ""
  const frames = framesOf(error)
  return frames === "" ? title + suffix : `${title}${suffix}\n${frames}`
}

/** Name and message. The type of an `AuthError` stays the same in minified code. */
export function titleOf(error: Error): string {
  const { name, message } = error
  if (!(error instanceof AuthError)) return message === "" ? name : `${name}: ${message}`
  return `${error.type}: ${message === "" ? withoutMessage(error) : message}`
}

/** An application's own class often has a name and a `code` instead of a message. */
function withoutMessage(error: AuthError): string {
  const code = "code" in error && typeof error.code === "string" ? ` with the code ${JSON.stringify(error.code)}` : ""
  return `${error.name} without a message${code}`
}

/** The stack without the message. Some engines leave it out, some repeat it. */
export function framesOf({ stack }: Error): string {
  const lines = typeof stack === "string" ? stack.split("\n") : []
  return lines.filter((line) => /^\s+at |^\S*@\S+:\d+:\d+$/.test(line) && line.length < 500).join("\n")
}
