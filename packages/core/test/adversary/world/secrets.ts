/** The values in flight that belong in no log and on no page. */
export interface Secrets {
  /** Ignores values that are too short to be told from ordinary text. */
  know(kind: SecretKind, value: unknown): void
  /** The kind of the first secret in a text, in any encoding. */
  foundIn(text: string, kinds?: readonly SecretKind[]): SecretKind | undefined
}

export type SecretKind =
  | "secret of the site"
  | "client secret"
  | "password"
  | "session cookie"
  | "token of a link"
  | "authorization code"
  | "code verifier"
  | "token of a provider"

const minLength = 10

export function createSecrets(): Secrets {
  const known = new Map<string, SecretKind>()
  return {
    know(kind, value) {
      if (typeof value !== "string" || value.length < minLength) return
      for (const spelling of spellings(value)) known.set(spelling, kind)
    },
    foundIn(text, kinds) {
      for (const [spelling, kind] of known) {
        if ((kinds === undefined || kinds.includes(kind)) && text.includes(spelling)) return kind
      }
      return undefined
    },
  }
}

/** As it is, in URLs, in forms, in JSON, and in Base64 at any offset. */
function spellings(value: string): ReadonlySet<string> {
  const offsets = [0, 1, 2].flatMap((offset) => {
    const whole = Buffer.from(" ".repeat(offset) + value)
    // The first and last characters depend on what is around the value.
    const stable = (text: string) => text.replace(/=+$/, "").slice(offset === 0 ? 0 : 4, -2)
    return [stable(whole.toString("base64")), stable(whole.toString("base64url"))]
  })
  const encoded = [value, encodeURIComponent(value), JSON.stringify(value).slice(1, -1)]
  return new Set([...encoded, new URLSearchParams({ "": value }).toString().slice(1), ...offsets])
}
