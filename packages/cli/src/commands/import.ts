import { resolve } from "node:path"
import type { Imported, ImportOrder } from "../db/job.js"
import { type DbOptions, locate } from "../db/locate.js"
import { run } from "../db/run.js"
import { wrongUsage } from "../failure.js"
import { firebaseParametersIn } from "../import/firebase.js"
import type { Context, Outcome } from "../outcome.js"
import { counted } from "../terminal.js"

export interface ImportPasswordsOptions extends Pick<DbOptions, "config" | "production"> {
  readonly dryRun?: boolean
  readonly createUsers?: boolean
  readonly verified?: boolean
  readonly overwrite?: boolean
  readonly firebaseParameters?: string
}

/** `latchkey import passwords` */
export async function passwords(context: Context, file: string, options: ImportPasswordsOptions): Promise<Outcome> {
  const order = orderOf(context, file, options)
  const { config, production } = options
  const { source, ...running } = locate(context, {
    ...(config !== undefined && { config }),
    ...(production !== undefined && { production }),
  })
  let lines = 0
  const onBatch = ({ rows }: { readonly rows: number }) => context.terminal.say(`  ${(lines += rows)} lines so far`)
  const { kind: _, ...imported } = await run({ source, order }, "imported", { ...running, onBatch })
  show(context, imported, order)
  const { counts, formats, refused } = imported
  return { code: refused.length === 0 ? 0 : 1, report: { ...counts, formats, refused, dryRun: order.isDryRun } }
}

function orderOf({ cwd }: Context, file: string, options: ImportPasswordsOptions): ImportOrder {
  const { dryRun = false, createUsers = false, verified = false, overwrite = false, firebaseParameters } = options
  if (verified && !createUsers)
    throw wrongUsage("--verified needs --create-users. Users who are here stay as they are.")
  return {
    kind: "import",
    file: resolve(cwd, file),
    isDryRun: dryRun,
    createsUsers: createUsers,
    overwrites: overwrite,
    isVerified: verified,
    firebase: firebaseParameters === undefined ? undefined : firebaseParametersIn(resolve(cwd, firebaseParameters)),
  }
}

function show(
  { terminal }: Context,
  { counts, formats, refused }: Imported,
  { isDryRun, createsUsers }: ImportOrder,
): void {
  const { style } = terminal
  const stored = counts.imported + counts.created
  const kinds = Object.entries(formats).map(([name, count]) => `${count} ${name}`)
  const about = kinds.length === 0 ? "" : ` (${kinds.join(", ")})`
  const verb = isDryRun ? "Would import" : "Imported"
  terminal.say(`${style.green("✔")} ${verb} ${counted(stored, "password")}${about}`)
  if (counts.created > 0) terminal.say(`  ${isDryRun ? "Would create" : "Created"} ${counted(counts.created, "user")}`)
  if (counts.kept > 0) terminal.say(`  ${counted(counts.kept, "user")} with a password here: it stays`)
  if (counts.missing > 0)
    terminal.say(
      `  ${counted(counts.missing, "user")} not here${createsUsers ? "" : ". To create them, pass --create-users"}`,
    )
  if (counts.withoutPassword > 0)
    terminal.say(`  ${counted(counts.withoutPassword, "user")} without a password in the file`)
  for (const { reason, count, lines } of refused)
    terminal.say(`${style.red("✘")} ${counted(count, "line")} refused: ${reason} (${listed(lines, count)})`)
}

/** Lines that are named. */
const named = 20

function listed(lines: readonly number[], count: number): string {
  const first = lines.slice(0, named).join(", ")
  const more = count > named ? ` and ${count - named} more` : ""
  return `${count === 1 ? "line" : "lines"} ${first}${more}`
}
