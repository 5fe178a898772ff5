import { unifiedDiff } from "../diff.js"
import { wrongUsage } from "../failure.js"
import type { Change, Plan } from "../migrate/plan.js"
import { aliasPlanFor, planFor } from "../migrate/steps.js"
import type { Context, Outcome } from "../outcome.js"
import { assignmentsIn } from "../project/env-text.js"
import { writeAll } from "../project/files.js"
import { findProject, installCommand, type Project } from "../project/project.js"
import { applied } from "../source/edits.js"

export interface MigrateOptions {
  readonly alias?: boolean
  readonly write?: boolean
  readonly check?: boolean
  readonly dryRun?: boolean
}

/** `latchkey migrate` */
export async function migrate(context: Context, options: MigrateOptions): Promise<Outcome> {
  const readOnly = readOnlyOption(options)
  const project = findProject(context.cwd)
  const plan = options.alias === true ? aliasPlanFor(project) : planFor(project)
  const { terminal } = context
  if (plan.changes.length === 0) return nothingToWrite(context, plan)
  for (const change of plan.changes) terminal.say(colored(context, diffOf(change)))
  showNotes(context, plan)
  if (readOnly === undefined && (await isConfirmed(context, options))) return write(context, project, plan)
  terminal.say(
    readOnly === undefined
      ? `No file was changed. To change ${count(plan)}, pass --write.`
      : `${count(plan)} to change (${readOnly}).`,
  )
  const isFine = readOnly === "--dry-run" && isDone(plan)
  return { code: isFine ? 0 : 1, report: { ...reportOf(plan), written: false } }
}

function readOnlyOption({ check, dryRun, write }: MigrateOptions): string | undefined {
  const readOnly = check === true ? "--check" : dryRun === true ? "--dry-run" : undefined
  if (write === true && readOnly !== undefined) throw wrongUsage(`--write and ${readOnly} can't be combined.`)
  return readOnly
}

function nothingToWrite(context: Context, plan: Plan): Outcome {
  context.terminal.say(
    plan.notes.length === 0
      ? "There is nothing to migrate: no use of next-auth or @auth was found."
      : "There is nothing to migrate automatically.",
  )
  showNotes(context, plan)
  return { code: isDone(plan) ? 0 : 1, report: { ...reportOf(plan), written: false } }
}

function write({ terminal }: Context, project: Project, plan: Plan): Outcome {
  const files = plan.changes.map(({ path, after }) => ({ path, text: after, replaces: true }))
  writeAll(project.root, files)
  terminal.say(`${terminal.style.green("✔")} Changed ${count(plan)}`)
  const work = isDone(plan) ? "" : ` change what is marked with ${terminal.style.red("✘")} above,`
  terminal.say(`\n  Next: run \`${installCommand(project)}\`,${work} then run \`npx latchkey doctor\`.`)
  return { code: isDone(plan) ? 0 : 1, report: { ...reportOf(plan), written: true } }
}

/** Whether the application needs no further change by you. */
function isDone({ notes }: Plan): boolean {
  return notes.every(({ isOpen }) => !isOpen)
}

async function isConfirmed({ terminal }: Context, { write }: MigrateOptions): Promise<boolean> {
  if (write === true) return true
  return (await terminal.ask?.confirm("Write these changes?", false)) ?? false
}

function count({ changes }: Plan): string {
  return changes.length === 1 ? "1 file" : `${changes.length} files`
}

function diffOf({ path, before, after }: Change): string {
  const isEnv = /(?:^|\/)\.env/.test(path)
  return isEnv ? unifiedDiff(path, withoutValues(before), withoutValues(after)) : unifiedDiff(path, before, after)
}

/** The env file without its values, which may be secrets. Comments may contain some, too. */
function withoutValues(text: string | undefined): string | undefined {
  if (text === undefined) return undefined
  const edits = assignmentsIn(text).map(({ start, end }) => ({ start: text.indexOf("=", start) + 1, end, text: "…" }))
  return applied(text, edits).replaceAll(/^([ \t]*#[^=\r\n]*=).*$/gm, "$1…")
}

function colored({ terminal: { style } }: Context, diff: string): string {
  const paint = (line: string) => {
    if (line.startsWith("---") || line.startsWith("+++")) return style.bold(line)
    if (line.startsWith("@@")) return style.dim(line)
    return line.startsWith("-") ? style.red(line) : line.startsWith("+") ? style.green(line) : line
  }
  return `${diff.split("\n").map(paint).join("\n")}\n`
}

function showNotes({ terminal }: Context, { notes }: Plan): void {
  if (notes.length === 0) return
  const { bold, red, yellow } = terminal.style
  terminal.say(bold("Notes"))
  for (const { where, text, isOpen } of notes.toSorted((a, b) => Number(a.isOpen) - Number(b.isOpen)))
    terminal.say(`${isOpen ? red("✘") : yellow("!")} ${where === undefined ? "" : `${where}: `}${text}`)
  terminal.say()
}

function reportOf(plan: Plan): { changes: readonly object[]; notes: readonly object[] } {
  const changes = plan.changes.map((change) => ({ path: change.path, action: actionOf(change), diff: diffOf(change) }))
  return { changes, notes: plan.notes }
}

function actionOf({ before, after }: Change): "create" | "remove" | "change" {
  return before === undefined ? "create" : after === undefined ? "remove" : "change"
}
