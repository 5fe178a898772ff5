import { createHash } from "node:crypto"

/** Whether a password is known from a breach. `sha1` is its SHA-1 in 40 uppercase hexadecimal digits. */
export type IsBreached = (sha1: string) => boolean | PromiseLike<boolean>

export function sha1Of(password: string): string {
  return createHash("sha1").update(password, "utf8").digest("hex").toUpperCase()
}

/** Milliseconds. A user doesn't wait longer for a form. */
const timeoutMs = 1500

/**
 * Asks the range API of Have I Been Pwned. Five of the forty digits leave, and with padding the length of the answer doesn't tell
 * them either.
 *
 * @throws Error if the service doesn't answer within 1.5 seconds, or with something else
 */
export const askPwned: IsBreached = async (sha1) => {
  const response = await fetch(`https://api.pwnedpasswords.com/range/${sha1.slice(0, 5)}`, {
    headers: { "Add-Padding": "true" },
    signal: AbortSignal.timeout(timeoutMs),
  })
  if (!response.ok) throw new Error(`Have I Been Pwned answered with status ${response.status}`)
  return hasSuffix(await response.text(), sha1.slice(5))
}

/** Lines of 35 digits, a colon and a count, which is 0 in lines of padding. */
function hasSuffix(text: string, suffix: string): boolean {
  return text.split(/\r?\n/).some((line) => {
    const [found = "", count = "0"] = line.split(":")
    return found.toUpperCase() === suffix && Number(count) > 0
  })
}
