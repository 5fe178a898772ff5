import type { ApiKeysOrder, Result } from "../db/job.js"
import { type DbOptions, locate } from "../db/locate.js"
import { run } from "../db/run.js"
import { wrongUsage } from "../failure.js"
import { type Context, done, type Outcome } from "../outcome.js"
import { counted } from "../terminal.js"

export type ApiKeysOptions = Pick<DbOptions, "config" | "production">

/** `latchkey api-keys list` */
export async function listKeys(context: Context, user: string, options: ApiKeysOptions): Promise<Outcome> {
  const { keys } = await ask(context, options, { kind: "api-keys", action: "list", user }, "api-keys")
  const { terminal } = context
  const day = (date: Date | null) => date?.toISOString().slice(0, 10) ?? "never"
  for (const { keyId, start, name, scopes, createdAt, expiresAt, lastUsedAt } of keys) {
    terminal.say(`${terminal.style.bold(keyId)}  ${name}  ${terminal.style.dim(start)}  ${scopes.join(" ")}`)
    terminal.say(`  created ${day(createdAt)}, last used ${day(lastUsedAt)}, expires ${day(expiresAt)}`)
  }
  terminal.say(counted(keys.length, "API key"))
  return done({ keys })
}

/** `latchkey api-keys revoke` */
export async function revokeKeys(context: Context, ids: readonly string[], options: ApiKeysOptions): Promise<Outcome> {
  // What is typed here is in the history of the shell, so a whole key would leak once more.
  if (ids.some((id) => id.includes("_")))
    throw wrongUsage("Pass the ids of keys, as `latchkey api-keys list` shows them.")
  const keyIds = [...new Set(ids)]
  const { revoked } = await ask(context, options, { kind: "api-keys", action: "revoke", keyIds }, "revoked-keys")
  const missing = keyIds.filter((id) => !revoked.includes(id))
  const { terminal } = context
  terminal.say(`${terminal.style.green("✔")} Revoked ${counted(revoked.length, "API key")}`)
  for (const id of missing) terminal.say(`${terminal.style.red("✘")} There is no key ${id}`)
  return { code: missing.length === 0 ? 0 : 1, report: { revoked, missing } }
}

async function ask<Kind extends "api-keys" | "revoked-keys">(
  context: Context,
  { config, production }: ApiKeysOptions,
  order: ApiKeysOrder,
  kind: Kind,
): Promise<Result & { readonly kind: Kind }> {
  const { source, ...running } = locate(context, {
    ...(config !== undefined && { config }),
    ...(production !== undefined && { production }),
  })
  return run({ source, order }, kind, running)
}
