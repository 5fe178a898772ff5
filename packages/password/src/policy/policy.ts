import { askPwned, type IsBreached, sha1Of } from "./breaches.js"
import { isCommon } from "./common.js"
import { isMadeOfContext, type PasswordContext } from "./context-words.js"
import { isOpaqueString, opaqueString } from "./opaque-string.js"

/** The rule that a password breaks, and the values for its message. */
export type BrokenRule =
  | { readonly rule: "tooShort"; readonly values: { readonly min: string } }
  | {
      readonly rule: "tooLong" | "characters" | "common" | "context" | "breached"
      readonly values: Readonly<Record<string, never>>
    }

/** The longest password. Bytes of UTF-8, after it was prepared. 256 characters of any script fit. */
export const maxBytes = 1024

/** Normalizing makes a text shorter, but not by more. Characters. */
const maxTyped = 4 * maxBytes

export interface PolicyOptions {
  /** Characters, counted as code points. */
  readonly minLength: number
  /** `false`: breaches aren't looked up. `undefined`: Have I Been Pwned is asked. */
  readonly breached: false | IsBreached | undefined
}

export interface Policy {
  /**
   * The first rule that a password breaks. `undefined`: it may be used.
   *
   * @param failed is called if breaches can't be looked up. The other rules decide then
   */
  check(typed: string, context: PasswordContext, failed: () => Promise<void>): Promise<BrokenRule | undefined>
}

export function createPolicy({ minLength, breached = askPwned }: PolicyOptions): Policy {
  return {
    async check(typed, context, failed) {
      const local = brokenHere(typed, context, minLength)
      if (local !== undefined || breached === false) return local
      try {
        return (await breached(sha1Of(opaqueString(typed)))) ? broken("breached") : undefined
      } catch {
        await failed()
        return undefined
      }
    },
  }
}

/** Whether a typed password may be hashed at all. Otherwise a text of a megabyte would be. */
export function isHashable(typed: string): boolean {
  return typed.length <= maxTyped && Buffer.byteLength(opaqueString(typed)) <= maxBytes
}

function brokenHere(typed: string, context: PasswordContext, minLength: number): BrokenRule | undefined {
  if (!isHashable(typed)) return broken("tooLong")
  const password = opaqueString(typed)
  if (Array.from(password).length < minLength) return { rule: "tooShort", values: { min: String(minLength) } }
  if (!isOpaqueString(password)) return broken("characters")
  if (isCommon(password)) return broken("common")
  return isMadeOfContext(password, context) ? broken("context") : undefined
}

function broken(rule: Exclude<BrokenRule["rule"], "tooShort">): BrokenRule {
  return { rule, values: {} }
}
