import type { AuthConfig } from "../../model/config.js"
import { isAuthAction } from "../action-url.js"
import { cookieProblems } from "./cookies.js"
import { weakenedSettings } from "./flags.js"
import { limitProblems } from "./limits.js"
import { providerProblems, providerWarnings } from "./providers.js"
import { storeProblems, storeWarnings } from "./adapter.js"
import { normalPath, pathOf, security } from "../defaults.js"
import { entropyOf, strongSecret } from "./entropy.js"
import { invalid, isPositive, isWebUrl, type Problem, type Warning } from "./problem.js"
import { readProviders } from "../read-providers.js"

export type { Problem, Warning } from "./problem.js"

/**
 * Everything that is wrong with a configuration, and everything that is only doubtful (spec/config.md §7 and more).
 * Nothing is thrown, remembered or written to; no message holds a secret.
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
  const { providers, problems } = readProviders(config)
  const secrets = secretProblems(config)
  return {
    errors: [
      ...secrets.errors,
      ...originProblems(config),
      ...problems,
      ...providerProblems(providers, config),
      ...storeProblems(providers, config),
      ...numberProblems(config),
      ...wordProblems(config),
      ...pageProblems(config),
      ...themeProblems(config),
      ...cookieProblems(config),
      ...moduleProblems(config),
      ...limitProblems(config),
    ],
    warnings: [
      ...secrets.warnings,
      ...basePathWarnings(config),
      ...providerWarnings(providers, config),
      ...storeWarnings(providers, config),
      ...weakenedSettings(providers, config),
    ],
  }
}

const newSecret = "Set AUTH_SECRET to 32 random bytes, for instance the output of `openssl rand -base64 33`"

function secretProblems(config: AuthConfig): { errors: Problem[]; warnings: Warning[] } {
  const secrets = [config.secret ?? []].flat()
  if (secrets.length === 0 || secrets.some((secret) => typeof secret !== "string" || secret === "")) {
    return {
      errors: [{ path: "secret", problem: "No secret is set", fix: newSecret, type: "MissingSecret" }],
      warnings: [],
    }
  }
  const all = [...secrets, ...[config.jwt?.secret ?? []].flat()]
  if (all.every((secret) => entropyOf(secret) >= strongSecret)) return { errors: [], warnings: [] }
  const detail = "A secret has less than 32 bytes of entropy"
  const refused = security(config).refuseWeakSecret && config.environment !== "development"
  return refused
    ? { errors: [invalid("secret", detail, newSecret)], warnings: [] }
    : { errors: [], warnings: [{ code: "weak-secret", detail: `${detail}: ${newSecret}` }] }
}

const validHost = /^(?:https?:\/\/)?(?:\*\.)?(?:[a-z0-9](?:[a-z0-9.-]*[a-z0-9.])?|\[[0-9a-f:.]+\])(?::\d{1,5})?$/i

function* originProblems(config: AuthConfig): Generator<Problem> {
  const { redirectProxyUrl, trustHost, url } = config
  for (const [path, address] of Object.entries({ url, redirectProxyUrl })) {
    if (address === undefined || isWebUrl(address)) continue
    yield invalid(path, "The address is not an http(s) URL", "Give one such as https://app.example/auth")
  }
  const hosts: readonly unknown[] = Array.isArray(trustHost) ? trustHost : []
  yield* hostProblems("trustHost", hosts)
  yield* hostProblems("redirectProxyOrigins", config.redirectProxyOrigins ?? [])
  const listedOnly = security(config).listedOriginsOnly && config.environment !== "development"
  if (!listedOnly || url !== undefined || hosts.length > 0) return
  const fix = "Set AUTH_URL to the address of this site, or list the hosts in `trustHost`"
  yield {
    path: "trustHost",
    problem: "No origin is listed, and only listed ones are served",
    fix,
    type: "UntrustedHost",
  }
}

function* hostProblems(path: string, entries: readonly unknown[]): Generator<Problem> {
  for (const [index, entry] of entries.entries()) {
    if (typeof entry === "string" && validHost.test(entry)) continue
    yield invalid(
      `${path}[${index}]`,
      "The entry is not a host",
      "Write app.example, app.example:8443 or *.app.example",
    )
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
    yield invalid(
      path,
      "The lifetime is not a positive number",
      "Give a number of seconds, or leave it out for the default",
    )
  }
  const { updateAge } = session
  if (updateAge === undefined || updateAge === 0 || isPositive(updateAge)) return
  yield invalid(
    "session.updateAge",
    "The interval is not a number from 0 up",
    "Give a number of seconds; 0 means on every read",
  )
}

/** Options that are one of a few words; whoever writes no TypeScript learns of a slip here. */
function* wordProblems(config: AuthConfig): Generator<Problem> {
  const mode: unknown = typeof config.security === "object" ? config.security.mode : config.security
  const words: readonly (readonly [path: string, value: unknown, allowed: readonly string[]])[] = [
    ["session.strategy", config.session?.strategy, ["jwt", "database"]],
    ["security", mode, ["compatible", "strict"]],
    ["environment", config.environment, ["development", "production"]],
    ["theme.colorScheme", config.theme?.colorScheme, ["auto", "dark", "light"]],
  ]
  for (const [path, value, allowed] of words) {
    if (value === undefined || (typeof value === "string" && allowed.includes(value))) continue
    yield invalid(
      path,
      "The value is not one that exists",
      `Use one of ${allowed.map((word) => `"${word}"`).join(", ")}`,
    )
  }
}

