import { AuthError, EmailSignInError } from "../../errors.js"
import { typedEmail } from "../../http/email-address.js"
import { maxEmailInput } from "../../limits/of-input.js"
import type { Adapter } from "../../model/adapter.js"
import type { AuthContext } from "../../model/auth.js"
import type { EmailProvider } from "../../model/email-provider.js"
import { mayNameRecord } from "../../session/records.js"

/**
 * The text that a visitor typed as the email, normalized. No other text of a visitor becomes an identifier of a stored token.
 *
 * @throws EmailSignInError
 */
export function identifierOf({ mode }: AuthContext, { normalizeIdentifier }: EmailProvider, typed: unknown): string {
  try {
    if (typeof typed !== "string") throw new Error("The form has no email. Send it as `email`")
    // The application's own function gets no longer text either.
    if (typed.length > maxEmailInput) throw new Error("The email is too long. Enter one like name@example.com")
    const normal: unknown = normalizeIdentifier === undefined ? typedEmail(typed, mode) : normalizeIdentifier(typed)
    if (typeof normal !== "string" || normal === "")
      throw new Error("normalizeIdentifier returned no text. Return the normalized email")
    if (mayNameRecord(normal)) throw new Error("An email contains no semicolon. Enter one like name@example.com")
    return normal
  } catch (cause) {
    throw cause instanceof AuthError ? cause : new EmailSignInError("The email was refused", { cause, field: "email" })
  }
}

/** Ends the links that were sent to the email of a user, as far as the adapter can. */
export async function endLinksTo(adapter: Adapter, email: string | null | undefined): Promise<void> {
  // A provider may have vouched for any text.
  if (email && !mayNameRecord(email)) await adapter.deleteVerificationTokens?.(email)
}
