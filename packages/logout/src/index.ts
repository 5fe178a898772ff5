import { records } from "#logout-records"
import { defineModule, type Module } from "@latchkey/core/module"
import type { LogoutOptions } from "./options.js"

export type { ClearedData, LogoutOptions } from "./options.js"

/**
 * Sign-out at OpenID Connect providers. `signOut({ scope: "federated" })` also ends the session at the provider, and a provider ends
 * sessions here at `POST <base path>/backchannel-logout/<provider>`. It needs records, and sessions that have a row in the database.
 *
 * @example
 * ```ts
 * import { memoryAdapter } from "@latchkey/adapter-kit"
 * import type { AuthConfig } from "@latchkey/core"
 * import Keycloak from "@latchkey/core/providers/keycloak"
 * import { logout } from "@latchkey/logout"
 *
 * export const config: AuthConfig = {
 *   adapter: memoryAdapter(),
 *   session: { strategy: "database" },
 *   providers: [Keycloak],
 *   modules: [logout()],
 * }
 * ```
 */
export function logout(options: LogoutOptions = {}): Module<"logout"> {
  return defineModule<"logout", object, typeof records>({
    id: "logout",
    records,
    paths: ["backchannel-logout", "frontchannel-logout"],
    load: async () => (await import("#logout")).partsOf(options),
  })
}
