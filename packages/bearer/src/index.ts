import { records } from "#bearer-records"
import { defineModule, type Module } from "@latchkey/core/module"
import { hasToken } from "./header.js"
import type { BearerOptions, BearerServer } from "./options.js"
import { isStateless } from "./site.js"

export type {
  AccessToken,
  Algorithm,
  BearerOptions,
  BearerServer,
  Claims,
  Client,
  Jwk,
  Minted,
  MintOptions,
  ResourceServer,
  SignedInApp,
  TokenRequest,
} from "./options.js"

/**
 * Access tokens for APIs and mobile apps: pages and server code get them for the signed-in user, apps sign users in with the browser, and `auth()`
 * accepts them in `Authorization: Bearer`.
 *
 * @example
 * ```ts
 * import type { AuthConfig } from "@latchkey/core"
 * import { bearer } from "@latchkey/bearer"
 * import { memoryAdapter } from "@latchkey/adapter-kit"
 * export const config: AuthConfig = {
 *   adapter: memoryAdapter(),
 *   providers: [],
 *   modules: [bearer({ audiences: ["https://api.example.com"] })],
 * }
 * ```
 */
export function bearer(options: BearerOptions): Module<"bearer", BearerServer> {
  return defineModule<"bearer", BearerServer, typeof records>({
    id: "bearer",
    // A session that doesn't say when it began would make no tokens after `revoke`, also if it began later.
    ...(!isStateless(options) && { records, stepUp: true }),
    members: ["mint", "apps", "endApp"],
    authenticates: hasToken,
    async identify({ headers }) {
      const { issuer } = options
      if (issuer === undefined || !hasToken(headers)) return null
      return (await import("./reader.js")).identifyByIssuer(options, issuer, headers)
    },
    load: async () => (await import("#bearer")).partsOf(options),
  })
}
