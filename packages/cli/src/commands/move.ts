import type { MoveOrder } from "../db/job.js"
import { absolute, entryOf } from "../db/entries.js"
import { type DbOptions, locate } from "../db/locate.js"
import { run } from "../db/run.js"
import { Failure, wrongUsage } from "../failure.js"
import type { Moved } from "../move/write.js"
import type { Context, Outcome } from "../outcome.js"
import { counted } from "../terminal.js"

export interface MoveCommandOptions extends Pick<DbOptions, "config" | "production"> {
  readonly from?: string
  readonly fromEnv?: string
  readonly dryRun?: boolean
  readonly sessions?: boolean
  readonly provider?: readonly string[]
  readonly usersTable?: string
  readonly sessionsTable?: string
  readonly accountsTable?: string
}

/** `latchkey migrate better-auth` and `latchkey migrate lucia` */
export async function moveFrom(
  context: Context,
  library: MoveOrder["library"],
  options: MoveCommandOptions,
): Promise<Outcome> {
  const { config, production } = options
  const { source, ...running } = locate(context, {
    ...(config !== undefined && { config }),
    ...(production !== undefined && { production }),
  })
  const from = sourceUrl(context, options, running.env)
  const order: MoveOrder = {
    kind: "move",
    library,
    from,
    isDryRun: options.dryRun === true,
    movesSessions: options.sessions === true,
    providers: { ...renamed[library], ...pairsIn(options.provider ?? []) },
    lucia: {
      users: options.usersTable ?? "user",
      sessions: options.sessionsTable ?? "session",
      accounts: options.accountsTable ?? "oauth_account",
    },
  }
  const { kind: _, ...moved } = await run({ source, order }, "moved", running)
  show(context, moved, order)
  return { code: moved.left.length === 0 ? 0 : 1, report: { ...moved, dryRun: order.isDryRun } }
}

/** Ids of providers that Latchkey names in another way. */
const renamed: Readonly<Record<MoveOrder["library"], Readonly<Record<string, string>>>> = {
  "better-auth": { microsoft: "microsoft-entra-id" },
  lucia: {},
}

function sourceUrl(
  { cwd }: Context,
  { from, fromEnv }: MoveCommandOptions,
  env: Readonly<Record<string, string | undefined>>,
): string {
  if ((from === undefined) === (fromEnv === undefined))
    throw wrongUsage("Pass the other library's database with --from or --from-env, such as --from file:old.db.")
  const url = from ?? env[fromEnv ?? ""]
  if (!url) throw new Failure(`${fromEnv} isn't set, neither in the environment nor in an env file. Set it to the URL.`)
  entryOf(url)
  return absolute(url, cwd)
}

function pairsIn(texts: readonly string[]): Readonly<Record<string, string>> {
  return Object.fromEntries(
    texts.map((text) => {
      const [former = "", here = ""] = text.split("=")
      if (former === "" || here === "")
        throw wrongUsage(`--provider ${text} isn't two ids, such as microsoft=microsoft-entra-id.`)
      return [former, here]
    }),
  )
}

const words = {
  users: "user",
  accounts: "account",
  passwords: "password",
  passkeys: "passkey",
  apps: "authenticator app",
  sessions: "session",
} as const

/** Ids that are shown. */
const named = 10

function show({ terminal }: Context, moved: Moved, { isDryRun }: MoveOrder): void {
  const { green, red, yellow } = terminal.style
  const parts = Object.entries(words).map(([key, word]) => counted(moved[key as keyof typeof words], word))
  terminal.say(`${green("✔")} ${isDryRun ? "Would move" : "Moved"} ${parts.join(", ")}`)
  if (moved.known > 0) terminal.say(`  ${counted(moved.known, "user")} here already`)
  if (moved.unverified > 0)
    terminal.say(
      `  ${counted(moved.unverified, "user")} with an email that isn't verified: they reset the password first`,
    )
  for (const { reason, count, users } of moved.left) {
    const more = count > named ? ` and ${count - named} more` : ""
    terminal.say(`${red("✘")} ${counted(count, "user")}: ${reason} (${users.slice(0, named).join(", ")}${more})`)
  }
  for (const note of moved.notes) terminal.say(`${yellow("!")} ${note}`)
}
