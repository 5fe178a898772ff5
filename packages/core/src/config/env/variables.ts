/** Environment variables. An empty one counts as unset. */
export type Env = Readonly<Record<string, string | undefined>>

/** Reads one variable: `undefined` when unset or empty. */
export type ReadEnv = (name: string) => string | undefined

export function readerOf(env: Env): ReadEnv {
  return (name) => env[name] || undefined
}

/** The address of this deployment, if one is set. */
export function urlFrom(read: ReadEnv): string | undefined {
  return read("AUTH_URL") ?? read("NEXTAUTH_URL")
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
  const hosts = word
    .toLowerCase()
    .split(",")
    .map((host) => host.trim())
    .filter((host) => host !== "")
  const [first = "", ...rest] = hosts
  if (rest.length === 0 && (yes.has(first) || no.has(first))) return yes.has(first)
  return hosts
}

function isOn(value: string | undefined): boolean {
  return value !== undefined && !no.has(value.trim().toLowerCase())
}
