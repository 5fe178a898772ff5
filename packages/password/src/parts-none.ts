import type { ModuleParts } from "@latchkey/core/module"
import type { PasswordOptions, PasswordServer } from "./options.js"
import type { records } from "./records.js"

/** Middleware of Next.js reads sessions and signs no user in, so it needs nothing of the module. */
export function partsOf(_options: PasswordOptions): ModuleParts<typeof records, PasswordServer> {
  return {}
}
