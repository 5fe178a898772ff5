import type { AuthConfig } from "../../model/config.js"
import { pathOf } from "../defaults.js"
import { fillProvider } from "./providers.js"
import { type Env, type ReadEnv, readerOf, trustFrom, urlFrom } from "./variables.js"

export { createActionURL, isAuthAction } from "../action-url.js"
export type { Env } from "./variables.js"

interface Inference {
  readonly basePath: string | undefined
  readonly reads: ReadonlyMap<string, string | undefined>
  readonly result: AuthConfig
}

const inferences = new WeakMap<AuthConfig, Inference>()

/**
 * The configuration with what the environment adds where the configuration says nothing (spec/config.md §6):
 * `url`, `basePath`, `secret`, `trustHost`, `environment`, `redirectProxyUrl` and the client of each provider.
 * The given object is not written to; as long as it and the variables it used are the same, so is the result.
 * `options.basePath` is the default of the framework, below a path of `AUTH_URL`.
 *
 * @example
 * ```ts
 * import { withEnv } from "@latchkey/core"
 * const config = withEnv({ providers: [] }, { AUTH_SECRET: "from the environment", AUTH_URL: "https://app.example/api/auth" })
 * console.log(config.basePath) // "/api/auth"
 * ```
 */
export function withEnv(config: AuthConfig, env: Env, options: { readonly basePath?: string } = {}): AuthConfig {
  const known = inferences.get(config)
  if (known !== undefined && known.basePath === options.basePath && isCurrent(known, env)) return known.result
  const reads = new Map<string, string | undefined>()
  const read: ReadEnv = (name) => {
    reads.set(name, env[name])
    return readerOf(env)(name)
  }
  const result = Object.freeze({ ...config, ...inferred(config, read, options.basePath) })
  inferences.set(config, { basePath: options.basePath, reads, result })
  return result
}

function isCurrent({ reads }: Inference, env: Env): boolean {
  for (const [name, value] of reads) if (env[name] !== value) return false
  return true
}

/**
 * Writes what the environment says into `config`, as its name promises to those who used it in Auth.js: they go on with
 * the same object. A frozen one throws a `TypeError`; new code takes {@link withEnv}.
 */
export function setEnvDefaults(env: Env, config: AuthConfig, suppressBasePathWarning = false): void {
  const read = readerOf(env)
  const redundant = config.basePath !== undefined && read("AUTH_URL") !== undefined
  if (redundant && !suppressBasePathWarning) {
    config.logger?.warn?.("env-url-basepath-redundant", "`basePath` is set, so the path of AUTH_URL is not used")
  }
  Object.assign(config, inferred(config, read, "/auth"))
}

function inferred(config: AuthConfig, read: ReadEnv, basePath: string | undefined): AuthConfig {
  const url = config.url || urlFrom(read)
  return {
    url,
    basePath: config.basePath ?? pathOf(url) ?? basePath,
    secret: config.secret?.length ? config.secret : secretsFrom(read),
    trustHost: config.trustHost ?? trustFrom(read, url),
    environment: config.environment ?? environmentFrom(read),
    redirectProxyUrl: config.redirectProxyUrl ?? read("AUTH_REDIRECT_PROXY_URL"),
    providers: config.providers?.map((provider) => fillProvider(provider, read)),
  }
}

function environmentFrom(read: ReadEnv): "development" | undefined {
  return read("NODE_ENV") === "development" ? "development" : undefined
}

const secretNames = ["AUTH_SECRET_3", "AUTH_SECRET_2", "AUTH_SECRET_1", "AUTH_SECRET", "NEXTAUTH_SECRET"]

/** Newest first: the numbered ones rotate the plain one out (complaint 90). */
function secretsFrom(read: ReadEnv): readonly string[] | undefined {
  const secrets = new Set(secretNames.map(read).filter((secret) => secret !== undefined))
  return secrets.size === 0 ? undefined : [...secrets]
}
