import type { Batch, Deleted, Problem } from "../db/job.js"
import { type DbOptions, locate, type Located } from "../db/locate.js"
import { run } from "../db/run.js"
import { sweepOrder, type SweepOptions } from "../db/sweep-order.js"
import { Failure, wrongUsage } from "../failure.js"
import { type Context, done, type Outcome } from "../outcome.js"
import { counted } from "../terminal.js"

export type { DbOptions, SweepOptions }

export interface ApplyOptions extends DbOptions {
  readonly yes?: boolean
}

/** `latchkey db plan`. The output is SQL also if there is nothing to do, so it can be piped. */
export async function dbPlan(context: Context, options: DbOptions): Promise<Outcome> {
  const { statements, newDatabase } = await planOf(locate(context, options))
  if (statements.length === 0) context.terminal.say("-- Nothing to do: the tables are up to date.")
  if (newDatabase !== undefined) context.terminal.say(`-- ${newDatabase} doesn't exist. \`apply\` creates it.`)
  show(context, statements)
  return done({ statements })
}

/** `latchkey db apply` */
export async function dbApply(context: Context, options: ApplyOptions): Promise<Outcome> {
  const located = locate(context, options)
  const { terminal } = context
  const { statements } = await planOf(located)
  if (statements.length === 0) {
    terminal.say("Nothing to do: the tables are up to date.")
    return done({ statements, applied: false })
  }
  show(context, statements)
  if (!(await isConfirmed(context, options, statements.length))) throw new Failure("Canceled. Nothing was changed.")
  const { source, ...running } = located
  const left = await run({ source, order: { kind: "migrate" } }, "statements", running)
  if (left.statements.length > 0) return incomplete(context, left.statements)
  terminal.say(`\n${terminal.style.green("✔")} Applied ${counted(statements.length, "statement")}`)
  return done({ statements, applied: true })
}

function planOf({ source, ...running }: Located) {
  return run({ source, order: { kind: "plan" } }, "statements", running)
}

function show({ terminal }: Context, statements: readonly string[]): void {
  for (const statement of statements) terminal.say(`${statement.replace(/;?\s*$/, "")};`)
}

async function isConfirmed({ terminal }: Context, { yes }: ApplyOptions, count: number): Promise<boolean> {
  if (yes === true) return true
  if (terminal.ask !== undefined) return terminal.ask.confirm(`Run ${counted(count, "statement")}?`, false)
  throw wrongUsage("Nothing was changed. Without a terminal, pass --yes to run the statements without a question.")
}

function incomplete(context: Context, left: readonly string[]): Outcome {
  context.terminal.say("\nThese statements are still to do. Run `npx latchkey db check` to see why:")
  show(context, left)
  return { code: 1, report: { applied: true, left } }
}

/** `latchkey db check` */
export async function dbCheck(context: Context, options: DbOptions): Promise<Outcome> {
  const { source, ...running } = locate(context, options)
  const result = await run({ source, order: { kind: "check" } }, "problems", running)
  const problems = result.problems.map((one) => cleaned(one, running.clean))
  const { terminal } = context
  const { red, yellow, dim } = terminal.style
  for (const { level, problem, fix } of problems) {
    terminal.say(`${level === "error" ? red("✘") : yellow("!")} ${problem}`)
    terminal.say(`  ${dim(`→ ${fix}`)}`)
  }
  const errors = problems.filter(({ level }) => level === "error").length
  terminal.say(`${counted(errors, "error")}, ${counted(problems.length - errors, "warning")}`)
  return { code: errors === 0 ? 0 : 1, report: { problems } }
}

function cleaned({ level, problem, fix }: Problem, clean: (text: string) => string): Problem {
  return { level, problem: clean(problem), fix: clean(fix) }
}

/** `latchkey db sweep` */
export async function dbSweep(context: Context, options: SweepOptions): Promise<Outcome> {
  const order = { kind: "sweep", options: sweepOrder(options, new Date()) } as const
  const { source, ...running } = locate(context, options)
  const { deleted, isStopped } = await run({ source, order }, "deleted", { ...running, onBatch: progress(context) })
  context.terminal.say(`Deleted ${listed(deleted)}`)
  if (!isStopped) return done({ deleted })
  context.terminal.say("Stopped before the end. Run the command again to continue.")
  return { code: 1, report: { deleted, stopped: true } }
}

export interface ResealOptions extends Pick<DbOptions, "config" | "production"> {
  readonly check?: boolean
}

/** `latchkey db reseal` */
export async function dbReseal(context: Context, { check = false, ...options }: ResealOptions): Promise<Outcome> {
  const { source, ...running } = locate(context, options)
  const { outdated, unreadable } = await run({ source, order: { kind: "reseal", check } }, "resealed", running)
  const { terminal } = context
  const records = counted(outdated, "record")
  terminal.say(check ? `A former secret is needed for ${records}` : `Re-sealed ${records}`)
  if (unreadable > 0) {
    terminal.say(`None of the secrets opens ${counted(unreadable, "record")}. Add the one that sealed them.`)
  }
  const isDone = unreadable === 0 && (!check || outdated === 0)
  return { code: isDone ? 0 : 1, report: { [check ? "outdated" : "resealed"]: outdated, unreadable } }
}

/** Batches between two lines. */
const batchesPerLine = 100

function progress({ terminal }: Context): (batch: Batch) => void {
  const counts = new Map<string, { batches: number; rows: number }>()
  return ({ table, rows }) => {
    const before = counts.get(table) ?? { batches: 0, rows: 0 }
    const now = { batches: before.batches + 1, rows: before.rows + rows }
    counts.set(table, now)
    if (now.batches % batchesPerLine === 0) terminal.say(`  ${table}: ${now.rows} deleted so far`)
  }
}

const words: Readonly<Record<string, string>> = {
  sessions: "session",
  verificationTokens: "verification token",
  rateLimits: "rate limit",
  records: "record",
}

function listed(deleted: Deleted): string {
  const parts = Object.entries(deleted).map(([name, count]) => counted(count, words[name] ?? name))
  return parts.length === 0 ? "no rows" : parts.join(", ")
}
