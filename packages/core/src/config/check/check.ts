import { isHostPattern } from "../../http/origin.js"
import type { AuthConfig } from "../../model/config.js"
import { isWebUrl } from "../../primitives/web-url.js"
import { normalPath, pathOf } from "../defaults.js"
import { basePathMismatch } from "../env/action-url.js"
import { securityMode, securityOf } from "../presets.js"
import type { ProviderFeatures } from "../feature.js"
import { type ReadProviders, readProviders } from "../read-providers.js"
import { withoutNulls } from "../../compat/repair.js"
import { adapterProblems } from "./adapter.js"
import { cookieProblems, weakenedSettings } from "./cookies.js"
import { i18nProblems } from "./i18n.js"
import { limitProblems } from "./limits.js"
import { moduleProblems, moduleWarnings } from "./modules.js"
import { captchaProblems, pageProblems, themeProblems } from "./pages.js"
import { type Problem, type Warning, invalid, tolerable } from "./problem.js"
import { providerProblems, providerWarnings } from "./providers.js"
import {
  entropyOf,
  functionProblems,
  numberProblems,
  setProxyUrl,
  strongSecret,
  urlProblems,
  urlWarnings,
  valueProblems,
} from "./values.js"
import { version4Problems, version4Warnings } from "../../compat/version4-check.js"

export type { Problem, Warning } from "./problem.js"

interface Findings {
  readonly errors: readonly Problem[]
  readonly warnings: readonly Warning[]
}

/** Finds every problem of a configuration. Throws and logs nothing. No message contains a secret. */
export function check(features: ProviderFeatures, config: AuthConfig): Findings {
  const { errors, warnings } = findProblems(features, config, readProviders(features, config))
  return { errors, warnings }
}

/** The same, and unknown options. */
export async function checkAll(features: ProviderFeatures, config: AuthConfig): Promise<Findings> {
  const read = readProviders(features, config)
  const { errors, warnings } = findProblems(features, config, read)
  const found = await findUnknownOptions(config, read)
  const unknown = found.filter(({ path }) => !errors.some((error) => error.path === path))
  return securityMode(config) === "strict"
    ? { errors: [...errors, ...unknown], warnings }
    : { errors, warnings: [...warnings, ...unknown.map(toWarning)] }
}

/** Not part of `findProblems`: every cold start would load the table of names. */
export async function findUnknownOptions(
  config: AuthConfig,
  { providers }: ReadProviders,
): Promise<readonly Problem[]> {
  const { unknownOptions } = await import("#unknown-options")
  return unknownOptions(config, providers)
}

/** `check` for a caller that has made the providers already, because a factory should be called only once. */
export function findProblems(
  features: ProviderFeatures,
  given: AuthConfig,
  { providers, problems }: ReadProviders,
): Findings & Tolerated {
  const config = withoutNulls(given)
  const secrets = secretProblems(config)
  const found: readonly Problem[] = [
    ...secrets.errors,
    ...originProblems(config),
    ...problems,
    ...providerProblems(features, providers, config),
    ...adapterProblems(features, providers, config),
    ...numberProblems(config),
    ...valueProblems(config),
    ...functionProblems(config),
    ...pageProblems(config),
    ...themeProblems(config),
    ...captchaProblems(config),
    ...i18nProblems(config),
    ...cookieProblems(config),
    ...version4Problems(config),
    ...moduleProblems(config),
    ...limitProblems(config),
  ]
  const toleratesNone = securityMode(config) === "strict" || config.compat === false
  const tolerated = toleratesNone ? [] : found.filter((problem) => problem.tolerated !== undefined)
  return {
    errors: found.filter((problem) => !tolerated.includes(problem)),
    tolerated,
    warnings: [
      ...secrets.warnings,
      ...tolerated.map(toWarning),
      ...urlWarnings(config),
      ...basePathWarnings(config),
      ...proxyWarnings(config),
      ...providerWarnings(features, providers, config),
      ...moduleWarnings(config),
      ...version4Warnings(config),
      ...weakenedSettings(features, providers, config),
    ],
  }
}

interface Tolerated {
  /** The problems among the warnings. */
  readonly tolerated: readonly Problem[]
}

export function toWarning({ path, problem, fix, tolerated = "invalid-option" }: Problem): Warning {
  return { code: tolerated, detail: `${path}: ${problem}. ${fix}` }
}

const setSecret = "Set AUTH_SECRET to 32 random bytes (run `npx latchkey secret`), or set `secret` in the configuration"

