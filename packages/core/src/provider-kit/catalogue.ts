import type { CatalogueEntry } from "./catalogue-entry.js"
import { entries } from "./generated/catalogue-entries.js"
import { variableName } from "./variable-name.js"

export type { CatalogueEntry } from "./catalogue-entry.js"
export { variableName }

/**
 * Every provider that comes with this package, for tools and documentation: OAuth and OpenID Connect services and email
 * senders, by module name. `credentials` isn't in it, since there is nothing to know about it.
 *
 * @example
 * ```ts
 * import { catalogue } from "@latchkey/core/providers/catalogue"
 * export const names = catalogue.filter(({ deprecated }) => !deprecated).map(({ name }) => name)
 * ```
 */
export const catalogue: readonly CatalogueEntry[] = entries.map((entry) =>
  Object.freeze({
    module: entry.id,
    needs: [],
    options: [],
    issuer: undefined,
    env: { clientId: variableName(entry.id, "ID"), clientSecret: variableName(entry.id, "SECRET") },
    deprecated: false,
    ...entry,
  }),
)
