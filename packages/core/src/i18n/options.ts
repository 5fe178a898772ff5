import type { PartialMessages } from "./messages.js"

/** Languages of the built-in pages and emails. */
export interface I18nOptions {
  /**
   * Tags (BCP 47) of the languages that users can get, such as `["en", "de"]`.
   * @default every language of the library and of `messages`
   */
  readonly locales?: readonly string[] | undefined
  /** The language of users whose languages aren't offered. @default "en" */
  readonly defaultLocale?: string | undefined
  /**
   * Cookies in which your application keeps the language of the user, as a tag.
   * @default ["NEXT_LOCALE", "PARAGLIDE_LOCALE"]
   */
  readonly cookies?: readonly string[] | undefined
  /**
   * Texts by language tag. They replace single texts of a language, or add a language. Texts that you leave out are those
   * of the same language, so `de-CH` needs only what differs from `de`. In a language that the library doesn't have, they're
   * English.
   *
   * @example
   * ```ts
   * export const i18n = { messages: { de: { signin: { heading: "Willkommen bei {app}" } } } }
   * ```
   */
  readonly messages?: Readonly<Record<string, PartialMessages>> | undefined
}

export const defaultCookies = ["NEXT_LOCALE", "PARAGLIDE_LOCALE"] as const

export const defaultLanguage = "en"
