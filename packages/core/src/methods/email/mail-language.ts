import type { Language } from "../../i18n/language.js"
import type { AuthContext } from "../../model/auth.js"
import type { AuthRequest } from "../../model/http.js"

interface MailLanguage {
  readonly language: Language
  readonly languages: readonly string[]
}

/** The language of the user who asked for an email. */
export async function mailLanguage(auth: AuthContext, request: AuthRequest): Promise<MailLanguage> {
  const { languageOf, languagesOf } = await import("../../i18n/language-of.js")
  return { language: await languageOf(auth, request), languages: languagesOf(auth, request) }
}