function secretProblems(config: AuthConfig): Findings {
  const given: readonly unknown[] = [config.secret ?? []].flat()
  const secrets = given.filter(isText)
  // The first secret seals. Auth.js v5 seals with an empty one too, and everyone knows the key that is derived from it.
  if (!isText(given[0])) {
    return {
      errors: [{ path: "secret", problem: "No secret is set", fix: setSecret, type: "MissingSecret" }],
      warnings: [],
    }
  }
  const empty = secrets.length < given.length ? [emptySecret("secret")] : []
  const own: readonly unknown[] = [config.jwt?.secret ?? []].flat()
  const ownSecrets = own.filter(isText)
  if (ownSecrets.length < own.length) empty.push(emptySecret("jwt.secret"))
  if ([...secrets, ...ownSecrets].every((secret) => entropyOf(secret) >= strongSecret))
    return { errors: empty, warnings: [] }
  const problem = "The secret is weak: it has less than 32 bytes of entropy"
  const isError = securityOf(config).refuseWeakSecret && config.environment !== "development"
  return isError
    ? { errors: [...empty, invalid("secret", problem, setSecret)], warnings: [] }
    : { errors: empty, warnings: [{ code: "weak-secret", detail: `${problem}. ${setSecret}` }] }
}

function isText(value: unknown): value is string {
  return typeof value === "string" && value !== ""
}

/** Everyone knows the key that is derived from an empty secret, so it's never used. */
function emptySecret(path: string): Problem {
  return tolerable(path, "A secret is empty and isn't used", "Remove it, or set the variable that it comes from")
}

function* originProblems(config: AuthConfig): Generator<Problem> {
  const { redirectProxyUrl } = config
  yield* urlProblems(config)
  if (redirectProxyUrl !== undefined && !isWebUrl(redirectProxyUrl)) {
    yield tolerable("redirectProxyUrl", "The value isn't an http(s) URL", setProxyUrl)
  }
  yield* trustProblems(config)
}

function* trustProblems(config: AuthConfig): Generator<Problem> {
  const { trustHost, url } = config
  yield* trustTypeProblems(trustHost)
  const hosts: readonly unknown[] = Array.isArray(trustHost) ? trustHost : []
  yield* hostProblems("trustHost", hosts)
  yield* hostProblems("redirectProxyOrigins", config.redirectProxyOrigins)
  yield* hostProblems("deploymentOrigins", config.deploymentOrigins)
  const listedOnly = securityOf(config).listedOriginsOnly && config.environment !== "development"
  if (!listedOnly || url !== undefined || hosts.length > 0) return
  yield {
    path: "trustHost",
    problem:
      "`security.listedOriginsOnly`, which is on in strict mode, needs the hosts of this site, and `true` names none",
    fix: "Set AUTH_URL to the URL of this site, or AUTH_TRUST_HOST (`trustHost`) to its hosts, such as app.example,*.app.example",
    type: "UntrustedHost",
  }
}

/** Often `process.env.AUTH_TRUST_HOST`, which is text. */
function* trustTypeProblems(trustHost: unknown): Generator<Problem> {
  if (trustHost === undefined || typeof trustHost === "boolean" || Array.isArray(trustHost)) return
  yield tolerable("trustHost", "The value isn't a boolean or a list of hosts", "Set `true`, `false` or a list")
}

function* hostProblems(path: string, entries: unknown): Generator<Problem> {
  if (!Array.isArray(entries)) return
  for (const [index, entry] of entries.entries()) {
    if (typeof entry === "string" && isHostPattern(entry)) continue
    const fix = "Use a form such as app.example, app.example:8443 or *.app.example"
    yield invalid(`${path}[${index}]`, "The entry isn't a host", fix)
  }
}

function basePathWarnings({ basePath, url }: AuthConfig): Warning[] {
  const path = pathOf(url)
  if (typeof basePath !== "string" || path === undefined || normalPath(basePath) === path) return []
  return [{ code: "env-url-basepath-mismatch", detail: basePathMismatch }]
}

/** Behind a proxy, a sign-in is refused for a host that only the request names. */
function proxyWarnings({
  redirectProxyUrl,
  redirectProxyOrigins,
  deploymentOrigins,
  trustHost,
  url,
}: AuthConfig): Warning[] {
  const named = [redirectProxyOrigins ?? [], deploymentOrigins ?? []].flat()
  if (!redirectProxyUrl || url !== undefined || trustHost !== true || named.length > 0) return []
  return [{ code: "redirect-proxy-hosts", detail: unnamedHosts }]
}

const unnamedHosts =
  "With `trustHost: true`, `redirectProxyUrl` is used for no host, because a request can name any: an attacker would receive codes. Set AUTH_URL, or list the origins of your deployments in `redirectProxyOrigins`"
