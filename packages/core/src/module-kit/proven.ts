import type { AuthResult } from "../model/http.js"
import type { JsonValue, User } from "../model/user.js"

/** Registered, because a bundler may copy this module. */
const proofOutcome: unique symbol = Symbol.for("@latchkey/core/proof-outcome")

/** What `prove` found out, if it's more than who the user is. Made with `proven`. */
export interface Proven {
  readonly [proofOutcome]: Outcome
}

/** What is known about a new user. For one who exists already, it counts for nothing. */
export interface NewUser {
  readonly name?: string
  /** What the visitor typed. The `signUp` callback gets it, and nothing of it is stored. */
  readonly fields?: Readonly<Record<string, string>>
}

/** `carried` is for `guard` and `after` of the same module, and no other module sees it. A factor may hold the sign-in in between. */
export type Outcome =
  | { readonly user: User & { readonly id: string }; readonly carried?: JsonValue }
  /**
   * The visitor has access to this mailbox. Core goes on as after an email link: the user of the email signs in, or a new one is
   * created after the guards agreed, with `newUser`. The email is verified then, and what others put into the account before is removed.
   */
  | { readonly mailbox: string; readonly newUser?: NewUser; readonly carried?: JsonValue }
  /**
   * The visitor has something that one user has, such as a phone number, and `account` names it: up to 255 characters, in one spelling.
   * Its user signs in. Without one, a new user is created after the guards agreed, with `newUser`, and the account is theirs from then on.
   * `null`: nothing names the visitor, so it's a new user each time.
   */
  | {
      readonly account: string | null
      /** What that proves (RFC 8176), such as `"sms"`. `null`: nothing, so the session never counts as a proof of who the user is. */
      readonly amr: string | null
      /** The id of the signed-in user to whom the account is added. Another user's account isn't moved. */
      readonly linkTo?: string
      readonly newUser?: NewUser
      readonly carried?: JsonValue
    }
  /** The visitor sees this, and isn't signed in, for example a form with an error. It counts as no attempt: use `limit` for what can be guessed. */
  | { readonly show: AuthResult }

/**
 * What `prove` returns if the visitor has proven a mailbox, or has to see a page first.
 *
 * @example
 * ```ts
 * import { proven } from "@latchkey/core/module"
 * export const prove = () => proven({ mailbox: "ada@example.com" })
 * ```
 */
export function proven(outcome: Outcome): Proven {
  return { [proofOutcome]: outcome }
}

/** Of a plain user, or `null`: that alone. */
export function outcomeOf(
  proof: User | Proven | null,
): Outcome | { readonly user: User | null; readonly carried?: undefined } {
  return proof !== null && isProven(proof) ? proof[proofOutcome] : { user: proof }
}

function isProven(proof: User | Proven): proof is Proven {
  return typeof proof === "object" && proofOutcome in proof
}
