import type { AuthConfig } from "../../model/config.js"
import type { Cookie, CookieKey } from "../../model/cookie.js"
import { cookieKeys, cookieTable } from "../defaults.js"
import { invalid, type Problem } from "./problem.js"

/** What a browser would refuse or misread in the cookies as they will be written (RFC 6265bis §4.1). */
export function* cookieProblems(config: AuthConfig): Generator<Problem> {
  for (const key of cookieKeys) yield* sessionProblems(key, config)
  const [first, ...others] = realms(config)
  const table = cookieTable(config, first)
  for (const key of cookieKeys) yield* attributeProblems(`cookies.${key}`, table[key])
  const clashes = new Set([first, ...others].flatMap((secure) => clashing(cookieTable(config, secure))))
  for (const key of clashes) {
    const fix = "Give each cookie a name that neither equals nor continues another one"
    yield invalid(`cookies.${key}.name`, "The name is that of another cookie, or of a part of it", fix)
  }
}

/** https first: its rules are the stricter ones. Both, unless the configuration says which. */
function realms({ useSecureCookies, url }: AuthConfig): readonly [boolean, ...boolean[]] {
  if (useSecureCookies !== undefined) return [useSecureCookies]
  if (url !== undefined && URL.canParse(url)) return [new URL(url).protocol === "https:"]
  return [true, false]
}

/** The lifetime of the session cookie follows the session; a fixed one would silently win in the browser (complaint 85). */
function* sessionProblems(key: CookieKey, { cookies }: AuthConfig): Generator<Problem> {
  if (key !== "sessionToken" || cookies?.sessionToken?.options?.maxAge === undefined) return
  const fix = "Set `session.maxAge` instead"
  yield invalid("cookies.sessionToken.options.maxAge", "The session cookie cannot have a lifetime of its own", fix)
}

const validName = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/
const validDomain = /^\.?[a-z0-9](?:[a-z0-9-]*[a-z0-9])?(?:\.[a-z0-9](?:[a-z0-9-]*[a-z0-9])?)*$/i
const validPath = /^\/[\x20-\x3A\x3C-\x7E]*$/
const sameSites: ReadonlySet<unknown> = new Set([undefined, true, false, "lax", "strict", "none"])
const priorities: ReadonlySet<unknown> = new Set([undefined, "low", "medium", "high"])

/** Each rule: the attribute, whether it is broken, what is wrong, what to do. */
type Rule = readonly [attribute: string, broken: boolean, problem: string, fix: string]

function* attributeProblems(path: string, { name, options }: Cookie): Generator<Problem> {
  const { domain, expires, maxAge, path: below, sameSite } = options
  const rules: readonly Rule[] = [
    [
      "name",
      !validName.test(name),
      "The name has characters that no cookie name can have",
      "Use letters, digits, `-`, `_` and `.`",
    ],
    [
      "options.domain",
      domain !== undefined && !validDomain.test(domain),
      "The domain is not a host name",
      "Write app.example",
    ],
    [
      "options.path",
      below !== undefined && !validPath.test(below),
      "The path is not one",
      "Begin it with a slash, without `;`",
    ],
    [
      "options.maxAge",
      maxAge !== undefined && !Number.isInteger(maxAge),
      "The lifetime is not whole seconds",
      "Round it",
    ],
    ["options.expires", expires !== undefined && !isDate(expires), "The date is not valid", "Give a valid `Date`"],
    ["options.sameSite", !sameSites.has(lower(sameSite)), "The value does not exist", 'Use "lax", "strict" or "none"'],
    [
      "options.priority",
      !priorities.has(lower(options.priority)),
      "The value does not exist",
      'Use "low", "medium" or "high"',
    ],
    ...prefixRules({ name, options }),
  ]
  for (const [attribute, broken, problem, fix] of rules) if (broken) yield invalid(`${path}.${attribute}`, problem, fix)
}

/** RFC 6265bis §4.1.3 and §5.7: cookies that a browser drops without a word. */
function prefixRules({ name, options }: Cookie): readonly Rule[] {
  const { domain, partitioned, path, sameSite, secure } = options
  const host = /^__host-/i.test(name)
  const secured = host || /^__secure-/i.test(name)
  const renamed = "Name the cookie without `__Host-`, or leave the attribute out"
  return [
    ["options.domain", host && domain !== undefined, "A `__Host-` cookie cannot have a domain", renamed],
    ["options.path", host && path !== "/", "A `__Host-` cookie has the path /", renamed],
    [
      "options.secure",
      secured && secure !== true,
      "The prefix of the name demands `secure`",
      "Set `secure: true`, or rename the cookie",
    ],
    [
      "options.sameSite",
      lower(sameSite) === "none" && secure !== true,
      '`sameSite: "none"` demands `secure`',
      "Set `secure: true`",
    ],
    [
      "options.partitioned",
      partitioned === true && secure !== true,
      "`partitioned` demands `secure`",
      "Set `secure: true`",
    ],
  ]
}

function isDate(value: unknown): boolean {
  return value instanceof Date && !Number.isNaN(value.getTime())
}

function lower(value: unknown): unknown {
  return typeof value === "string" ? value.toLowerCase() : value
}

/** Long values continue in `<name>.0`, `<name>.1`: a name that begins so would be read as a part. */
function clashing(table: Readonly<Record<CookieKey, Cookie>>): readonly CookieKey[] {
  return cookieKeys.filter((key, index) =>
    cookieKeys.some((other, position) => {
      if (other === key) return false
      const [name, base] = [table[key].name, table[other].name]
      return name === base ? position < index : name.startsWith(`${base}.`)
    }),
  )
}
