import type { AuthConfig } from "../../model/config.js"
import { raw, skipCSRFCheck } from "../../model/symbols.js"
import { invalid, type Problem, tolerable } from "./problem.js"

/** For JavaScript applications and environment variables: the compiler doesn't find a value of a wrong type there. */
export function* valueProblems(config: AuthConfig): Generator<Problem> {
  for (const [make, path, value, choices] of choicesOf(config)) {
    if (value === undefined || choices.includes(value)) continue
    yield make(path, "The value is unknown", `Use one of ${choices.map((choice) => JSON.stringify(choice)).join(", ")}`)
  }
  for (const [make, path, value] of flagsOf(config)) {
    if (value === undefined || typeof value === "boolean") continue
    yield make(path, `The value ${typeof value === "string" ? "is text" : "isn't a boolean"}`, "Set `true` or `false`")
  }
  yield* shapeProblems(config)
  yield* symbolProblems(config)
}

/** Symbols are compared by identity. */
function* symbolProblems(config: AuthConfig): Generator<Problem> {
  for (const [name, symbol] of Object.entries({ skipCSRFCheck, raw })) {
    const value: unknown = Reflect.get(config, name)
    if (value === undefined || value === symbol) continue
    yield tolerable(
      name,
      "The value isn't the symbol of this name, so it has no effect",
      `Import \`${name}\` and set it`,
    )
  }
}

type Rule = readonly [make: typeof invalid, path: string, value: unknown]

function choicesOf(config: AuthConfig): readonly (readonly [...Rule, choices: readonly unknown[]])[] {
  const { adapter, environment, jwt, security, session, theme } = config
  const mode: unknown = typeof security === "object" ? security.mode : security
  const { linking, sessionCookiePrefix, providerTokens } = typeof security === "object" ? security : {}
  return [
    // Auth.js v5 treats every other strategy as "database".
    [adapter === undefined ? invalid : tolerable, "session.strategy", session?.strategy, ["jwt", "database"]],
    [invalid, "security", mode, ["compatible", "strict"]],
    [invalid, "security.linking", linking, ["same-session", "explicit"]],
    [invalid, "security.sessionCookiePrefix", sessionCookiePrefix, ["__Secure-", "__Host-"]],
    [invalid, "security.providerTokens", providerTokens, ["plain", "sealed", "none"]],
    [invalid, "jwt.encryption", jwt?.encryption, ["A256GCM", "A256CBC-HS512"]],
    [invalid, "environment", environment, ["development", "production"]],
    [tolerable, "theme.colorScheme", theme?.colorScheme, ["auto", "dark", "light"]],
  ]
}

const hardenings = [
  "revocableSessions",
  "keyPerPurpose",
  "hashSessionTokens",
  "newestEmailLinkOnly",
  "reclaimMailbox",
  "passkeySignUp",
  "listedOriginsOnly",
  "refuseWeakSecret",
  "enforceIssuerChecks",
] as const

/** Auth.js v5 takes any other value for `true`, also the text "false". */
function flagsOf({ debug, experimental, rateLimit, security, useSecureCookies }: AuthConfig): readonly Rule[] {
  const own = typeof security === "object" ? hardenings.map((name) => [name, security[name]] as const) : []
  return [
    [tolerable, "useSecureCookies", useSecureCookies],
    [tolerable, "debug", debug ?? undefined],
    [tolerable, "experimental.enableWebAuthn", experimental?.enableWebAuthn ?? undefined],
    [invalid, "rateLimit.failOpen", typeof rateLimit === "object" ? rateLimit.failOpen : undefined],
    ...own.map(([name, value]) => [invalid, `security.${name}`, value] as const),
  ]
}

const shapes = [
  ["basePath", "text", (value: unknown) => typeof value === "string"],
  ["redirectProxyOrigins", "a list", Array.isArray],
  ["deploymentOrigins", "a list", Array.isArray],
  ["modules", "a list", Array.isArray],
  ["nonce", "a function", isFunction],
  ["waitUntil", "a function", isFunction],
] as const

function* shapeProblems(config: AuthConfig): Generator<Problem> {
  for (const [name, shape, isOfShape] of shapes) {
    const value: unknown = config[name]
    if (value === undefined || value === null || isOfShape(value)) continue
    yield invalid(name, `The value isn't ${shape}`, `Set ${shape}, or omit the option`)
  }
}

function isFunction(value: unknown): boolean {
  return typeof value === "function"
}
