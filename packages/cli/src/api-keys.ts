import { close, configurationIn } from "./db/configuration.js"
import type { ApiKeysOrder, Result, Source } from "./db/job.js"
import { Failure } from "./failure.js"
import { type ApiKeysMembers, type Members, membersIn } from "./import/members.js"

/** Lists or revokes API keys with the module of the configuration, so that it emits its events. @throws Failure */
export async function runApiKeys(source: Source, order: ApiKeysOrder, onLoad: () => void): Promise<Result> {
  const config = await configurationIn(source)
  onLoad()
  try {
    const { apiKeys, directory } = membersIn(config)
    if (apiKeys === undefined)
      throw new Failure(
        "The configuration has no module `apiKeys()`. Add it, for example with `latchkey add api-keys`.",
      )
    if (order.action === "list")
      return { kind: "api-keys", keys: await apiKeys.list(await userIn(directory, order.user)) }
    return { kind: "revoked-keys", revoked: await revoked(apiKeys, order.keyIds) }
  } finally {
    await close(config.adapter)
  }
}

async function userIn(directory: Members["directory"], user: string): Promise<string> {
  if (!user.includes("@")) return user
  const id = await directory.find(user)
  if (id === null) throw new Failure(`There is no user with the email ${user}.`)
  return id
}

async function revoked(apiKeys: ApiKeysMembers, keyIds: readonly string[]): Promise<readonly string[]> {
  const ended: string[] = []
  for (const id of keyIds) if (await apiKeys.revoke(id)) ended.push(id)
  return ended
}
