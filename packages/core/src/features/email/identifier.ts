import { AuthError, EmailSignInError } from "../../errors.js"
import { typedEmail } from "../../http/email-address.js"
import { toRoute } from "../../http/redirect.js"
import type { Language } from "../../i18n/language.js"
import { maxEmailInput } from "../../limits/of-input.js"
import type { Adapter } from "../../model/adapter.js"
import type { AuthContext } from "../../model/auth.js"
import type { EmailProvider } from "../../model/email-provider.js"
import type { AuthRequest, SafeUrl } from "../../model/http.js"
import { mayNameRecord } from "../../session/records.js"

/**
 * The text that a visitor typed as the email, normalized. No other text of a visitor becomes an identifier of a stored token.
 *
 * @throws EmailSignInError
 */
export function identifierOf({ rules }: AuthContext, { normalizeIdentifier }: EmailProvider, typed: unknown): string {
  try {
    if (typeof typed !== "string") throw new Error("The form has no email. Send it as `email`")
    // The application's own function gets no longer text either.
    if (typed.length > maxEmailInput) throw new Error("The email is too long. Enter one like name@example.com")
    const normal: unknown = normalizeIdentifier === undefined ? typedEmail(typed, rules) : normalizeIdentifier(typed)
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

/**
 * The link contains a token, so a request doesn't make it plain http. A client can send `X-Forwarded-Proto: http`, and the
 * user's network would read the token.
 */
export function linkTo(
  auth: AuthContext,
  request: AuthRequest,
  path: string,
  params: Readonly<Record<string, string>>,
): SafeUrl {
  const isUpgraded = auth.useSecureCookies === undefined && request.scheme.secure
  const base = isUpgraded ? request.base.replace(/^http:/, "https:") : request.base
  return toRoute({ ...request, base }, path, params)
}

interface MailLanguage {
  readonly language: Language
  readonly languages: readonly string[]
}

/** The language of the user who asked for an email. */
export async function mailLanguage(auth: AuthContext, request: AuthRequest): Promise<MailLanguage> {
  const { languageOf, languagesOf } = await import("../../i18n/language-of.js")
  return { language: await languageOf(auth, request), languages: languagesOf(auth, request) }
}
