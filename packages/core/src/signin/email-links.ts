import { equal } from "../crypto/digest.js"
import { AuthError, EmailSignInError, Verification } from "../errors.js"
import { canonicalEmail, typedEmail } from "../http/email-address.js"
import { toRoute } from "../http/redirect.js"
import type { Language } from "../i18n/language.js"
import { maxEmailInput } from "../limits/of-input.js"
import type { Adapter, VerificationToken } from "../model/adapter.js"
import type { AuthContext } from "../model/auth.js"
import type { EmailProvider } from "../model/email-provider.js"
import type { AuthRequest, SafeUrl } from "../model/http.js"
import { isOneAddress } from "../provider-kit/email/mailbox.js"
import { mayNameRecord } from "../session/records.js"

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
  const { languageOf, languagesOf } = await import("../i18n/language-of.js")
  return { language: await languageOf(auth, request), languages: languagesOf(auth, request) }
}

/** `a***@example.test`: enough to recognize one's own account. `undefined`: not an email. */
export function masked(text: unknown): string | undefined {
  if (typeof text !== "string") return undefined
  const email = canonicalEmail(text)
  const [first = ""] = email
  return isOneAddress(email) ? `${first}***${email.slice(email.indexOf("@"))}` : undefined
}

/**
 * A row of a token that was used up. Not every adapter checks it.
 *
 * @throws Verification
 */
export function checkedToken(
  invite: VerificationToken,
  identifier: string,
  hash: string,
  now: number,
): VerificationToken {
  const expires = new Date(invite.expires)
  // Some adapters return another token than the one they were given.
  const foreign = "token" in invite && typeof invite.token === "string" && !equal(invite.token, hash)
  if (invite.identifier !== identifier || foreign) {
    const details = { hasInvite: true, expired: false }
    throw new Verification("The link belongs to another email. Request a new one", details)
  }
  if (!(expires.getTime() > now)) {
    throw new Verification("The link has expired. Request a new one", { hasInvite: true, expired: true })
  }
  return { identifier, token: hash, expires }
}