const pageKeys = ["signIn", "signOut", "error", "verifyRequest", "newUser"] as const

/** `//host` and `/\host` look like paths and are other sites. */
function isPath(text: unknown): boolean {
  return typeof text === "string" && /^\/(?![/\\])[^\\]*$/.test(text) && !/\p{Cc}/u.test(text)
}

function* pageProblems({ pages }: AuthConfig): Generator<Problem> {
  for (const key of pageKeys) {
    const page = pages?.[key]
    if (page === undefined || isPath(page) || isWebUrl(page)) continue
    yield invalid(
      `pages.${key}`,
      "The page is neither a path nor an http(s) URL",
      "Begin it with one slash, or write a whole URL",
    )
  }
}

/** Hexadecimal, a name, or a function without anything that could end the declaration it stands in. */
const colour = /^(?:#[0-9a-f]{3,8}|[a-z]+|[a-z-]+\([\w\s.,%/+#-]*\))?$/i

function* themeProblems({ theme = {} }: AuthConfig): Generator<Problem> {
  for (const key of ["brandColor", "buttonText"] as const) {
    const value: unknown = theme[key]
    if (value === undefined || (typeof value === "string" && colour.test(value.trim()))) continue
    yield invalid(`theme.${key}`, "The value is not a CSS colour", "Write a colour such as #346df1")
  }
  const { logo } = theme
  if (!logo || isPath(logo) || isWebUrl(logo) || isImage(logo)) return
  yield invalid(
    "theme.logo",
    "The logo is not the address of an image",
    "Write a path, an http(s) URL or a data:image URL",
  )
}

function isImage(text: unknown): boolean {
  return typeof text === "string" && /^data:image\//i.test(text)
}

function basePathWarnings(config: AuthConfig): Warning[] {
  const path = pathOf(config.url)
  if (config.basePath === undefined || path === undefined || normalPath(config.basePath) === path) return []
  return [{ code: "env-url-basepath-mismatch", detail: "The path of AUTH_URL is not the `basePath`, which is used" }]
}

function* moduleProblems({ modules = [] }: AuthConfig): Generator<Problem> {
  const ids = new Set<string>()
  const routes = new Set<string>()
  for (const [index, { id, routes: own = {} }] of modules.entries()) {
    const path = `modules[${index}]`
    if (!/^[a-z0-9-]+$/i.test(id))
      yield invalid(`${path}.id`, "The id is not made of letters, digits and hyphens", "Rename the module")
    if (ids.has(id)) yield invalid(`${path}.id`, "Another module has the same id", "Configure the module once")
    ids.add(id)
    for (const route of Object.keys(own)) {
      yield* routeProblems(`${path}.routes`, route, routes)
      routes.add(route)
    }
  }
}

function* routeProblems(path: string, route: string, taken: ReadonlySet<string>): Generator<Problem> {
  const name = /^(?:GET|POST) ([a-z0-9._~-]+)$/i.exec(route)?.[1]
  if (name === undefined)
    yield invalid(path, "A route is not named as a method and one segment", 'Write "GET name" or "POST name"')
  else if (isAuthAction(name))
    yield invalid(path, `The route "${name}" is a built-in action`, "Give the route another name")
  if (taken.has(route))
    yield invalid(path, "Two modules answer the same route", "Remove one of the modules, or rename its route")
}
