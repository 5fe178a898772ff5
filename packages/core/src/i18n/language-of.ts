import type { SessionContext } from "../model/auth.js"
import type { AuthRequest } from "../model/http.js"
import { englishLanguage, type Language, languageFor, mistakesOf } from "./language.js"
import { acceptedTags, listedTags } from "./negotiate.js"
import { defaultCookies } from "./options.js"

type Asking = Pick<AuthRequest, "query" | "cookies" | "headers">

/** The language of the visitor: `ui_locales` of the query, then a cookie of the application, then the browser's. */
export async function languageOf(auth: Pick<SessionContext, "i18n" | "logger">, request: Asking): Promise<Language> {
  const language = await languageFor(auth.i18n, languagesOf(auth, request))
  if (!checked.has(language)) {
    checked.add(language)
    for (const mistake of mistakesOf(auth.i18n, language)) auth.logger.warn("invalid-option", mistake)
  }
  return language
}

/** Languages whose texts were checked. TypeScript finds the same mistakes earlier. */
const checked = new WeakSet<Language>([englishLanguage])

/** Tags of the languages that a visitor wants, the most wanted first. */
export function languagesOf(
  { i18n }: Pick<SessionContext, "i18n">,
  { query, cookies, headers }: Asking,
): readonly string[] {
  return [
    ...listedTags(query["ui_locales"] ?? ""),
    ...(i18n.cookies ?? defaultCookies).flatMap((name) => cookies.get(name) ?? []),
    ...acceptedTags(headers.get("accept-language") ?? ""),
  ]
}
