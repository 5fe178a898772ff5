import { partsOf, trailOf } from "#audit"
import { defineModule, type Module } from "@latchkey/core/module"
import type { AuditOptions, AuditServer } from "./options.js"

/**
 * Writes what happens to the security of accounts and of the site to sinks: files, SQL tables, or your own.
 *
 * @example
 * ```ts
 * import { audit } from "@latchkey/audit"
 * import { ndjson } from "@latchkey/audit/ndjson"
 * import type { AuthConfig } from "@latchkey/core"
 * import GitHub from "@latchkey/core/providers/github"
 *
 * export const config: AuthConfig = {
 *   providers: [GitHub],
 *   modules: [audit({ sinks: [ndjson(process.stdout)] })],
 * }
 * ```
 */
export function audit(options: AuditOptions = {}): Module<"audit", AuditServer> {
  const trail = trailOf(options)
  return defineModule<"audit", AuditServer>({
    id: "audit",
    members: ["flush", "close"],
    on: { security: (event) => trail.write(event) },
    load: async () => partsOf(options, trail),
  })
}
