import { InvalidConfig } from "../errors.js"
import type { SessionContext } from "../model/auth.js"
import type { Module, ModuleParts } from "../module-kit/model.js"
import { recordsHint } from "../module-kit/records-hint.js"

/** A module whose parts are loaded. */
export interface Installed {
  readonly module: Module
  readonly parts: ModuleParts
}

/** Ordered by id, so that the order of the configuration decides nothing. */
const loaded = new WeakMap<readonly Module[], readonly Installed[]>()

/** @throws InvalidConfig if a module can't work with this configuration */
export async function installed(auth: SessionContext): Promise<readonly Installed[]> {
  const known = loaded.get(auth.modules)
  if (known !== undefined) return known
  const all = await Promise.all(auth.modules.map(load))
  for (const each of all) assertUsable(auth, each)
  const sorted = all.toSorted((a, b) => (a.module.id < b.module.id ? -1 : 1))
  loaded.set(auth.modules, sorted)
  return sorted
}

async function load(module: Module): Promise<Installed> {
  return { module, parts: (await module.load?.()) ?? {} }
}

function assertUsable({ records }: SessionContext, { module, parts }: Installed): void {
  const problem = parts.check?.()[0]
  if (problem !== undefined) throw new InvalidConfig(`modules: ${module.id}: ${problem}`)
  if (parts.factor === undefined || records !== undefined) return
  throw new InvalidConfig(`modules: ${module.id} holds sign-ins, so it needs records. ${recordsHint}`)
}
