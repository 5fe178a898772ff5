import { resolve } from "node:path"
import { Command, CommanderError } from "commander"
import type { AddOptions } from "./commands/add.js"
import type { ApplyOptions, DbOptions, ResealOptions, SweepOptions } from "./commands/db.js"
import type { DoctorOptions } from "./commands/doctor.js"
import type { IdpOptions } from "./commands/idp.js"
import type { InitOptions } from "./commands/init.js"
import type { MigrateOptions } from "./commands/migrate.js"
import type { SecretOptions } from "./commands/secret.js"
import { command, type CommonOptions, type Run } from "./define.js"
import { Failure, reasonOf } from "./failure.js"
import { apiKeys, importing, moving } from "./users.js"
import type { Context, Outcome } from "./outcome.js"
import { systemTerminal } from "./terminal.js"
import { ownVersion } from "./version.js"

/** Runs one command. @returns the exit code: 0 success, 1 a failure or a problem, 2 wrong arguments */
export async function main(argv: readonly string[]): Promise<number> {
  let code = 0
  const run = async (options: CommonOptions, work: (context: Context) => Promise<Outcome>): Promise<void> => {
    const terminal = systemTerminal({ json: options.json === true, input: options.input })
    const context = { cwd: resolve(options.cwd ?? "."), env: process.env, terminal }
    const outcome = await work(context)
    code = outcome.code
    if (terminal.json && outcome.report !== undefined)
      terminal.print(JSON.stringify({ ok: code === 0, ...outcome.report }, null, 2))
  }
  try {
    await program(run).parseAsync(argv, { from: "user" })
    return code
  } catch (error) {
    return failed(error, argv.includes("--json"))
  }
}

/** Commander prints its own messages about wrong arguments. */
function failed(error: unknown, json: boolean): number {
  const isUsage = error instanceof CommanderError
  if (isUsage && error.exitCode === 0) return 0
  const message = isUsage ? error.message : explain(error)
  if (json) process.stdout.write(`${JSON.stringify({ ok: false, error: message }, null, 2)}\n`)
  else if (!isUsage) process.stderr.write(`✘ ${message}\n`)
  return isUsage ? 2 : error instanceof Failure ? error.code : 1
}

function explain(error: unknown): string {
  if (error instanceof Failure) return error.message
  return `Unexpected error (${reasonOf(error)}). Please report it, with the command and the version ${ownVersion()}.`
}

function program(run: Run): Command {
  const latchkey = new Command("latchkey")
    .description("Sets up, checks and migrates sign-in with Latchkey. Every command works offline.")
    .version(ownVersion(), "-v, --version", "print the version")
    .helpCommand("help [command]", "explain a command")
    .showHelpAfterError("Run it with --help for its usage.")
    .addHelpText("after", "\nExamples:\n  $ npx latchkey init\n  $ npx latchkey add github\n  $ npx latchkey doctor")
    .exitOverride()
    // Options after a subcommand are its own.
    .enablePositionalOptions()
  for (const define of [secret, add, init, doctor, migrate, importing, apiKeys, db, idp]) define(latchkey, run)
  return latchkey
}

function secret(parent: Command, run: Run): void {
  command(
    parent,
    "secret",
    "Creates AUTH_SECRET, 32 random bytes, and writes it to the env file",
    "npx latchkey secret\nnpx latchkey secret --raw | vercel env add AUTH_SECRET production",
  )
    .option("--raw", "print the value without writing it")
    .option("--copy", "copy the line for an env file to the clipboard without writing it")
    .option("--file <name>", "the env file (default: the usual one of the framework)")
    .option("--force", "replace an existing secret")
    .action(async (options: SecretOptions & CommonOptions) =>
      run(options, async (context) => (await import("./commands/secret.js")).secret(context, options)),
    )
}

function add(parent: Command, run: Run): void {
  command(
    parent,
    "add [providers...]",
    "Adds identity providers and modules to the configuration file, and their variables to the env file",
    "npx latchkey add github google\nnpx latchkey add password mfa api-keys\necho $SECRET | npx latchkey add github --client-id abc --client-secret-stdin",
  )
    .option("--config <file>", "the configuration file (default: search for it)")
    .option("--client-id <id>", "the client ID, for one provider")
    .option("--client-secret-stdin", "read the client secret from standard input")
    .option("--issuer <url>", "the issuer, for providers with one per customer")
    .option("--key-file <path>", "the .p8 file from Apple")
    .option("--file <name>", "the env file (default: the usual one of the framework)")
    .option("--force", "replace existing variables")
    .option("--list", "list all providers and modules")
    .action(async (providers: readonly string[], options: AddOptions & CommonOptions) =>
      run(options, async (context) => (await import("./commands/add.js")).add(context, providers, options)),
    )
}

function init(parent: Command, run: Run): void {
  command(
    parent,
    "init [framework]",
    "Adds the files for sign-in to an application",
    "npx latchkey init\nnpx latchkey init express --provider github --dry-run",
  )
    .option("--provider <id...>", "providers to add")
    .option("--dry-run", "show the files without writing them")
    .action(async (framework: string | undefined, options: InitOptions & CommonOptions) =>
      run(options, async (context) => (await import("./commands/init.js")).init(context, framework, options)),
    )
}

