import { assignmentsIn } from "../project/env-text.js"
import { applied, type Edit } from "../source/edits.js"
import { nameOf, type Source, walk } from "../source/syntax.js"

const names: Readonly<Record<string, string>> = { NEXTAUTH_URL: "AUTH_URL", NEXTAUTH_SECRET: "AUTH_SECRET" }

/** The env file with the new names in place of the old ones. If it has the new name already, the old one stays. */
export function renameVariables(text: string): string {
  const assignments = assignmentsIn(text)
  const taken = new Set(assignments.map(({ name }) => name))
  const edits = assignments.flatMap(({ name, start, end }): Edit[] => {
    const to = names[name]
    if (to === undefined || taken.has(to)) return []
    const at = text.slice(start, end).indexOf(name) + start
    return [{ start: at, end: at + name.length, text: to }]
  })
  return applied(text, edits)
}

/** Renames `process.env.NEXTAUTH_SECRET` and `process.env["NEXTAUTH_SECRET"]`. */
export function variableEdits({ program, text }: Source): Edit[] {
  const edits: Edit[] = []
  walk(program, (node) => {
    if (node.type !== "MemberExpression" || node.object.type !== "MemberExpression") return
    if (nameOf(node.object.property) !== "env") return
    const { start, end } = node.property
    const to = names[nameOf(node.property) ?? ""]
    const quote = /["'`]/.exec(text.charAt(start))?.[0] ?? ""
    if (to !== undefined) edits.push({ start, end, text: quote + to + quote })
  })
  return edits
}
