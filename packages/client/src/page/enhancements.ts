import { carryIdentifier } from "./carry-identifier.js"
import { cleanCodes } from "./code-field.js"
import { countDown } from "./count-down.js"
import { revealPasswords } from "./reveal-passwords.js"
import { submitOnce } from "./submit-once.js"

/** Makes the built-in pages more comfortable. Each of them works without it. */
export function enhance(): void {
  revealPasswords()
  carryIdentifier()
  cleanCodes()
  countDown()
  submitOnce()
}
