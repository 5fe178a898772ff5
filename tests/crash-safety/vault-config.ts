import { vault } from "@latchkey/core/tokens"
import type { RecordStore } from "@latchkey/core/adapters"
import type { AuthConfig, OIDCConfig } from "@latchkey/core/types"

/** What every process knows of the provider, which runs in another one. */
export interface VaultProvider {
  readonly issuer: string
  readonly clientId: string
  readonly clientSecret: string
}

/** Without an adapter, so the id of a user is `op:ada`. */
export function vaultConfig(records: RecordStore, provider: VaultProvider): AuthConfig {
  const op: OIDCConfig = { id: "op", name: "OP", type: "oidc", allowInsecureRequests: true, ...provider }
  const silent = { error: () => undefined, warn: () => undefined }
  const secret = "only-for-tests-0123456789abcdefghij"
  return { secret, trustHost: true, providers: [op], records, tokens: vault, rateLimit: false, logger: silent }
}
