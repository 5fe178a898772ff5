import { validDomain, validName, validPath } from "../../http/cookie.js"
import type { AuthConfig } from "../../model/config.js"
import type { Cookie, CookieKey } from "../../model/cookie.js"
import { checksSender, skipCSRFCheck } from "../../model/symbols.js"
import { cookieKeys, cookieTable } from "../defaults.js"
import { isBehindPlatform } from "../env/env.js"
import { isProduction, securityOf } from "../presets.js"
import { type ReadProvider, type ProviderFeatures, featureOf } from "../feature.js"
import { type Problem, type Warning, invalid, tolerable } from "./problem.js"

/** Cookies that a browser would refuse or misread (RFC 6265bis §4.1). */
export function* cookieProblems(config: AuthConfig): Generator<Problem> {
  yield* lifetimeProblems(config)
  const tables = schemes(config).map((secure) => cookieTable(config, secure))
  for (const key of cookieKeys)
    yield* attributeProblems(
      `cookies.${key}`,
      tables.map((table) => table[key]),
    )
  const clashes = new Set(tables.flatMap(clashing))
  for (const key of clashes) {
    const problem = "The name is that of another cookie, or of one of its parts such as `name.0`"
    yield invalid(`cookies.${key}.name`, problem, "Rename the cookie")
  }
}

/** The values of `secure` that cookies can have. https comes first because its rules are stricter. */
function schemes({ useSecureCookies, url }: AuthConfig): readonly boolean[] {
  const given: unknown = useSecureCookies
  if (given !== undefined) return [Boolean(given)]
  if (url !== undefined && URL.canParse(url)) return [new URL(url).protocol === "https:"]
  return [true, false]
}

/** In the browser, a shorter lifetime of the cookie wins over that of the session. */
function* lifetimeProblems({ cookies }: AuthConfig): Generator<Problem> {
  const maxAge: unknown = cookies?.sessionToken?.options?.maxAge
  if (maxAge === undefined || !Number.isInteger(maxAge)) return
  const problem = "The session cookie has a lifetime of its own, which ends sessions earlier than `session.maxAge`"
  yield tolerable("cookies.sessionToken.options.maxAge", problem, "Set `session.maxAge` instead")
}

const sameSites: ReadonlySet<unknown> = new Set([undefined, null, "", true, false, "lax", "strict", "none"])
const priorities: ReadonlySet<unknown> = new Set([undefined, null, "", "low", "medium", "high"])

type Rule = readonly [attribute: string, isBroken: boolean, problem: string, fix: string, isTolerable?: boolean]

/** Each problem once, although the cookie may have it over http and over https. */
export function* attributeProblems(path: string, cookies: readonly Cookie[]): Generator<Problem> {
  const found = new Set<string>()
  for (const [attribute, isBroken, problem, fix, isTolerable = false] of cookies.flatMap(attributeRules)) {
    if (!isBroken || found.has(attribute + problem)) continue
    found.add(attribute + problem)
    yield (isTolerable ? tolerable : invalid)(`${path}.${attribute}`, problem, fix)
  }
}

function attributeRules({ name, options }: Cookie): readonly Rule[] {
  const { domain, expires, maxAge, path: cookiePath, sameSite } = options
  return [
    [
      "name",
      !validName.test(name),
      "The name has characters that aren't allowed in cookie names",
      "Use letters, digits, `-`, `_` and `.`",
    ],
    [
      "options.domain",
      Boolean(domain) && !validDomain.test(String(domain)),
      "The domain isn't a host name",
      "Use a host name such as app.example",
    ],
    [
      "options.path",
      Boolean(cookiePath) && !validPath.test(String(cookiePath)),
      "The path isn't valid",
      "Use a path that begins with a slash and has no `;`",
    ],
    [
      "options.path",
      Boolean(cookiePath) && !String(cookiePath).startsWith("/"),
      "The path doesn't begin with a slash, so browsers ignore it (RFC 6265bis §5.6.4)",
      "Use a path that begins with a slash",
      true,
    ],
    [
      "options.maxAge",
      maxAge !== undefined && !Number.isInteger(maxAge),
      "The lifetime isn't an integer",
      "Set a whole number of seconds",
    ],
    ["options.expires", Boolean(expires) && !isDate(expires), "The date isn't valid", "Set a valid `Date`"],
    ["options.sameSite", !sameSites.has(lower(sameSite)), "The value is unknown", 'Use "lax", "strict" or "none"'],
    [
      "options.priority",
      !priorities.has(lower(options.priority)),
      "The value is unknown",
      'Use "low", "medium" or "high"',
    ],
    ...prefixRules({ name, options }),
  ]
}

