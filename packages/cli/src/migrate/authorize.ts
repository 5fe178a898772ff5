import type {
  ArrowFunctionExpression,
  BindingIdentifier,
  Function,
  Node,
  ObjectExpression,
  ObjectPattern,
  ObjectProperty,
} from "oxc-parser"
import { type Edit, insert } from "../source/edits.js"
import { namesIn, styleOf } from "../source/imports.js"
import { propertyOf } from "../source/providers.js"
import { nameOf, type Source, walk } from "../source/syntax.js"
import { type App, change, lineOf, sourceOf } from "./app.js"

/**
 * Gives the first parameter of `authorize` the type that it had in version 4: strings. Since version 5, its values are
 * `unknown`, which doesn't compile where a string is needed.
 */
export function typeCredentials(app: App): void {
  for (const path of app.files.filter((file) => /\.[cm]?tsx?$/.test(file))) {
    const source = sourceOf(app, path)
    if (source !== undefined && /\bauthorize\b/.test(source.text))
      change(
        app,
        source,
        authorizeFunctions(source).flatMap((found) => typed(app, source, found)),
      )
  }
}

type AnyFunction = ArrowFunctionExpression | Function

interface Authorize {
  readonly options: ObjectExpression
  readonly run: AnyFunction
}

function authorizeFunctions({ program, text }: Source): Authorize[] {
  const found: Authorize[] = []
  walk(program, (node) => {
    if (node.type !== "CallExpression") return
    const [options] = node.arguments
    const property = options?.type === "ObjectExpression" ? propertyOf(options, "authorize") : undefined
    if (options?.type !== "ObjectExpression" || !isFunctionValue(property)) return
    if (!isUnchecked(text, property.start)) found.push({ options, run: property.value })
  })
  return found
}

/** Whether the line above is `@ts-expect-error`, which needs an error to follow. */
function isUnchecked(text: string, start: number): boolean {
  return /@ts-(?:expect-error|ignore)[^\n]*\n[ \t]*$/.test(text.slice(0, start))
}

function isFunctionValue(
  property: ObjectProperty | undefined,
): property is ObjectProperty & { readonly value: AnyFunction } {
  const type = property?.value.type
  return type === "ArrowFunctionExpression" || type === "FunctionExpression"
}

function typed(app: App, source: Source, { options, run }: Authorize): Edit[] {
  const [first, second] = run.params
  if (second !== undefined) app.draft.leave(aboutRequest, lineOf(source, second.start))
  if (first === undefined || run.body === null || !isTypable(first, run.body)) return []
  const pattern = source.text.slice(first.start, first.typeAnnotation?.start ?? first.end)
  const name = ["input", "given", "submitted"].find((each) => !namesIn(source).has(each)) ?? "credentialsInput"
  const line = `const ${pattern} = ${name} as ${typeOf(source, first, options)}`
  return [{ start: first.start, end: first.end, text: name }, ...bodyEdits(source, run.body, line)]
}

const aboutRequest =
  "The second argument of `authorize` is a `Request` since version 5. Read `headers` with `get`, and `body` with `await request.json()`."

type Typable = BindingIdentifier | ObjectPattern

function isTypable(param: Node, body: Node): param is Typable {
  return param.type === "ObjectPattern" || (param.type === "Identifier" && isRead(body, param.name))
}

/** The type that version 4 gave the parameter, or that the code names. */
function typeOf({ text }: Source, param: Typable, options: ObjectExpression): string {
  const written = param.typeAnnotation?.typeAnnotation
  if (written !== undefined) return text.slice(written.start, written.end)
  return `${fieldsOf(options)}${param.type === "ObjectPattern" ? "" : " | undefined"}`
}

function isRead(body: Node, name: string): boolean {
  let found = false
  walk(body, (node) => {
    if (node.type === "Identifier" && node.name === name) found = true
  })
  return found
}

/** The type of the submitted fields: `Record<"email" | "password", string>` */
function fieldsOf(options: ObjectExpression): string {
  const fields = propertyOf(options, "credentials")?.value
  const names =
    fields?.type === "ObjectExpression"
      ? fields.properties.map((one) => (one.type === "Property" ? nameOf(one.key) : undefined))
      : []
  const isKnown = names.length > 0 && names.every((name) => name !== undefined)
  return `Record<${isKnown ? names.map((name) => JSON.stringify(name)).join(" | ") : "string"}, string>`
}

function bodyEdits(source: Source, body: Node, line: string): Edit[] {
  const { semicolon, newline, quote } = styleOf(source)
  const quoted = line.replaceAll('"', quote === "'" ? "'" : '"') + (semicolon || "")
  if (body.type !== "BlockStatement") {
    const { start, end } = body
    const result = source.text.slice(start, end)
    return [{ start, end, text: `{ ${quoted.replace(/;?$/, ";")} return ${result}${semicolon} }` }]
  }
  const [next] = body.body
  if (next === undefined) return []
  const indent = source.text.slice(source.text.lastIndexOf("\n", next.start - 1) + 1, next.start)
  const isOwnLine = indent.trim() === "" && source.text.slice(body.start, next.start).includes("\n")
  return [insert(next.start, isOwnLine ? quoted + newline + indent : `${quoted.replace(/;?$/, ";")} `)]
}
