import { createRequire } from "node:module"
import { catalogue, type CatalogueEntry } from "@latchkey/core/providers/catalogue"
import { Failure } from "./failure.js"
import { nearest } from "./nearest.js"

export type Entry = CatalogueEntry

/** Every provider that comes with `@latchkey/core`. */
export function allProviders(): readonly Entry[] {
  return catalogue
}

/** @throws Failure that names the most similar ids */
export function providerOf(id: string): Entry {
  const wanted = id.toLowerCase()
  const entry = catalogue.find((one) => one.id === wanted)
  if (entry !== undefined) return entry
  const similar = nearest(
    wanted,
    catalogue.map((one) => one.id),
  )
  const hint =
    similar.length === 0 ? "Run `npx latchkey add --list` to see all." : `Did you mean ${similar.join(" or ")}?`
  throw new Failure(`There is no provider "${id}". ${hint}`, { code: 2 })
}

/** Whether this version of `@latchkey/core` has `providers/<module>`. */
export function hasProviderModule(module: string): boolean {
  try {
    createRequire(import.meta.url).resolve(`@latchkey/core/providers/${module}`)
    return true
  } catch {
    return false
  }
}
