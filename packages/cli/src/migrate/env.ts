import { assignmentsIn } from "../project/env-text.js"
import { applied, type Edit } from "../source/edits.js"
import { bare, nameOf, type Node, type Source, textOf, walk } from "../source/syntax.js"

/** The variables of version 4, which Latchkey still reads, and their new names. */
export const renames: Readonly<Record<string, string>> = { NEXTAUTH_URL: "AUTH_URL", NEXTAUTH_SECRET: "AUTH_SECRET" }

const oldNames = /\bNEXTAUTH_(?:URL|SECRET)\b/g

/** The env file with new names in place of the old ones. If it has the new name already, the old one stays. */
export function renameVariables(text: string, kept: ReadonlySet<string>): string {
  const assignments = assignmentsIn(text)
  const taken = new Set(assignments.map(({ name }) => name))
  const edits = assignments.flatMap(({ name, start, end }): Edit[] => {
    const to = renames[name]
    if (to === undefined || taken.has(to) || kept.has(name)) return []
    const at = text.slice(start, end).indexOf(name) + start
    return [{ start: at, end: at + name.length, text: to }]
  })
  return applied(text, edits)
}

/** The old variables that the values of an env file use, such as `CALLBACK=${NEXTAUTH_URL}/done`. */
export function expandedIn(text: string): string[] {
  return assignmentsIn(text).flatMap(
    ({ start, end }) => text.slice(text.indexOf("=", start), end).match(oldNames) ?? [],
  )
}

/**
 * The old variables that the code reads, checks or declares by itself. Deployments set these under the old name, so it has
 * to stay. `secret: process.env.NEXTAUTH_SECRET` in a configuration doesn't count: Latchkey reads both names.
 */
export function variablesReadBy({ program, text }: Source): string[] {
  const names: string[] = []
  walk(program, (node, above) => {
    const written = node.type === "Identifier" ? node.name : (textOf(node) ?? quasi(node))
    const isOwn = !isSecretOption(above)
    for (const name of written?.match(oldNames) ?? []) if (isOwn) names.push(name)
  })
  return text.includes("NEXTAUTH_") ? names : []
}

function quasi(node: Node): string | undefined {
  return node.type === "TemplateElement" ? node.value.raw : undefined
}

/** Whether the node is the variable in `secret: process.env.NEXTAUTH_SECRET`, outside of a call of `getToken`. */
function isSecretOption(above: readonly Node[]): boolean {
  const property = above.findLast(({ type }) => type === "Property")
  if (property?.type !== "Property" || nameOf(property.key) !== "secret") return false
  const value = bare(property.value)
  const isVariable = value.type === "MemberExpression" && value.object.type === "MemberExpression"
  const call = above.findLast(({ type }) => type === "CallExpression")
  return isVariable && !(call?.type === "CallExpression" && nameOf(call.callee) === "getToken")
}

/** Renames the variable in `secret: process.env.NEXTAUTH_SECRET`. */
export function secretEdits({ program, text }: Source, kept: ReadonlySet<string>): Edit[] {
  const edits: Edit[] = []
  walk(program, (node, above) => {
    if (node.type !== "MemberExpression" || !isSecretOption([...above, node])) return
    const name = nameOf(node.property) ?? ""
    const to = kept.has(name) ? undefined : renames[name]
    const { start, end } = node.property
    const quote = /["'`]/.exec(text.charAt(start))?.[0] ?? ""
    if (to !== undefined) edits.push({ start, end, text: quote + to + quote })
  })
  return edits
}
