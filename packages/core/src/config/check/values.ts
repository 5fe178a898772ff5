import type { AuthConfig } from "../../model/config.js"
import type { SecurityOptions } from "../../model/security.js"
import { raw, skipCSRFCheck } from "../../model/symbols.js"
import { eventNames } from "../../observability/events.js"
import { isPublicName } from "../../primitives/ip-address.js"
import { isSiteUrl, isWebUrl } from "../../primitives/web-url.js"
import { bareHost } from "../env/variables.js"
import { isProduction, switches } from "../presets.js"
import { numberOf } from "../../compat/repair.js"
import { type Problem, type Warning, invalid, isDate, isPositive, tolerable } from "./problem.js"

export const setProxyUrl = "Set a URL such as https://app.example/auth, or omit it"

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

/** Auth.js v5 takes any other value for `true`, also the text "false". */
function flagsOf(config: AuthConfig): readonly Rule[] {
  const { compat, debug, experimental, rateLimit, security, session, useSecureCookies } = config
  const own: readonly Rule[] =
    typeof security === "object" ? switches().map((name) => [invalid, `security.${name}`, security[name]]) : []
  return [
    [tolerable, "useSecureCookies", useSecureCookies],
    [tolerable, "debug", debug ?? undefined],
    [tolerable, "experimental.enableWebAuthn", experimental?.enableWebAuthn ?? undefined],
    [invalid, "compat", compat],
    [invalid, "session.stepUp", session?.stepUp],
    [invalid, "rateLimit.failOpen", typeof rateLimit === "object" ? rateLimit.failOpen : undefined],
    ...own,
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

const functions: readonly (readonly [
  option: "callbacks" | "events" | "logger" | "session" | "jwt",
  names: readonly string[],
])[] = [
  ["callbacks", ["signIn", "redirect", "jwt", "session"]],
  ["events", eventNames],
  ["logger", ["error", "warn", "debug"]],
  ["session", ["generateSessionToken"]],
  ["jwt", ["encode", "decode"]],
]

export function* functionProblems(config: AuthConfig): Generator<Problem> {
  for (const [option, names] of functions) {
    const group: Readonly<Record<string, unknown>> = { ...config[option] }
    for (const name of names) {
      const value = group[name]
      if (value === undefined || value === null || typeof value === "function") continue
      yield tolerable(`${option}.${name}`, "The value isn't a function", "Set a function, or omit the option")
    }
  }
}

/** The bits of 32 random bytes. */
export const strongSecret = 256

const alphabets: readonly (readonly [pattern: RegExp, size: number])[] = [
  [/^[0-9]+$/, 10],
  [/^(?:[0-9a-f]+|[0-9A-F]+)$/, 16],
  [/^[0-9a-z]+$|^[0-9A-Z]+$/, 36],
  [/^[0-9A-Za-z+/_-]+=*$/, 64],
  [/^[\x20-\x7e]+$/, 94],
]

/**
 * An upper estimate of the entropy of a secret, in bits: the size of its alphabet, or less if its characters repeat more
 * often than random ones would.
 */
export function entropyOf(secret: string): number {
  const text = secret.replace(/=+$/, "")
  const period = (text + text).indexOf(text, 1)
  const size = alphabets.find(([pattern]) => pattern.test(text))?.[1] ?? 256
  const possible = Math.log2(size)
  const observed = observedEntropy(text)
  // A short sample always shows less entropy than its source has, so only a clear deficit counts.
  return Math.max(0, period) * (observed < possible * 0.72 ? observed : possible)
}

/** Shannon entropy, in bits per character. */
function observedEntropy(text: string): number {
  const counts = new Map<string, number>()
  for (const character of text) counts.set(character, (counts.get(character) ?? 0) + 1)
  return [...counts.values()].reduce((sum, count) => sum - (count / text.length) * Math.log2(count / text.length), 0)
}

/** Lifetimes and dates. */
export function* numberProblems(config: AuthConfig): Generator<Problem> {
  const { jwt, security, session } = config
  const options: SecurityOptions = typeof security === "object" ? security : {}
  const lifetimes = {
    "session.maxAge": session?.maxAge,
    "session.absoluteMaxAge": session?.absoluteMaxAge,
    "jwt.maxAge": jwt?.maxAge,
    "security.recentSignIn": options.recentSignIn,
    "security.emailLinkMaxAge": options.emailLinkMaxAge,
  }
  for (const [path, value] of Object.entries(lifetimes)) {
    if (value === undefined || isPositive(value)) continue
    const make = readsAsNumber(config, path, value) ? tolerable : invalid
    yield make(path, `The lifetime ${notPositive(value)}`, "Set a number of seconds, or omit it for the default")
  }
  yield* updateAgeProblems(session?.updateAge)
  yield* formerSessionsProblems(security)
  yield* revocationProblems(session)
}

function* revocationProblems(session: AuthConfig["session"]): Generator<Problem> {
  const maxStaleness: unknown = session?.revocation?.maxStaleness
  if (maxStaleness !== undefined && maxStaleness !== 0 && !isPositive(maxStaleness)) {
    const fix = "Set a number of seconds, or omit it for the default"
    yield invalid("session.revocation.maxStaleness", "The time isn't a number of at least 0", fix)
  }
  if (session?.notBefore === undefined || session.notBefore === null || isDate(session.notBefore)) return
  const fix = 'Set the time from which sessions count, such as "2027-03-01T12:00:00Z"'
  yield invalid("session.notBefore", "The value isn't a valid date", fix)
}

function* formerSessionsProblems(security: AuthConfig["security"]): Generator<Problem> {
  const date = typeof security === "object" ? security.formerSessionsUntil : undefined
  if (date === undefined || isDate(date)) return
  const fix = 'Set a date such as "2027-03-01", after which no session from before the switch is left'
  yield invalid("security.formerSessionsUntil", "The value isn't a valid date", fix)
}

/** Often from an environment variable, which is text. */
function notPositive(value: unknown): string {
  return typeof value === "string" ? "is text, not a number" : "isn't a positive number"
}

/** With sessions in a database, Auth.js v5 works with text that reads as a number. */
function readsAsNumber({ adapter, session }: AuthConfig, path: string, value: unknown): boolean {
  if (path !== "session.maxAge") return false
  return session?.strategy !== "jwt" && adapter !== undefined && isPositive(numberOf(value))
}

function* updateAgeProblems(updateAge: unknown): Generator<Problem> {
  if (updateAge === undefined || updateAge === 0 || isPositive(updateAge)) return
  const fix = "Set a number of seconds. 0 extends the session at every read"
  yield tolerable("session.updateAge", "The interval isn't a number of at least 0", fix)
}

const setUrl = "Set AUTH_URL to a URL such as https://app.example/auth"

/** Problems of `url`, which usually comes from AUTH_URL or NEXTAUTH_URL. */
export function* urlProblems({ url }: { readonly url?: unknown }): Generator<Problem> {
  if (url === undefined) return
  if (!isWebUrl(url)) {
    yield isBare(url)
      ? invalid("url", "The URL has no scheme", `Set AUTH_URL=${isLocal(url) ? "http" : "https"}://${url}`)
      : invalid("url", "The value isn't an http(s) URL", setUrl)
    return
  }
  const { username, password, search, hash } = new URL(url)
  if (!isSiteUrl(url)) yield invalid("url", "The URL has characters that no host has", setUrl)
  else if (username + password + search + hash !== "") {
    const unused = "The URL has a query, a fragment or a password, which isn't used"
    yield tolerable("url", unused, "Set AUTH_URL to the origin and the path of the auth routes only")
  }
}

function isBare(url: unknown): url is string {
  return typeof url === "string" && bareHost.test(url) && /^[\w.:/-]+$/.test(url)
}

function isLocal(host: string): boolean {
  return !isPublicName(host.replace(/[:/].*/, ""))
}

/** Browsers send insecure cookies over any network. Auth.js v5 serves such a site, and so does this. */
export function* urlWarnings(config: AuthConfig): Generator<Warning> {
  const { url } = config
  if (!isProduction(config) || !isWebUrl(url)) return
  const { protocol, hostname } = new URL(url)
  if (protocol !== "http:" || !isPublicName(hostname)) return
  const problem = `AUTH_URL is an http URL of a public site, so anyone on the network can read passwords and sessions`
  yield { code: "insecure-url", detail: `${problem}. Serve the site over https, and set AUTH_URL to its https URL` }
}
