import type { BuiltInId } from "./generated/built-in-id.js"

/** What a tool can know about a provider without loading it. */
export interface CatalogueEntry {
  readonly id: BuiltInId
  readonly name: string
  readonly type: "oauth" | "oidc" | "email"
  /** The last part of its import, `@latchkey/core/providers/<module>`. */
  readonly module: string
  /** The usual name for the import. */
  readonly exportName: string
  /** Required options. The client id and secret aren't listed. */
  readonly needs: readonly string[]
  /** The service's own options, required or not. The client id, client secret and issuer aren't listed. */
  readonly options: readonly string[]
  /** What the issuer looks like, if you can set it. */
  readonly issuer: string | undefined
  /** The environment variables it reads. */
  readonly env: {
    readonly clientId?: string
    readonly clientSecret?: string
    readonly issuer?: string
    readonly apiKey?: string
  }
  /** Whether the service, or this way to sign in with it, has ended or is about to. */
  readonly deprecated: boolean
  /** The service's own documentation. */
  readonly docs: string
}
