import type { Limiter } from "./auth.js"
import type { CredentialKind } from "./credential-kind.js"

/** What core knows of features while it answers requests. `engine/features.ts` lists them. */
export interface Features {
  /** What `revoke` ends beside sessions. */
  readonly credentialKinds: readonly CredentialKind[]
  /** Loads what counts attempts. */
  readonly limiter?: () => Promise<Limiter>
}
