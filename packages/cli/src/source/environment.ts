import type { ArrowFunctionExpression, Function, ObjectPattern } from "oxc-parser"
import type { Configuration } from "./configurations.js"
import { type Edit, insert } from "./edits.js"
import { nameOf, type Source, walk } from "./syntax.js"

/** How the code of a configuration reads environment variables. */
export interface EnvironmentAccess {
  /** The expression for a variable. */
  readonly read: (name: string) => string
  /** The changes that the expression needs. */
  readonly edits: readonly Edit[]
}

const fromProcess: EnvironmentAccess = { read: (name) => `process.env.${name}`, edits: [] }

/** Qwik passes the variables to the function that returns the configuration. Some of its runtimes have no `process.env`. */
export function environmentIn(source: Source, { object, from }: Configuration): EnvironmentAccess {
  const run = from.endsWith("/qwik") ? functionAround(source, object.start) : undefined
  if (run === undefined) return fromProcess
  const [event] = run.params
  if (event === undefined) return through("env", parameterEdit(source, run))
  if (event.type === "Identifier") return through(`${event.name}.env`)
  return event.type === "ObjectPattern" ? destructured(event) : fromProcess
}

/** @param variables the expression for the variables */
function through(variables: string, ...edits: readonly Edit[]): EnvironmentAccess {
  return { read: (name) => `${variables}.get(${JSON.stringify(name)})`, edits }
}

type AnyFunction = ArrowFunctionExpression | Function

/** The innermost function around an offset. */
function functionAround({ program }: Source, at: number): AnyFunction | undefined {
  let found: AnyFunction | undefined
  walk(program, (node) => {
    const isFunction = node.type === "ArrowFunctionExpression" || node.type === "FunctionExpression"
    if (isFunction && node.start <= at && at < node.end) found = node
  })
  return found
}

/** `()` becomes `({ env })`. */
function parameterEdit({ text }: Source, { start }: AnyFunction): Edit {
  return insert(text.indexOf("(", start) + 1, "{ env }")
}

/** `({ url })` becomes `({ env, url })`. */
function destructured({ properties, start }: ObjectPattern): EnvironmentAccess {
  for (const property of properties) {
    if (property.type !== "Property" || nameOf(property.key) !== "env") continue
    const local = nameOf(property.value)
    return local === undefined ? fromProcess : through(local)
  }
  return through("env", insert(start + 1, properties.length === 0 ? " env " : " env,"))
}
