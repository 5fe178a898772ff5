import { plainForm } from "./common.js"

/** What a password mustn't consist of. */
export interface PasswordContext {
  /** The name of the application. */
  readonly app: string
  readonly email?: string | undefined
  readonly username?: string | undefined
}

/** Shorter words are part of many others. */
const shortestWord = 4

/** What has to be left when the words are taken out. Characters. */
const least = 8

/** Whether hardly anything is left of a password without the application's name and the parts of the email (OWASP ASVS 6.2.11). */
export function isMadeOfContext(password: string, context: PasswordContext): boolean {
  const plain = plainForm(password)
  const found = wordsOf(context).filter((word) => plain.includes(word))
  if (found.length === 0) return false
  const rest = found.reduce((left, word) => left.replaceAll(word, ""), plain)
  return Array.from(rest.replace(/[^\p{L}\p{N}]/gu, "")).length < least
}

/** The longest first, so that a part of a word isn't taken out before the whole. */
function wordsOf({ app, email = "", username = "" }: PasswordContext): readonly string[] {
  const whole = [app, email, email.split("@")[0] ?? "", username]
  const parts = whole.flatMap((text) => [text, ...text.split(/[^\p{L}\p{N}]+/u)])
  const words = new Set(parts.map(plainForm).filter((word) => word.length >= shortestWord))
  return [...words].toSorted((one, other) => other.length - one.length)
}
