import type { ConfigurationJob } from "./configuration.js"

/** The input of the process that runs the configuration file. */
export interface Job extends ConfigurationJob {
  /** The origin of the development server. */
  readonly origin: string
  /** Send no requests. */
  readonly offline: boolean
  /** Milliseconds to wait for each response. */
  readonly timeout: number
}

export interface InspectedProvider {
  readonly id: string
  readonly name: string
  readonly type: string
  /** The redirect URI that a sign-in sends to the provider. Undefined for a provider without one. */
  readonly redirectUri: string | undefined
  /** Why a sign-in can't start. */
  readonly fault: string | undefined
}

/** A passkey provider, and the site that its passkeys belong to. */
export interface InspectedPasskey {
  readonly id: string
  /** The relying party ID, a domain. */
  readonly domain: string
  /** Where passkeys are used. */
  readonly origins: readonly string[]
}

/** A request to another server. */
export interface Fetched {
  readonly url: string
  readonly status: number | undefined
  /** The seconds that its clock is ahead. Negative if it's behind. */
  readonly ahead: number | undefined
  readonly fault: string | undefined
}

/** The results of running the configuration file. */
export interface Inspection {
  readonly kind: "inspected"
  readonly errors: readonly { readonly path: string; readonly problem: string; readonly fix: string }[]
  readonly warnings: readonly { readonly code: string; readonly detail: string }[]
  readonly basePath: string
  readonly providers: readonly InspectedProvider[]
  readonly passkeys: readonly InspectedPasskey[]
  /** Whether the configuration has `security: "strict"`. */
  readonly isStrict: boolean
  readonly fetched: readonly Fetched[]
  readonly store: StoreState | undefined
  /** What modules report. */
  readonly modules: readonly { readonly module: string; readonly finding: string }[]
}

export interface StoreState {
  /** `unused`: nothing could be queried. */
  readonly state: "fine" | "new" | "broken" | "unused"
  readonly words: string
}

export interface Failed {
  readonly kind: "failed"
  readonly reason: string
}
