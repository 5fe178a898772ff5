import type { ObjectExpression } from "oxc-parser"
import { allProviders, type Entry } from "../catalogue.js"
import type { ConfigurationFile } from "../project/find-configuration.js"
import { variablesOf } from "../provider-variables.js"
import type { Configuration } from "../source/configurations.js"
import { bindingsOf } from "../source/imports.js"
import { propertyOf, providersOf } from "../source/providers.js"
import { bare, type Expression, nameOf, type Source, textOf, walk } from "../source/syntax.js"
import { type Finding, ok, problem, warning } from "./finding.js"

/** A provider in the source of the file. */
interface ReadProvider {
  readonly id: string
  readonly type: string
  /** The variables that it needs, without those whose value the file sets. */
  readonly variables: readonly string[]
}

/** The findings from the source alone: providers, their variables and redirect URIs. */
export function readingFindings(
  { source }: ConfigurationFile,
  configuration: Configuration,
  { base, variables }: { readonly base: string; readonly variables: Readonly<Record<string, string | undefined>> },
): Finding[] {
  const list = providersOf(source, configuration.object)
  if (list.kind !== "array")
    return [warning("providers", "The providers aren't an array literal, so they weren't checked")]
  const providers = list.array.elements.flatMap((element) =>
    element === null || element.type === "SpreadElement" ? [] : readProvider(source, element),
  )
  return providers.map(({ id, type, variables: needed }) => {
    const missing = needed.filter((name) => !variables[name])
    const redirectUri = type === "email" || type === "webauthn" ? undefined : `${base}/callback/${id}`
    if (missing.length === 0)
      return ok(
        `provider ${id}`,
        redirectUri === undefined
          ? needed.length === 0
            ? "configured"
            : "variables are set"
          : `redirect URI ${redirectUri}`,
      )
    const words = `${missing.join(", ")} ${missing.length === 1 ? "isn't" : "aren't"} set`
    const fix = `Run \`npx latchkey add ${id}\`, or set ${missing.length === 1 ? "it" : "them"}.`
    const note = redirectUri === undefined ? "" : ` The redirect URI is ${redirectUri}`
    return problem(`provider ${id}`, words, fix + note)
  })
}

/** Whether the list has a passkey provider. */
export function hasPasskeys({ source }: ConfigurationFile, { object }: Configuration): boolean {
  const list = providersOf(source, object)
  if (list.kind !== "array") return false
  return list.array.elements.some(
    (element) =>
      element !== null &&
      element.type !== "SpreadElement" &&
      readProvider(source, element).some(({ type }) => type === "webauthn"),
  )
}

function readProvider(source: Source, given: Expression): ReadProvider[] {
  const { name, options } = written(bare(given))
  const from = bindingsOf(source).find(({ local }) => local === name)?.from
  const module = /\/providers\/([\w-]+)$/.exec(from ?? "")?.[1]
  const entry = allProviders().find((one) => one.module === module)
  const id = idIn(options) ?? entry?.id ?? module
  if (id === undefined) return []
  if (entry === undefined) return [{ id, type: "oidc", variables: [] }]
  return [{ id, type: entry.type, variables: neededBy(entry, options) }]
}

function idIn(options: ObjectExpression | undefined): string | undefined {
  const own = options === undefined ? undefined : propertyOf(options, "id")
  return own === undefined ? undefined : textOf(own.value)
}

/** The name and the options of an element such as `GitHub`, `GitHub({ … })` or `{ … }`. */
function written(expression: Expression): { name: string | undefined; options: ObjectExpression | undefined } {
  if (expression.type === "ObjectExpression") return { name: undefined, options: expression }
  if (expression.type !== "CallExpression") return { name: nameOf(expression), options: undefined }
  const [first] = expression.arguments
  return { name: nameOf(expression.callee), options: first?.type === "ObjectExpression" ? first : undefined }
}

/** The variables whose option the file doesn't set. */
function neededBy(entry: Entry, options: ObjectExpression | undefined): string[] {
  const wanted = new Set(variablesOf(entry).map(({ name }) => name))
  return Object.entries(entry.env)
    .filter(
      ([option, name]) => wanted.has(name) && (options === undefined || propertyOf(options, option) === undefined),
    )
    .map(([, name]) => name)
}

/** Finds secrets in a file that is committed. */
export function sourceFindings({ path }: ConfigurationFile, { object }: Configuration): Finding[] {
  const secret = propertyOf(object, "secret")
  const isWritten = secret !== undefined && textOf(secret.value) !== undefined
  return isWritten
    ? [warning("secret", `The secret is in ${path}`, "Remove it, and set AUTH_SECRET in the environment")]
    : []
}

export function setsSecret({ object }: Configuration): boolean {
  return propertyOf(object, "secret") !== undefined
}

/** Whether running the file would start a server. */
export function listens({ program }: Source): boolean {
  let found = false
  walk(program, (node) => {
    if (
      node.type === "CallExpression" &&
      node.callee.type === "MemberExpression" &&
      nameOf(node.callee.property) === "listen"
    )
      found = true
  })
  return found
}
