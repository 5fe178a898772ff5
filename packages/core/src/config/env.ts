import type { AuthConfig } from "../model/config.js"
import { pathOf } from "./defaults.js"
import { fillProvider } from "./env-providers.js"

export { createActionURL, isAuthAction } from "./action-url.js"

/** Environment variables. An empty one counts as unset. */
export type Env = Readonly<Record<string, string | undefined>>

/** Reads one variable: `undefined` when unset or empty. */
export type ReadEnv = (name: string) => string | undefined

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

function readerOf(env: Env): ReadEnv {
  return (name) => env[name] || undefined
}

function inferred(config: AuthConfig, read: ReadEnv, basePath: string | undefined): Partial<AuthConfig> {
  const url = config.url || urlFrom(read)
  return {
    url,
    basePath: config.basePath ?? pathOf(url) ?? basePath,
    secret: config.secret !== undefined && config.secret.length > 0 ? config.secret : secretsFrom(read),
    trustHost: config.trustHost ?? trustFrom(read, url),
    environment: config.environment ?? (read("NODE_ENV") === "development" ? "development" : undefined),
    redirectProxyUrl: config.redirectProxyUrl ?? read("AUTH_REDIRECT_PROXY_URL"),
    ...(Array.isArray(config.providers) && { providers: config.providers.map((provider) => fillProvider(provider, read)) }),
  }
}

export function urlFrom(read: ReadEnv): string | undefined {
  return read("AUTH_URL") ?? read("NEXTAUTH_URL")
}

const secretNames = ["AUTH_SECRET_3", "AUTH_SECRET_2", "AUTH_SECRET_1", "AUTH_SECRET", "NEXTAUTH_SECRET"]

/** Newest first: the numbered ones rotate the plain one out (complaint 90). */
function secretsFrom(read: ReadEnv): readonly string[] | undefined {
  const secrets = new Set(secretNames.map(read).filter((secret) => secret !== undefined))
  return secrets.size === 0 ? undefined : [...secrets]
}

/**
 * Whether the host that a request names may be believed. A missing `NODE_ENV` proves nothing (HOST-02); a variable of
 * a platform proves that the platform's proxy has set the headers.
 */
export function trustFrom(read: ReadEnv, url: string | undefined): boolean | readonly string[] {
  const word = read("AUTH_TRUST_HOST")
  if (word !== undefined) return parseTrust(word)
  if (url !== undefined || isOn(read("VERCEL")) || isOn(read("CF_PAGES"))) return true
  const mode = read("NODE_ENV")
  return mode !== undefined && mode !== "production"
}

const yes: ReadonlySet<string> = new Set(["true", "1", "yes", "on"])
const no: ReadonlySet<string> = new Set(["", "false", "0", "no", "off"])

/** A boolean in words, or a comma-separated list of hosts. */
function parseTrust(word: string): boolean | readonly string[] {
  const hosts = word.toLowerCase().split(",").map((host) => host.trim()).filter((host) => host !== "")
  const [first = "", ...rest] = hosts
  if (rest.length === 0 && (yes.has(first) || no.has(first))) return yes.has(first)
  return hosts
}

function isOn(value: string | undefined): boolean {
  return value !== undefined && !no.has(value.trim().toLowerCase())
}
