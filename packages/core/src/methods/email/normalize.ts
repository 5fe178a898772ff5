import { AuthError, EmailSignInError } from "../../errors.js"
import { typedEmail } from "../../http/email-address.js"
import { maxEmailInput } from "../../limits/of-input.js"
import type { AuthContext } from "../../model/auth.js"
import type { EmailProvider } from "../../model/email-provider.js"

/** @throws EmailSignInError if the text isn't an email, or the application refuses it */
export function normalizeEmail({ mode }: AuthContext, { normalizeIdentifier }: EmailProvider, typed: unknown): string {
  try {
    if (typeof typed !== "string") throw new Error("The form has no email. Send it as `email`")
    // The application's own function gets no longer text either.
    if (typed.length > maxEmailInput) throw new Error("The email is too long. Enter one like name@example.com")
    const normal: unknown = normalizeIdentifier === undefined ? typedEmail(typed, mode) : normalizeIdentifier(typed)
    if (typeof normal === "string" && normal !== "") return normal
    throw new Error("normalizeIdentifier returned no text. Return the normalized email")
  } catch (cause) {
    throw cause instanceof AuthError ? cause : new EmailSignInError("The email was refused", { cause, field: "email" })
  }
}
