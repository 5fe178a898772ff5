import type { AuthConfig } from "../model/config.js"
import type { Rules, Security, SecurityMode } from "../model/security.js"
import { isLoopback } from "../primitives/ip-address.js"
import { merge } from "./merge.js"

const day = 86_400

/** See docs/security-modes.md. */
const modes: Readonly<Record<SecurityMode, Security>> = {
  compatible: Object.freeze({
    linking: "same-session",
    sessionCookiePrefix: "__Secure-",
    revocableSessions: false,
    keyPerPurpose: false,
    hashSessionTokens: false,
    providerTokens: "plain",
    newestEmailLinkOnly: false,
    emailLinkMaxAge: day,
    reclaimMailbox: false,
    passkeySignUp: true,
    listedOriginsOnly: false,
    refuseWeakSecret: false,
    enforceIssuerChecks: false,
    recentSignIn: 600,
  }),
  strict: Object.freeze({
    linking: "explicit",
    sessionCookiePrefix: "__Host-",
    revocableSessions: true,
    keyPerPurpose: true,
    hashSessionTokens: true,
    providerTokens: "none",
    newestEmailLinkOnly: true,
    emailLinkMaxAge: 900,
    reclaimMailbox: true,
    passkeySignUp: false,
    listedOriginsOnly: true,
    refuseWeakSecret: true,
    enforceIssuerChecks: true,
    recentSignIn: 600,
  }),
}

/** Names of the security options that are on or off. */
export function switches(): readonly (keyof Security)[] {
  const { strict } = modes
  return (Object.keys(strict) as (keyof Security)[]).filter((name) => typeof strict[name] === "boolean")
}

const strictRules: Rules = Object.freeze({
  asciiEmails: true,
  provenEmails: true,
  checkedRedirects: true,
  privateCallbackUrls: true,
  declaredParams: true,
  fixedClaims: true,
  namedUsers: true,
  secureCookies: true,
  namedDeployments: true,
  boundPasskeys: true,
  csrfTokens: true,
})

const compatibleRules = Object.freeze(
  Object.fromEntries(Object.keys(strictRules).map((rule) => [rule, false])),
) as unknown as Rules

/** What the mode decides beyond the options. The engine reads these, and never the mode. */
export function rulesOf(config: Pick<AuthConfig, "security">): Rules {
  return securityMode(config) === "strict" ? strictRules : compatibleRules
}

/**
 * Returns the mode of a configuration, whether `security` is the mode itself or an object. @default "compatible"
 *
 * @example
 * ```ts
 * import { securityMode } from "@latchkey/core/session-reader"
 * console.log(securityMode({ security: { mode: "strict" } })) // "strict"
 * ```
 */
export function securityMode({ security }: Pick<AuthConfig, "security">): SecurityMode {
  const mode = typeof security === "object" ? security.mode : security
  return mode === "strict" ? "strict" : "compatible"
}

/** All options: those of the mode, with the ones that are set one by one. */
export function securityOf(config: AuthConfig): Security {
  const base = modes[securityMode(config)]
  if (typeof config.security !== "object") return base
  const { mode: _, formerSessionsUntil: __, ...options } = config.security
  return Object.freeze(merge(base, options))
}

/** When sessions of a less strict configuration end, in milliseconds since 1970. `NaN` for a date that isn't valid. */
export function formerSessionsEnd({ security }: AuthConfig): number {
  const date = typeof security === "object" ? security.formerSessionsUntil : undefined
  return date === undefined ? Number.POSITIVE_INFINITY : new Date(date).getTime()
}

/** Strict mode means production unless the configuration says development: not every server sets NODE_ENV. */
export function isProduction(config: Pick<AuthConfig, "environment" | "security">): boolean {
  return config.environment === "production" || (securityMode(config) === "strict" && config.environment === undefined)
}

/**
 * Except in development, a public site doesn't send requests to its own machine, where internal services may listen (SSRF).
 */
export function reachesLoopback(config: AuthConfig): boolean {
  if (config.environment === "development" || !securityOf(config).listedOriginsOnly) return true
  return config.url !== undefined && isLoopback(new URL(config.url))
}
