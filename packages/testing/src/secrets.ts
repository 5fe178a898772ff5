/** A value that no log may contain. */
export interface KnownSecret {
  readonly kind: string
  readonly value: string
}

/** The secrets and log texts that the test kit has seen. */
export interface Watch {
  readonly secrets: readonly KnownSecret[]
  readonly texts: readonly string[]
  /** Call it before each test. Secrets from the setup of a file, before the first call, stay known for the whole file. */
  begin(): void
  /** Call it after each test. Forgets the secrets and texts of the test. */
  end(): void
}

/** A shorter value could be part of an ordinary word. */
const minLength = 8

/** The limit per test. The oldest secrets are dropped. */
const maxTracked = 2000

interface Tracked {
  readonly fileSecrets: Map<string, string>
  readonly testSecrets: Map<string, string>
  texts: string[]
  inTest: boolean
}

let tracked: Tracked | undefined

/**
 * Starts to track secrets and log texts. The tests of this repository (`tests/no-secrets.ts`) use it to check that no
 * secret is logged. Without a call, nothing is tracked.
 */
export function watchSecrets(): Watch {
  const watched: Tracked = { fileSecrets: new Map(), testSecrets: new Map(), texts: [], inTest: false }
  tracked = watched
  return {
    get secrets() {
      return [...watched.fileSecrets, ...watched.testSecrets].map(([value, kind]) => ({ kind, value }))
    },
    get texts() {
      return watched.texts
    },
    begin: () => {
      watched.inTest = true
    },
    end: () => {
      watched.inTest = false
      watched.testSecrets.clear()
      watched.texts = []
    },
  }
}

export function isWatched(): boolean {
  return tracked !== undefined
}

/** Ignores values that aren't strings or are too short. */
export function trackSecret(kind: string, value: unknown): void {
  if (tracked === undefined || typeof value !== "string" || value.length < minLength) return
  if (tracked.fileSecrets.has(value)) return
  const secrets = tracked.inTest ? tracked.testSecrets : tracked.fileSecrets
  secrets.set(value, kind)
  const [oldest] = secrets.keys()
  if (secrets.size > maxTracked && oldest !== undefined) secrets.delete(oldest)
}

/** Calls `text` only if logs are tracked. */
export function trackLog(text: () => string): void {
  if (tracked !== undefined && tracked.texts.length < maxTracked) tracked.texts.push(text())
}

/** Tracks the values of `HttpOnly` cookies, except for the callback URL. */
export function trackCookies(lines: readonly string[]): void {
  for (const line of lines) {
    const [, name = "", value = ""] = /^([^=;]+)=([^;]*)/.exec(line) ?? []
    // Neither a URL nor the id of a provider is a secret, and both are in logs.
    if (/callback-url|last-used/.test(name) || !/;\s*httponly/i.test(line)) continue
    // The CSRF cookie contains the token and its hash, separated by "|".
    for (const part of value.split(/%7C|\|/i)) trackSecret(`cookie ${name}`, part)
  }
}

const secretField = /password|passphrase|secret|token|verifier|assertion|^code$|otp/i

/** Tracks the secret fields of a form or a token request. */
export function trackFields(fields: URLSearchParams): void {
  for (const [name, value] of fields) if (secretField.test(name)) trackSecret(`field ${name}`, value)
}

/** Tracks the token in a sign-in link. The `code` parameter of our own pages is an error code, not a secret. */
export function trackLink(url: string | URL | undefined): void {
  const text = String(url)
  if (URL.canParse(text)) trackSecret("token of a link", new URL(text).searchParams.get("token"))
}

interface Configured {
  readonly secret?: string | readonly string[] | undefined
  readonly providers?: readonly unknown[] | undefined
}

export function trackConfig({ secret = [], providers = [] }: Configured): void {
  for (const value of [secret].flat()) trackSecret("secret of the configuration", value)
  for (const provider of providers) trackSecret("client secret", clientSecretOf(provider))
}

function clientSecretOf(provider: unknown): unknown {
  return typeof provider === "object" && provider !== null && "clientSecret" in provider
    ? provider.clientSecret
    : undefined
}
