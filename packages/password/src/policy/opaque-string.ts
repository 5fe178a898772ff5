/**
 * Prepares a password by the profile OpaqueString (RFC 8265 §4.2): spaces of other scripts become ASCII spaces, and the result is NFC.
 * Nothing is trimmed, folded or cut, so what the user typed is what's compared.
 *
 * A password that doesn't have the profile's characters is prepared in the same way, so one that was imported still works.
 */
export function opaqueString(typed: string): string {
  return typed.replace(/\p{Zs}/gu, " ").normalize("NFC")
}

/**
 * What the FreeformClass doesn't have (RFC 8264 §4.3): control characters, code points that are unassigned or private, halves of
 * surrogate pairs, invisible characters, and conjoining jamo of old Korean. A user can't type these reliably on another device.
 */
const disallowed =
  /[\p{Cc}\p{Cn}\p{Co}\p{Cs}\u1100-\u11FF\uA960-\uA97C\uD7B0-\uD7FB]|(?![\u200C\u200D])\p{Default_Ignorable_Code_Point}/u

/** Joiners are part of a word only after a virama, and in Arabic script (RFC 5892, appendix A). */
const joinersInWords =
  /(?<=[\u094D\u09CD\u0A4D\u0ACD\u0B4D\u0BCD\u0C4D\u0CCD\u0D4D\u0DCA\u1039\u17D2])[\u200C\u200D]|(?<=\p{Script=Arabic})\u200C(?=\p{Script=Arabic})/gu

/** Whether a password that was prepared has only characters of the profile. Emoji that are joined of several aren't in it. */
export function isOpaqueString(prepared: string): boolean {
  const rest = prepared.replace(joinersInWords, "")
  return !disallowed.test(rest) && !/[\u200C\u200D]/.test(rest)
}
