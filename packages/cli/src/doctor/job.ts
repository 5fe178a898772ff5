/** What the process that runs the configuration file is asked. */
export interface Job {
  /** Of the application. */
  readonly root: string
  /** The configuration file; absolute. */
  readonly file: string
  /** The default of the framework. */
  readonly basePath: string
  /** Where the application is reached while it is developed. */
  readonly origin: string
  /** Ask no other machine. */
  readonly offline: boolean
  /** Milliseconds to wait for each answer. */
  readonly timeout: number
}

export interface InspectedProvider {
  readonly id: string
  readonly name: string
  readonly type: string
  /** What would be sent to the provider, or what would be if its discovery could be read. */
  readonly redirectUri: string | undefined
  /** Why a sign-in cannot be started. */
  readonly fault: string | undefined
}

/** An answer of another machine, or that there was none. */
export interface Fetched {
  readonly url: string
  readonly status: number | undefined
  /** Seconds that its clock is ahead of ours; negative: behind. */
  readonly ahead: number | undefined
  readonly fault: string | undefined
}

/** What was seen of a configuration that was run. */
export interface Inspection {
  readonly kind: "inspected"
  readonly errors: readonly { readonly path: string; readonly problem: string; readonly fix: string }[]
  readonly warnings: readonly { readonly code: string; readonly detail: string }[]
  readonly basePath: string
  readonly providers: readonly InspectedProvider[]
  readonly fetched: readonly Fetched[]
  readonly store: { readonly state: "fine" | "new" | "broken"; readonly words: string } | undefined
}

export interface Failed {
  readonly kind: "failed"
  readonly reason: string
}
