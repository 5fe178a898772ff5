import { validDomain, validName, validPath } from "../../http/cookie.js"
import type { AuthConfig } from "../../model/config.js"
import type { Cookie, CookieKey } from "../../model/cookie.js"
import { cookieKeys, cookieTable } from "../defaults.js"
import { invalid, type Problem } from "./problem.js"

/** Cookies that a browser would refuse or misread (RFC 6265bis §4.1). */
export function* cookieProblems(config: AuthConfig): Generator<Problem> {
  yield* lifetimeProblems(config)
  const [first, ...others] = schemes(config)
  const table = cookieTable(config, first)
  for (const key of cookieKeys) yield* attributeProblems(`cookies.${key}`, table[key])
  const clashes = new Set([first, ...others].flatMap((secure) => clashing(cookieTable(config, secure))))
  for (const key of clashes) {
    const problem = "The name is that of another cookie, or of one of its parts such as `name.0`"
    yield invalid(`cookies.${key}.name`, problem, "Rename the cookie")
  }
}

/** The values of `secure` that cookies can have. https comes first because its rules are stricter. */
function schemes({ useSecureCookies, url }: AuthConfig): readonly [boolean, ...boolean[]] {
  if (useSecureCookies !== undefined) return [useSecureCookies]
  if (url !== undefined && URL.canParse(url)) return [new URL(url).protocol === "https:"]
  return [true, false]
}

/** The cookie expires with the session. A fixed lifetime would silently win in the browser. */
function* lifetimeProblems({ cookies }: AuthConfig): Generator<Problem> {
  if (cookies?.sessionToken?.options?.maxAge === undefined) return
  const problem = "The session cookie can't have its own lifetime"
  yield invalid("cookies.sessionToken.options.maxAge", problem, "Set `session.maxAge` instead")
}

const sameSites: ReadonlySet<unknown> = new Set([undefined, true, false, "lax", "strict", "none"])
const priorities: ReadonlySet<unknown> = new Set([undefined, "low", "medium", "high"])

type Rule = readonly [attribute: string, isBroken: boolean, problem: string, fix: string]

export function* attributeProblems(path: string, { name, options }: Cookie): Generator<Problem> {
  const { domain, expires, maxAge, path: cookiePath, sameSite } = options
  const rules: readonly Rule[] = [
    [
      "name",
      !validName.test(name),
      "The name has characters that aren't allowed in cookie names",
      "Use letters, digits, `-`, `_` and `.`",
    ],
    [
      "options.domain",
      domain !== undefined && !validDomain.test(domain),
      "The domain isn't a host name",
      "Use a host name such as app.example",
    ],
    [
      "options.path",
      cookiePath !== undefined && !(cookiePath.startsWith("/") && validPath.test(cookiePath)),
      "The path isn't valid",
      "Use a path that begins with a slash and has no `;`",
    ],
    [
      "options.maxAge",
      maxAge !== undefined && !Number.isInteger(maxAge),
      "The lifetime isn't an integer",
      "Set a whole number of seconds",
    ],
    ["options.expires", expires !== undefined && !isDate(expires), "The date isn't valid", "Set a valid `Date`"],
    ["options.sameSite", !sameSites.has(lower(sameSite)), "The value is unknown", 'Use "lax", "strict" or "none"'],
    [
      "options.priority",
      !priorities.has(lower(options.priority)),
      "The value is unknown",
      'Use "low", "medium" or "high"',
    ],
    ...prefixRules({ name, options }),
  ]
  for (const [attribute, isBroken, problem, fix] of rules)
    if (isBroken) yield invalid(`${path}.${attribute}`, problem, fix)
}

/** RFC 6265bis §4.1.3 and §5.7: browsers silently drop cookies that break these rules. */
function prefixRules({ name, options }: Cookie): readonly Rule[] {
  const { domain, partitioned, path, sameSite, secure } = options
  const isHost = /^__host-/i.test(name)
  const isSecure = isHost || /^__secure-/i.test(name)
  const rename = "Use a name without `__Host-`, or omit the option"
  return [
    ["options.domain", isHost && domain !== undefined, "A `__Host-` cookie can't have a domain", rename],
    ["options.path", isHost && path !== "/", "A `__Host-` cookie must have the path /", rename],
    [
      "options.secure",
      isSecure && secure !== true,
      "The prefix of the name requires `secure`",
      "Set `secure: true`, or rename the cookie",
    ],
    [
      "options.sameSite",
      lower(sameSite) === "none" && secure !== true,
      '`sameSite: "none"` requires `secure`',
      "Set `secure: true`",
    ],
    [
      "options.partitioned",
      partitioned === true && secure !== true,
      "`partitioned` requires `secure`",
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