/**
 * RFC 6265bis §4.1.3 and §5.7: browsers silently drop cookies that break these rules. Auth.js v5 sends them anyway, and the
 * options may be meant for only one of http and https.
 */
function prefixRules({ name, options }: Cookie): readonly Rule[] {
  const { domain, partitioned, path, sameSite, secure } = options
  const isHost = /^__host-/i.test(name)
  const isSecure = isHost || /^__secure-/i.test(name)
  const rename = "Use a name without `__Host-`, or omit the option"
  return [
    ["options.domain", isHost && Boolean(domain), "A `__Host-` cookie can't have a domain", rename, true],
    ["options.path", isHost && path !== "/", "A `__Host-` cookie must have the path /", rename, true],
    [
      "options.secure",
      isSecure && !secure,
      "The prefix of the name requires `secure`",
      "Set `secure: true`, or rename the cookie",
      true,
    ],
    [
      "options.sameSite",
      lower(sameSite) === "none" && !secure,
      '`sameSite: "none"` requires `secure`',
      "Set `secure: true`",
      true,
    ],
    [
      "options.partitioned",
      Boolean(partitioned) && !secure,
      "`partitioned` requires `secure`",
      "Set `secure: true`",
      true,
    ],
  ]
}

function isDate(value: unknown): boolean {
  return value instanceof Date && !Number.isNaN(value.getTime())
}

function lower(value: unknown): unknown {
  return typeof value === "string" ? value.toLowerCase() : value
}

/** Long values are split into `<name>.0`, `<name>.1` and so on, so no other cookie may begin with `<name>.`. */
function clashing(table: Readonly<Record<CookieKey, Cookie>>): readonly CookieKey[] {
  return cookieKeys.filter((key, index) =>
    cookieKeys.some((other, position) => {
      if (other === key) return false
      const [name, base] = [table[key].name, table[other].name]
      return name === base ? position < index : name.startsWith(`${base}.`)
    }),
  )
}

/** One warning that lists every setting that makes production less secure. */
export function* weakenedSettings(
  features: ProviderFeatures,
  providers: readonly ReadProvider[],
  config: AuthConfig,
): Generator<Warning> {
  if (!isProduction(config)) return
  const site = {
    trustHost: trustsAnyHost(config),
    skipCSRFCheck: config.skipCSRFCheck === skipCSRFCheck && !(checksSender in config),
    useSecureCookies: config.useSecureCookies === false,
    debug: config.debug === true,
    rateLimit: config.rateLimit === false,
  }
  const ofProviders = providers.flatMap(({ path, provider }) =>
    (featureOf(features, provider)?.weakened?.(provider) ?? []).map((name) => `${path}.${name}`),
  )
  const settings = [...namesOf(site), ...ofProviders]
  if (settings.length === 0) return
  const detail = `These settings make production less secure: ${settings.join(", ")}. See docs/security`
  yield { code: "weakened-settings", detail }
}

/** With `listedOriginsOnly`, it's refused instead. */
function trustsAnyHost(config: AuthConfig): boolean {
  if (config.trustHost !== true || config.url !== undefined) return false
  return !isBehindPlatform(config) && !securityOf(config).listedOriginsOnly
}

/** The options that are set, for a list of weakened ones. */
export function namesOf(settings: Readonly<Record<string, boolean>>): string[] {
  return Object.keys(settings).filter((name) => settings[name])
}
