import { catalogue, type CatalogueEntry } from "@latchkey/core/providers/catalogue"
import { Failure } from "./failure.js"
import { nearest } from "./nearest.js"

/** What is known of a provider without loading it. */
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
  const hint = similar.length === 0 ? "`npx latchkey add --list` shows all" : `did you mean ${similar.join(" or ")}?`
  throw new Failure(`There is no provider "${id}": ${hint}`, { code: 2 })
}

/** Whether a module below `providers/` exists; those of passwords and passkeys are in no catalogue. */
export function hasProviderModule(module: string): boolean {
  return (
    module === "credentials" ||
    module === "webauthn" ||
    module === "passkey" ||
    catalogue.some((one) => one.module === module)
  )
}