function doctor(parent: Command, run: Run): void {
  command(
    parent,
    "doctor [url]",
    "Checks the application, and optionally a running site, for problems with sign-in",
    "npx latchkey doctor\nnpx latchkey doctor https://app.example",
  )
    .option("--config <file>", "the configuration file (default: search for it)")
    .option("--no-load", "read the configuration file without running it")
    .option("--offline", "send no requests")
    .option("--production", "check for production: NODE_ENV and the production env files")
    .option("--timeout <seconds>", "how long to wait for a response", "5")
    .action(async (url: string | undefined, options: DoctorOptions & CommonOptions) =>
      run(options, async (context) => (await import("./commands/doctor.js")).doctor(context, url, options)),
    )
}

function migrate(parent: Command, run: Run): void {
  const group = command(
    parent,
    "migrate",
    "Migrates an application from next-auth 4 or 5, or from another package of Auth.js",
    "npx latchkey migrate --alias\nnpx latchkey migrate\nnpx latchkey migrate --check",
  )
    .option("--alias", "only make the former names aliases in package.json; the code stays")
    .option("--write", "write without asking")
    .option("--check", "change nothing; exit with 1 if there is something to migrate")
    .option("--dry-run", "show the changes without writing them")
    .action(async (options: MigrateOptions & CommonOptions) =>
      run(options, async (context) => (await import("./commands/migrate.js")).migrate(context, options)),
    )
    .enablePositionalOptions()
  moving(group, "better-auth", "Better Auth 1", run)
  moving(group, "lucia", "Lucia 3", run)
    .option("--users-table <name>", "the table of users", "user")
    .option("--sessions-table <name>", "the table of sessions", "session")
    .option("--accounts-table <name>", "the table of OAuth accounts", "oauth_account")
}

function db(parent: Command, run: Run): void {
  const group = parent
    .command("db")
    .description("Shows and applies changes of the database, finds problems in it, and maintains its rows")
    .addHelpText("after", "\nExamples:\n  $ npx latchkey db plan\n  $ npx latchkey db check")
  database(group, "plan", "Prints the SQL that the database needs, without running it").action(
    async (options: DbOptions & CommonOptions) =>
      run(options, async (context) => (await import("./commands/db.js")).dbPlan(context, options)),
  )
  database(group, "apply", "Prints the SQL that the database needs, asks, and runs it", " --yes")
    .option("--yes", "run it without asking")
    .action(async (options: ApplyOptions & CommonOptions) =>
      run(options, async (context) => (await import("./commands/db.js")).dbApply(context, options)),
    )
  database(group, "check", "Finds problems in the tables, indexes and settings of the database").action(
    async (options: DbOptions & CommonOptions) =>
      run(options, async (context) => (await import("./commands/db.js")).dbCheck(context, options)),
  )
  database(group, "sweep", "Deletes expired sessions, verification tokens and rate limits", " --batch 500 --pause 20")
    .option("--batch <rows>", "rows per transaction", "1000")
    .option("--pause <milliseconds>", "the time between two batches", "10")
    .option("--before <date>", "delete what expired before this date (default: now)")
    .action(async (options: SweepOptions & CommonOptions) =>
      run(options, async (context) => (await import("./commands/db.js")).dbSweep(context, options)),
    )
  command(
    group,
    "reseal",
    "Encrypts what modules keep with the newest secret",
    "npx latchkey db reseal\nnpx latchkey db reseal --check",
  )
    .option("--config <file>", "the configuration file (default: search for it)")
    .option("--production", "read the production env files")
    .option("--check", "change nothing; exit with 1 if a record needs a former secret")
    .action(async (options: ResealOptions & CommonOptions) =>
      run(options, async (context) => (await import("./commands/db.js")).dbReseal(context, options)),
    )
}

function database(group: Command, name: string, description: string, options = ""): Command {
  const examples = `npx latchkey db ${name}${options}\nnpx latchkey db ${name} --url-env DATABASE_URL`
  return command(group, name, description, examples)
    .option("--config <file>", "the configuration file (default: search for it)")
    .option("--production", "read the production env files")
    .option(
      "--url <url>",
      "the database instead of the configuration: postgres://…, mysql://…, libsql://… or file:app.db",
    )
    .option("--url-env <name>", "the variable with the URL of the database, so that the command line doesn't show it")
    .option("--prefix <text>", "with a URL: the prefix of the tables")
    .option("--layout <name>", "with a URL: the layout of the tables, such as authjs-pg")
}

function idp(parent: Command, run: Run): void {
  command(
    parent,
    "idp",
    "Runs an OpenID provider on this machine, for development and tests",
    "npx latchkey idp\nnpx latchkey idp --port 9000 --people people.json",
  )
    .option("--port <number>", "the port on localhost; 0 for any free port", "9400")
    .option("--people <file>", "the users: a JSON array of { id, name, email, … }")
    .option("--client-id <id>", "the client ID", "latchkey")
    .option("--client-secret <secret>", "the client secret", "not-a-secret")
    .option("--redirect <url...>", "redirect URIs to allow besides those on this machine")
    .action(async (options: IdpOptions & CommonOptions) =>
      run(options, async (context) => (await import("./commands/idp.js")).idp(context, options)),
    )
}
