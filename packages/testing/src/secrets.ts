/** Something that no log may contain. */
export interface KnownSecret {
  readonly kind: string
  readonly value: string
}

/** What became known and what was logged while somebody watched. */
export interface Watch {
  readonly secrets: readonly KnownSecret[]
  readonly texts: readonly string[]
  /** A test begins: what becomes known before the first one, by set-up of a whole file, stays known. */
  begin(): void
  /** A test is over: what it brought is forgotten. */
  end(): void
}

/** Shorter values would be found in ordinary words. */
const shortest = 8

/** A test that makes more forgets the oldest. */
const most = 2000

interface Memory {
  readonly lasting: Map<string, string>
  readonly passing: Map<string, string>
  texts: string[]
  inTest: boolean
}

let memory: Memory | undefined

/**
 * The set-up of this repository's tests (`tests/no-secrets.ts`) watches whether a secret ends up in a log. What deals
 * in secrets here makes them known; unless somebody watches, nothing is kept.
 */
export function watchSecrets(): Watch {
  const watched: Memory = { lasting: new Map(), passing: new Map(), texts: [], inTest: false }
  memory = watched
  return {
    get secrets() {
      return [...watched.lasting, ...watched.passing].map(([value, kind]) => ({ kind, value }))
    },
    get texts() {
      return watched.texts
    },
    begin: () => {
      watched.inTest = true
    },
    end: () => {
      watched.inTest = false
      watched.passing.clear()
      watched.texts = []
    },
  }
}

export function isWatched(): boolean {
  return memory !== undefined
}

/** Makes a value known; what is no string, or too short to be told from ordinary text, is passed over. */
export function know(kind: string, value: unknown): void {
  if (memory === undefined || typeof value !== "string" || value.length < shortest) return
  if (memory.lasting.has(value)) return
  const known = memory.inTest ? memory.passing : memory.lasting
  known.set(value, kind)
  const [oldest] = known.keys()
  if (known.size > most && oldest !== undefined) known.delete(oldest)
}

/** Keeps what was logged until the test is over. The text is made only if somebody watches. */
export function hear(text: () => string): void {
  if (memory !== undefined && memory.texts.length < most) memory.texts.push(text())
}

/** The cookies that scripts cannot read are those that open something; where a sign-in returns to is none of them. */
export function knowCookies(lines: readonly string[]): void {
  for (const line of lines) {
    const [, name = "", value = ""] = /^([^=;]+)=([^;]*)/.exec(line) ?? []
    if (name.includes("callback-url") || !/;\s*httponly/i.test(line)) continue
    // The token of the CSRF cookie stands before its hash.
    for (const part of value.split(/%7C|\|/i)) know(`cookie ${name}`, part)
  }
}

const secretField = /password|passphrase|secret|token|verifier|assertion|^code$|otp/i

/** The fields of a form, or of a token request, that open something. */
export function knowFields(fields: URLSearchParams): void {
  for (const [name, value] of fields) if (secretField.test(name)) know(`field ${name}`, value)
}

/** The token of a link that was mailed. A `code` of ours in an address names an error. */
export function knowLink(address: string | URL | undefined): void {
  const text = String(address)
  if (URL.canParse(text)) know("token of a link", new URL(text).searchParams.get("token"))
}

interface Configured {
  readonly secret?: string | readonly string[] | undefined
  readonly providers?: readonly unknown[] | undefined
}

/** The secrets that a configuration holds. */
export function knowConfig({ secret = [], providers = [] }: Configured): void {
  for (const value of [secret].flat()) know("secret of the configuration", value)
  for (const provider of providers) know("client secret", clientSecretOf(provider))
}

function clientSecretOf(provider: unknown): unknown {
  return typeof provider === "object" && provider !== null && "clientSecret" in provider
    ? provider.clientSecret
    : undefined
}
