import type { ObjectExpression } from "oxc-parser"
import { bindingsOf, type Binding } from "./imports.js"
import { objectBehind } from "./literal.js"
import { propertyOf } from "./providers.js"
import { type Expression, type Node, type Source, walk } from "./syntax.js"

/** A configuration object in a file. */
export interface Configuration {
  readonly object: ObjectExpression
  /** The package of the function that it's passed to, or of its type. */
  readonly from: string
  /** Whether it's passed to a function. Otherwise it was found by its type. */
  readonly isCalled: boolean
}

const packages = /^(?:next-auth|@auth\/[\w-]+|@hono\/auth-js|auth-astro|@latchkey\/[\w-]+)$/

/** The position of the configuration in the arguments. Other functions of a framework's package may take one, too. */
const factories: Readonly<Record<string, number>> = {
  ExpressAuth: 0,
  SvelteKitAuth: 0,
  QwikAuth$: 0,
  QwikAuthQrl: 0,
  SolidAuth: 0,
  NextAuth: 0,
  createServer: 0,
  createIntegration: 0,
  withEnv: 0,
  check: 0,
  Auth: 1,
  getSession: 1,
}

const typeNames = /^(?:\w*Auth)?(?:Config|Options)$/

/** The configurations in the file. Those that are passed to a function come first. */
export function configurationsIn(source: Source): Configuration[] {
  const bindings = new Map(
    bindingsOf(source)
      .filter(({ from }) => packages.test(from.replace(/^(next-auth)\/next$/, "$1")))
      .map((binding) => [binding.local, binding]),
  )
  const found = new Map<number, Configuration>()
  const add = (object: ObjectExpression | undefined, { from }: Binding, isCalled: boolean) => {
    if (object === undefined) return
    const known = found.get(object.start)
    found.set(object.start, { object, from, isCalled: isCalled || known?.isCalled === true })
  }
  walk(source.program, (node) => {
    const called = calledFactory(node, bindings)
    if (called !== undefined) return add(objectBehind(source, called.argument), called.binding, true)
    const passed = passedConfiguration(source, node, bindings)
    if (passed !== undefined) return add(passed.object, passed.binding, true)
    const typed = typedValue(node)
    const binding = typed === undefined ? undefined : bindings.get(typed.type)
    if (typed !== undefined && binding !== undefined && typeNames.test(binding.imported))
      add(objectBehind(source, typed.value), binding, false)
  })
  for (const { object, binding } of documented(source)) add(object, binding, false)
  return [...found.values()].toSorted((a, b) => Number(b.isCalled) - Number(a.isCalled))
}

function calledFactory(
  node: Node,
  bindings: ReadonlyMap<string, Binding>,
): { argument: Expression; binding: Binding } | undefined {
  if (node.type !== "CallExpression" || node.callee.type !== "Identifier") return undefined
  const binding = bindings.get(node.callee.name)
  if (binding === undefined) return undefined
  const index = binding.imported === "default" ? 0 : factories[binding.imported]
  const argument = index === undefined ? undefined : node.arguments[index]
  return argument === undefined || argument.type === "SpreadElement" ? undefined : { argument, binding }
}

/** An object with `providers` in `AuthModule.forRoot({ … })`, `app.register(auth, { … })` and the like. */
function passedConfiguration(
  source: Source,
  node: Node,
  bindings: ReadonlyMap<string, Binding>,
): { object: ObjectExpression; binding: Binding } | undefined {
  if (node.type !== "CallExpression") return undefined
  const { callee, arguments: given } = node
  const called = callee.type === "MemberExpression" ? callee.object : callee
  const binding = [called, ...given].map((one) => bindings.get(identifier(one) ?? "")).find((one) => one !== undefined)
  if (binding === undefined) return undefined
  const objects = given.map((one) => (one.type === "SpreadElement" ? undefined : objectBehind(source, one)))
  const object = objects.find((one) => one !== undefined && propertyOf(one, "providers") !== undefined)
  return object === undefined ? undefined : { object, binding }
}

function identifier(node: Node): string | undefined {
  return node.type === "Identifier" ? node.name : undefined
}

/** The type and value of `const x: Type = value` and `value satisfies Type`. */
function typedValue(node: Node): { type: string; value: Expression } | undefined {
  if (node.type === "TSSatisfiesExpression" || node.type === "TSAsExpression") {
    const type = typeNameOf(node.typeAnnotation)
    return type === undefined ? undefined : { type, value: node.expression }
  }
  if (node.type !== "VariableDeclarator" || node.id.type !== "Identifier" || node.init === null) return undefined
  const type = node.id.typeAnnotation ? typeNameOf(node.id.typeAnnotation.typeAnnotation) : undefined
  return type === undefined ? undefined : { type, value: node.init }
}

const documentedType = /@(?:type|satisfies)\s*\{\s*import\(["']([^"']+)["']\)\.(\w+)[^}]*\}/

/** The objects that have the type of a configuration in a JSDoc comment directly above them. */
function documented(source: Source): { object: ObjectExpression; binding: Binding }[] {
  const { text, comments, program } = source
  return comments.flatMap(({ start, end }) => {
    const [, from = "", imported = ""] = documentedType.exec(text.slice(start, end)) ?? []
    if (!packages.test(from) || !typeNames.test(imported)) return []
    const next = program.body.find((node) => node.start >= end && text.slice(end, node.start).trim() === "")
    const object = next === undefined ? undefined : objectDeclaredIn(source, next)
    return object === undefined ? [] : [{ object, binding: { local: imported, imported, from, isType: true } }]
  })
}

function objectDeclaredIn(source: Source, statement: Node): ObjectExpression | undefined {
  const declaration = statement.type === "ExportNamedDeclaration" ? statement.declaration : statement
  const init = declaration?.type === "VariableDeclaration" ? declaration.declarations[0]?.init : undefined
  if (init) return objectBehind(source, init)
  if (statement.type !== "ExportDefaultDeclaration") return undefined
  return statement.declaration.type === "ObjectExpression" ? statement.declaration : undefined
}

function typeNameOf(type: Node): string | undefined {
  return type.type === "TSTypeReference" && type.typeName.type === "Identifier" ? type.typeName.name : undefined
}
