import { InvalidConfig } from "../errors.js"
import type { SessionContext } from "../model/auth.js"
import type { Module, ModuleParts } from "../module-kit/model.js"
import { recordsHint } from "../model/records.js"
import { hasRows } from "../session/revocation.js"
import { assertScript } from "./script.js"

/** A module whose parts are loaded. */
export interface Installed {
  readonly module: Module
  readonly parts: ModuleParts
}

/** Ordered by id, so that the order of the configuration decides nothing. */
const loaded = new WeakMap<readonly Module[], readonly Installed[]>()

/** @throws InvalidConfig if a module can't work with this configuration */
export async function installed(auth: SessionContext): Promise<readonly Installed[]> {
  const all = loaded.get(auth.modules) ?? (await Promise.all(auth.modules.map(load))).toSorted(byId)
  loaded.set(auth.modules, all)
  // Two configurations may have the same list of modules.
  for (const each of all) assertUsable(auth, each)
  return all
}

function byId({ module: one }: Installed, { module: other }: Installed): number {
  return one.id < other.id ? -1 : 1
}

async function load(module: Module): Promise<Installed> {
  const parts = (await module.load?.()) ?? {}
  const problem = parts.check?.()[0]
  if (problem !== undefined) throw new InvalidConfig(`modules: ${module.id}: ${problem}`)
  assertScript({ module, parts })
  return { module, parts }
}

function assertUsable(auth: SessionContext, { module, parts }: Installed): void {
  if (parts.factor !== undefined && auth.records === undefined)
    throw new InvalidConfig(`modules: ${module.id} holds sign-ins, so it needs records. ${recordsHint}`)
  if (parts.endsSessions === true && !hasRows(auth))
    throw new InvalidConfig(`modules: ${module.id} ends sessions, and those in cookies can't be ended. ${rowsHint}`)
}

const rowsHint = 'Set the session strategy "database", or `security.revocableSessions` and an adapter'
