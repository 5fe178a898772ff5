import fc from "fast-check"

/** What a site may choose. Every combination has to keep every invariant. */
export interface Settings {
  readonly mode: "compatible" | "strict"
  readonly store: "none" | "memory" | "sqlite"
  readonly strategy: "jwt" | "database"
  /** How requests reach the engine. `"fresh"`: the configuration is made again for each request. */
  readonly door: "auth" | "server" | "fresh"
  /**
   * Where the origin comes from. `"proxy"`: from forwarded headers, which a proxy sets. `"bare"`: the list has a
   * host without a scheme, so clients name the scheme.
   */
  readonly origin: "url" | "list" | "bare" | "proxy"
  /** The site asks the provider for a level of authentication. */
  readonly demanding: boolean
  /** What the `jwt` callback merges of the data that a browser sends, as many applications do. */
  readonly merging: "nothing" | "all" | "user"
  /** The CSRF cookie has a name without a prefix, so a sibling domain can set it. */
  readonly plainCsrf: boolean
  /**
   * The site was compatible until it's switched to strict. `"closed"`: it accepts no sessions from before the switch. Only
   * strict sites have this.
   */
  readonly former: "none" | "open" | "closed"
  /** Over the default of the mode. */
  readonly hardened: boolean
  readonly debug: boolean
}

const drawn: fc.Arbitrary<Settings> = fc.record({
  mode: fc.constantFrom("compatible", "strict"),
  store: fc.oneof(
    { weight: 6, arbitrary: fc.constant("memory" as const) },
    { weight: 3, arbitrary: fc.constant("none" as const) },
    { weight: 1, arbitrary: fc.constant("sqlite" as const) },
  ),
  strategy: fc.constantFrom("jwt", "database"),
  door: fc.constantFrom("auth", "server", "fresh"),
  origin: fc.constantFrom("url", "list", "bare", "proxy"),
  demanding: fc.boolean(),
  merging: fc.constantFrom("nothing", "all", "user"),
  plainCsrf: fc.boolean(),
  former: fc.constantFrom("none", "none", "none", "open", "open", "closed"),
  hardened: fc.boolean(),
  debug: fc.integer({ min: 0, max: 9 }).map((number) => number === 9),
})

/** Only configurations that the engine accepts. */
export const settings: fc.Arbitrary<Settings> = drawn.map((drawn) => ({
  ...drawn,
  strategy: drawn.store === "none" ? "jwt" : drawn.strategy,
  former: drawn.mode === "strict" ? drawn.former : "none",
  origin: drawn.mode === "strict" && drawn.origin === "proxy" ? "list" : drawn.origin,
}))

/** Cookies of the site have the prefix `__Host-`, so no sibling domain can set them. */
export function isHostBound({ mode, hardened }: Settings): boolean {
  return mode === "strict" || hardened
}

/** The settings until the switch. */
export function beforeSwitch(settings: Settings): Settings {
  return settings.former === "none" ? settings : { ...settings, mode: "compatible" }
}

/** A session that ended is over in every copy. */
export function isRevocable({ mode, hardened, store, strategy }: Settings): boolean {
  return store !== "none" && (strategy === "database" || mode === "strict" || hardened)
}

export function hasEmail({ store }: Settings): boolean {
  return store !== "none"
}

/** Passwords don't work with sessions in a database, as in Auth.js v5. */
export function hasPasswords({ strategy }: Settings): boolean {
  return strategy === "jwt"
}

/** A user who was created by an account with an unproven email doesn't keep the account when the email is proven. */
export function reclaimsMailboxes({ mode, hardened }: Settings): boolean {
  return mode === "strict" || hardened
}
