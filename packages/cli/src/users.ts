import type { Command } from "commander"
import type { ApiKeysOptions } from "./commands/api-keys.js"
import type { ImportPasswordsOptions } from "./commands/import.js"
import type { MoveCommandOptions } from "./commands/move.js"
import { command, type CommonOptions, type Run } from "./define.js"

/** Commands that import what another system exported. */
export function importing(parent: Command, run: Run): void {
  const group = parent.command("import").description("Imports what another system exported")
  command(
    group,
    "passwords <file>",
    "Imports hashes of passwords from CSV or JSON, or from an export of Auth0, Clerk, Firebase or Supabase",
    "npx latchkey import passwords users.csv --dry-run\nnpx latchkey import passwords users.csv --create-users",
  )
    .option("--config <file>", "the configuration file (default: search for it)")
    .option("--production", "read the production env files")
    .option("--dry-run", "change nothing, and show what would be done")
    .option("--create-users", "create the users that don't exist here")
    .option("--verified", "with --create-users: the other system has verified every email of the file")
    .option("--overwrite", "replace the passwords that users have here")
    .option("--firebase-parameters <file>", "the hash_config from the Firebase console")
    .action(async (file: string, options: ImportPasswordsOptions & CommonOptions) =>
      run(options, async (context) => (await import("./commands/import.js")).passwords(context, file, options)),
    )
}

/** A command that moves the users of another library. */
export function moving(parent: Command, library: "better-auth" | "lucia", name: string, run: Run): Command {
  const examples = `npx latchkey migrate ${library} --from file:old.db --dry-run\nnpx latchkey migrate ${library} --from-env OLD_DATABASE_URL`
  return command(
    parent,
    library,
    `Moves the users of an application with ${name} into the database of this one`,
    examples,
  )
    .option("--from <url>", "the other library's database: file:old.db or postgres://…")
    .option("--from-env <name>", "the variable with its URL, so that the command line doesn't show it")
    .option("--dry-run", "change nothing, and show what would be done")
    .option("--sessions", "move sessions, so that users stay signed in")
    .option("--provider <former=here...>", "the id that a provider has here, such as microsoft=microsoft-entra-id")
    .option("--config <file>", "the configuration file (default: search for it)")
    .option("--production", "read the production env files")
    .action(async (options: MoveCommandOptions & CommonOptions) =>
      run(options, async (context) => (await import("./commands/move.js")).moveFrom(context, library, options)),
    )
}

/** Commands about the API keys of users. */
export function apiKeys(parent: Command, run: Run): void {
  const group = parent.command("api-keys").description("Lists and revokes API keys of users")
  const define = (usage: string, description: string, examples: string) =>
    command(group, usage, description, examples)
      .option("--config <file>", "the configuration file (default: search for it)")
      .option("--production", "read the production env files")
  define(
    "list <user>",
    "Lists the API keys of a user, by email or id",
    "npx latchkey api-keys list ada@example.com",
  ).action(async (user: string, options: ApiKeysOptions & CommonOptions) =>
    run(options, async (context) => (await import("./commands/api-keys.js")).listKeys(context, user, options)),
  )
  define("revoke <id...>", "Revokes API keys by their ids", "npx latchkey api-keys revoke 1mIGkqbLHqbxhmHT").action(
    async (ids: readonly string[], options: ApiKeysOptions & CommonOptions) =>
      run(options, async (context) => (await import("./commands/api-keys.js")).revokeKeys(context, ids, options)),
  )
}
