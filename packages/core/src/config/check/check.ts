import { isHostPattern } from "../../http/origin.js"
import type { AuthConfig } from "../../model/config.js"
import { normalPath, pathOf, securityOf } from "../defaults.js"
import { basePathMismatch } from "../env/action-url.js"
import { type ReadProviders, readProviders } from "../read-providers.js"
import { adapterProblems } from "./adapter.js"
import { cookieProblems } from "./cookies.js"
import { entropyOf, strongSecret } from "./entropy.js"
import { limitProblems } from "./limits.js"
import { moduleProblems } from "./modules.js"
import { pageProblems, themeProblems } from "./pages.js"
import { passkeyWarnings, unavailablePasskeys } from "./passkeys.js"
import { invalid, isPositive, isWebUrl, type Problem, type Warning } from "./problem.js"
import { providerProblems, providerWarnings } from "./providers.js"
import { version4Problems, version4Warnings } from "./version4.js"
import { weakenedSettings } from "./weakened-settings.js"

export type { Problem, Warning } from "./problem.js"

interface Findings {
  readonly errors: readonly Problem[]
  readonly warnings: readonly Warning[]
}

/**
 * Finds every problem of a configuration. Throws and logs nothing. No message contains a secret.
 *
 * @example
 * ```ts
 * import { check } from "@latchkey/core"
 * for (const { path, problem, fix } of check({ providers: [] }).errors) console.error(`${path}: ${problem}. ${fix}`)
 * ```
 */
export function check(config: AuthConfig): {
  readonly errors: readonly Problem[]
  readonly warnings: readonly Warning[]
} {
  return findProblems(config, readProviders(config))
}

/** `check` for a caller that has made the providers already, because a factory should be called only once. */
export function findProblems(config: AuthConfig, { providers, problems }: ReadProviders): Findings {
  const secrets = secretProblems(config)
  return {
    errors: [
      ...secrets.errors,
      ...originProblems(config),
      ...problems,
      ...providerProblems(providers, config),
      ...adapterProblems(providers, config),
      ...unavailablePasskeys(providers, config),
      ...numberProblems(config),
      ...choiceProblems(config),
      ...pageProblems(config),
      ...themeProblems(config),
      ...cookieProblems(config),
      ...version4Problems(config),
      ...moduleProblems(config),
      ...limitProblems(config),
    ],
    warnings: [
      ...secrets.warnings,
      ...basePathWarnings(config),
      ...providerWarnings(providers, config),
      ...passkeyWarnings(providers, config),
      ...version4Warnings(config),
      ...weakenedSettings(providers, config),
    ],
  }
}

const setSecret = "Set AUTH_SECRET to 32 random bytes (run `npx latchkey secret`), or set `secret` in the configuration"

function secretProblems(config: AuthConfig): Findings {
  const secrets = [config.secret ?? []].flat()
  if (secrets.length === 0 || secrets.some((secret) => typeof secret !== "string" || secret === "")) {
    return {
      errors: [{ path: "secret", problem: "No secret is set", fix: setSecret, type: "MissingSecret" }],
      warnings: [],
    }
  }
  const all = [...secrets, ...[config.jwt?.secret ?? []].flat()]
  if (all.every((secret) => entropyOf(secret) >= strongSecret)) return { errors: [], warnings: [] }
  const problem = "The secret is weak: it has less than 32 bytes of entropy"
  const isError = securityOf(config).refuseWeakSecret && config.environment !== "development"
  return isError
    ? { errors: [invalid("secret", problem, setSecret)], warnings: [] }
    : { errors: [], warnings: [{ code: "weak-secret", detail: `${problem}. ${setSecret}` }] }
}

function* originProblems(config: AuthConfig): Generator<Problem> {
  const { redirectProxyUrl, trustHost, url } = config
  for (const [path, value] of Object.entries({ url, redirectProxyUrl })) {
    if (value === undefined || isWebUrl(value)) continue
    yield invalid(path, "The value isn't an http(s) URL", "Set a URL such as https://app.example/auth")
  }
  const hosts: readonly unknown[] = Array.isArray(trustHost) ? trustHost : []
  yield* hostProblems("trustHost", hosts)
  yield* hostProblems("redirectProxyOrigins", config.redirectProxyOrigins ?? [])
  const listedOnly = securityOf(config).listedOriginsOnly && config.environment !== "development"
  if (!listedOnly || url !== undefined || hosts.length > 0) return
  yield {
    path: "trustHost",
    problem: "`security.listedOriginsOnly` is on, but no origin is configured",
    fix: "Set AUTH_URL to the URL of this site, or list its hosts in `trustHost`",
    type: "UntrustedHost",
  }
}

function* hostProblems(path: string, entries: readonly unknown[]): Generator<Problem> {
  for (const [index, entry] of entries.entries()) {
    if (typeof entry === "string" && isHostPattern(entry)) continue
    const fix = "Use a form such as app.example, app.example:8443 or *.app.example"
    yield invalid(`${path}[${index}]`, "The entry isn't a host", fix)
  }
}

function* numberProblems({ jwt = {}, security: options, session = {} }: AuthConfig): Generator<Problem> {
  const lifetimes = {
    "session.maxAge": session.maxAge,
    "session.absoluteMaxAge": session.absoluteMaxAge,
    "jwt.maxAge": jwt.maxAge,
    "security.emailLinkMaxAge": typeof options === "object" ? options.emailLinkMaxAge : undefined,
  }
  for (const [path, value] of Object.entries(lifetimes)) {
    if (value === undefined || isPositive(value)) continue
    yield invalid(path, "The lifetime isn't a positive number", "Set a number of seconds, or omit it for the default")
  }
  const { updateAge } = session
  if (updateAge === undefined || updateAge === 0 || isPositive(updateAge)) return
  const fix = "Set a number of seconds. 0 extends the session at every read"
  yield invalid("session.updateAge", "The interval isn't a number of at least 0", fix)
}

/** For JavaScript applications, where the compiler doesn't find a misspelled value. */
function* choiceProblems(config: AuthConfig): Generator<Problem> {
  const mode: unknown = typeof config.security === "object" ? config.security.mode : config.security
  const options: readonly (readonly [path: string, value: unknown, choices: readonly string[]])[] = [
    ["session.strategy", config.session?.strategy, ["jwt", "database"]],
    ["security", mode, ["compatible", "strict"]],
    ["environment", config.environment, ["development", "production"]],
    ["theme.colorScheme", config.theme?.colorScheme, ["auto", "dark", "light"]],
  ]
  for (const [path, value, choices] of options) {
    if (value === undefined || (typeof value === "string" && choices.includes(value))) continue
    yield invalid(path, "The value is unknown", `Use one of ${choices.map((choice) => `"${choice}"`).join(", ")}`)
  }
}

function basePathWarnings({ basePath, url }: AuthConfig): Warning[] {
  const path = pathOf(url)
  if (basePath === undefined || path === undefined || normalPath(basePath) === path) return []
  return [{ code: "env-url-basepath-mismatch", detail: basePathMismatch }]
}
