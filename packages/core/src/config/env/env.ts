import type { AuthConfig } from "../../model/config.js"
import { pathOf } from "../defaults.js"
import { isSiteUrl } from "../../primitives/web-url.js"
import { createRecent } from "../../primitives/recent.js"
import { fillProvider, writeClient } from "./providers.js"
import {
  deploymentOriginsFrom,
  type Env,
  environmentFrom,
  isPlatform,
  type ReadEnv,
  readerOf,
  trustFrom,
  urlFrom,
} from "./variables.js"

interface Inference {
  readonly basePath: string | undefined
  /** The variables that were read, with their values. */
  readonly reads: ReadonlyMap<string, string | undefined>
  readonly result: AuthConfig
}

/** Configurations that trust the forwarded headers because the platform sets them. */
const trustsPlatform = new WeakSet<AuthConfig>()

/** Whether `withEnv` set `trustHost` for a platform whose proxy sets the forwarded headers itself. */
export function isBehindPlatform(config: AuthConfig): boolean {
  return trustsPlatform.has(config)
}

const inferences = new WeakMap<AuthConfig, Inference>()

/** They keep what callbacks close over, such as a request, so they are few. */
const recent = createRecent<AuthConfig, Inference>(16)

/**
 * Returns the configuration with values from environment variables where it has none: `url`, `basePath`, `secret`,
 * `trustHost`, `environment`, `redirectProxyUrl`, `deploymentOrigins` and the client of each provider. The input isn't changed. The result is
 * the same object until a variable that was read changes.
 *
 * @param options.basePath default for `basePath` if `AUTH_URL` has no path
 * @example
 * ```ts
 * import { withEnv } from "@latchkey/core"
 * const config = withEnv({ providers: [] }, { AUTH_SECRET: "from the environment", AUTH_URL: "https://app.example/api/auth" })
 * console.log(config.basePath) // "/api/auth"
 * ```
 */
export function withEnv(config: AuthConfig, env: Env, options: { readonly basePath?: string } = {}): AuthConfig {
  const isValid = (known: Inference) => known.basePath === options.basePath && isCurrent(known, env)
  const known = inferences.get(config)
  if (known !== undefined && isValid(known)) return known.result
  // A configuration function may return a new object for each request.
  const equal = recent.find(config, isValid)
  if (equal !== undefined) return equal.result
  const reads = new Map<string, string | undefined>()
  const read: ReadEnv = (name) => {
    reads.set(name, env[name])
    return readerOf(env)(name)
  }
  const result = Object.freeze({ ...config, ...inferred(config, read, options.basePath) })
  if (config.trustHost === undefined && isPlatform(read)) trustsPlatform.add(result)
  const inference = { basePath: options.basePath, reads, result }
  inferences.set(config, inference)
  recent.add(config, inference)
  return result
}

function isCurrent({ reads }: Inference, env: Env): boolean {
  for (const [name, value] of reads) if (env[name] !== value) return false
  return true
}

/**
 * Writes values from environment variables into `config`, as the function of the same name in Auth.js does. Use
 * {@link withEnv} in new code.
 *
 * @throws TypeError if `config` is frozen
 */
export function setEnvDefaults(env: Env, config: AuthConfig, suppressBasePathWarning = false): void {
  const read = readerOf(env)
  if (!suppressBasePathWarning) warnOfRedundantPath(config, read)
  const given = config.providers ?? []
  Object.assign(config, inferred(config, read, defaultPath(config.url || urlFrom(read))))
  config.secret ??= []
  Object.assign(config, { providers: config.providers?.map((made, index) => writeClient(given[index], made, read)) })
}

function warnOfRedundantPath({ basePath, logger }: AuthConfig, read: ReadEnv): void {
  if (basePath === undefined || read("AUTH_URL") === undefined) return
  logger?.warn?.("env-url-basepath-redundant", "`basePath` is set, so the path of AUTH_URL is ignored")
}

/** An AUTH_URL without a path is that of a site with the routes at its root. */
function defaultPath(url: string | undefined): string {
  return isSiteUrl(url) ? "/" : "/auth"
}

function inferred(config: AuthConfig, read: ReadEnv, basePath: string | undefined): AuthConfig {
  const url = config.url || urlFrom(read)
  return {
    url,
    basePath: config.basePath ?? pathOf(url) ?? basePath,
    secret: config.secret?.length ? config.secret : secretsFrom(read),
    trustHost: config.trustHost ?? trustFrom(read, url),
    environment: config.environment ?? environmentFrom(read),
    ...proxied(config, read),
    providers: config.providers?.map((provider) => fillProvider(provider, read)),
  }
}

function proxied(config: AuthConfig, read: ReadEnv): Pick<AuthConfig, "redirectProxyUrl" | "deploymentOrigins"> {
  const redirectProxyUrl = config.redirectProxyUrl ?? read("AUTH_REDIRECT_PROXY_URL")
  return { redirectProxyUrl, deploymentOrigins: config.deploymentOrigins ?? deploymentOriginsFrom(read) }
}

/** Newest first. A numbered secret replaces AUTH_SECRET during a rotation. */
const secretNames = ["AUTH_SECRET_3", "AUTH_SECRET_2", "AUTH_SECRET_1", "AUTH_SECRET", "NEXTAUTH_SECRET"]

function secretsFrom(read: ReadEnv): readonly string[] | undefined {
  const secrets = new Set(secretNames.map(read).filter((secret) => secret !== undefined))
  return secrets.size === 0 ? undefined : [...secrets]
}
