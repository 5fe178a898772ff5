/** A value that must not appear in a log or on a page. */
export interface Secret {
  readonly text: string
  /** Its name says that it's a secret, so even a very short value is removed. */
  readonly isNamed: boolean
}

/** Names of secrets in objects, forms, headers and cookies. */
export const secretNames: RegExp =
  /secret|token|passw|passphrase|^(?:pass|pwd|pin|otp|totp|mfa|sid)$|authorization|cookie|verifier|challenge|^code$|code_verifier|assertion|api[-_]?key|private|nonce|^state$|jwt|session[-_]?id/i

/** Values inside of one object. More belong to no request that a browser sends. */
const maxValues = 300
const maxDepth = 6

/** The texts below names that are those of secrets, such as `access_token`, at any depth. */
export function namedSecrets(value: unknown): readonly Secret[] {
  return collect(value, (name) => (secretNames.test(name) ? "all" : "named"), "named")
}

/** Parameters of a form or query that are no secret. Every other one may be. */
const publicNames =
  /^(?:callbackUrl|redirect|redirectTo|json|error|error_description|error_uri|iss|scope|provider|type|email|authuser|prompt|hd|link|action)$/

/** All parameters but those that are known to be public. */
export function parameterSecrets(value: unknown): readonly Secret[] {
  return collect(value, (name) => (publicNames.test(name) ? "named" : "all"), "named")
}

/** Fields of the form of a credentials provider that aren't typed by the user. */
const protocolNames = /^(?:callbackUrl|redirect|redirectTo|json)$/

/** Everything that a user typed. */
export function typedSecrets(value: unknown): readonly Secret[] {
  return collect(value, (name) => (protocolNames.test(name) ? "named" : "all"), "all")
}

type Scope = "all" | "named"

interface Walk {
  readonly found: Secret[]
  readonly seen: Set<unknown>
  readonly scopeFor: (name: string) => Scope
}

interface Place {
  readonly name: string
  readonly scope: Scope
  readonly depth: number
}

function collect(given: unknown, scopeFor: (name: string) => Scope, scope: Scope): readonly Secret[] {
  const walk: Walk = { found: [], seen: new Set(), scopeFor }
  visit(walk, given, { name: "", scope, depth: 0 })
  return walk.found
}

function visit(walk: Walk, value: unknown, place: Place): void {
  const { found, seen } = walk
  if (found.length >= maxValues || place.depth > maxDepth) return
  if (isText(value)) {
    if (place.scope === "all") found.push(...secretIn(String(value), place))
  } else if (typeof value === "object" && value !== null && !seen.has(value)) {
    seen.add(value)
    for (const [key, inner] of entriesOf(value)) visit(walk, inner, placeOf(walk, value, key, place))
  }
}

/** Without pages of the site, which messages name too. */
function secretIn(text: string, { name }: Place): readonly Secret[] {
  const isNamed = secretNames.test(name)
  return !isNamed && /^https?:\/\/[^?#@]*$/i.test(text) ? [] : [{ text, isNamed }]
}

function isText(value: unknown): value is string | number | bigint {
  return typeof value === "string" || typeof value === "number" || typeof value === "bigint"
}

/** Items of a list are named like the list. */
function placeOf({ scopeFor }: Walk, value: object, key: string, { name, scope, depth }: Place): Place {
  if (Array.isArray(value)) return { name, scope, depth: depth + 1 }
  return { name: key, scope: scope === "all" && depth > 0 ? "all" : scopeFor(key), depth: depth + 1 }
}

/** Own properties, without those whose getter fails. */
function entriesOf(value: object): readonly (readonly [string, unknown])[] {
  return Object.keys(value).flatMap((key) => {
    try {
      return [[key, Reflect.get(value, key)] as const]
    } catch {
      return []
    }
  })
}

/** What the headers of a request contain: cookies, credentials, and the parts of them. */
export function headerSecrets(headers: Headers): readonly Secret[] {
  const found: Secret[] = []
  for (const [name, value] of headers) {
    if (name === "cookie") found.push(...cookieSecrets(value))
    else if (secretNames.test(name)) found.push(...credentialsIn(value))
  }
  return found
}

/** `Basic dXNlcjpwYXNz`: the whole value, the part after the scheme, and the password in it. */
function credentialsIn(value: string): readonly Secret[] {
  const [scheme = "", ...rest] = value.trim().split(/ +/)
  const parts = rest.length === 0 ? [value] : [value, rest.join(" ")]
  const secrets = parts.map((text) => ({ text, isNamed: true }))
  if (!/^basic$/i.test(scheme)) return secrets
  const pair = decodedBase64(rest.join(" "))
  const colon = pair.indexOf(":")
  return colon < 0 ? secrets : [...secrets, ...decodedForms(pair.slice(colon + 1))]
}

function decodedBase64(text: string): string {
  try {
    return atob(text)
  } catch {
    return ""
  }
}

/** The value of each cookie, encoded and decoded, and the parts of a CSRF cookie. Other cookies may hold a word or a URL. */
export function cookieSecrets(header: string): readonly Secret[] {
  return header.split(";").flatMap((pair) => {
    const equals = pair.indexOf("=")
    const [name, value] = [pair.slice(0, equals).trim(), pair.slice(equals + 1).trim()]
    if (equals < 0 || isPublicCookie(name, value)) return []
    return [value, ...value.split(/\||%7C/i)].flatMap((text) => decodedForms(text, secretNames.test(name)))
  })
}

const url = /^(?:https?:|%2f|\/|https?%3a)/i
const word = /^[a-z_-]{1,15}$/i

function isPublicCookie(name: string, value: string): boolean {
  // No token is shorter.
  if (url.test(value) || value.length < 8) return true
  return !secretNames.test(name) && word.test(value)
}

function decodedForms(text: string, isNamed = true): readonly Secret[] {
  try {
    const decoded = decodeURIComponent(text)
    if (decoded !== text) return [text, decoded].map((each) => ({ text: each, isNamed }))
  } catch {
    // Not percent-encoded.
  }
  return [{ text, isNamed }]
}

const configuredNames =
  /secret|api[-_]?key|passw|passphrase|^pass$|private|^(?:access|refresh|api|auth|bearer|server)_?token$|^d$|^k$/i

/**
 * The secrets of a configured provider. An endpoint is configured as `token`, so fewer names count than in a request.
 */
export function configuredSecrets(provider: unknown): readonly Secret[] {
  const named = collect(provider, (name) => (configuredNames.test(name) ? "all" : "named"), "named")
  return [...named, ...serverPassword(provider)]
}

/** The password in `smtp://user:password@host`, and the whole URL. */
function serverPassword(provider: unknown): readonly Secret[] {
  if (typeof provider !== "object" || provider === null) return []
  const { server, options } = provider as { readonly server?: unknown; readonly options?: unknown }
  const own = typeof server === "string" ? urlPassword(server) : []
  return [...own, ...(options === provider ? [] : serverPassword(options))]
}

function urlPassword(text: string): readonly Secret[] {
  if (!URL.canParse(text)) return []
  const { password, username } = new URL(text)
  if (password === "") return []
  return [...decodedForms(text), ...decodedForms(`${username}:${password}`), ...decodedForms(password)]
}
