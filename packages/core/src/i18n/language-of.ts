import type { SessionContext } from "../model/auth.js"
import type { AuthRequest } from "../model/http.js"
import { type Language, languageFor } from "./language.js"
import { acceptedTags, listedTags } from "./negotiate.js"
import { defaultCookies } from "./options.js"

/** The language of the visitor: `ui_locales` of the query, then a cookie of the application, then the browser's. */
export async function languageOf(
  { i18n }: Pick<SessionContext, "i18n">,
  request: Pick<AuthRequest, "query" | "cookies" | "headers">,
): Promise<Language> {
  return languageFor(i18n, wantedTags(i18n.cookies ?? defaultCookies, request))
}

/** Tags of the languages that a visitor wants, the most wanted first. */
export function wantedTags(
  cookieNames: readonly string[],
  { query, cookies, headers }: Pick<AuthRequest, "query" | "cookies" | "headers">,
): readonly string[] {
  return [
    ...listedTags(query["ui_locales"] ?? ""),
    ...cookieNames.flatMap((name) => cookies.get(name) ?? []),
    ...acceptedTags(headers.get("accept-language") ?? ""),
  ]
}
