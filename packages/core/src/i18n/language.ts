import { builtIn, bundledTags } from "./built-in.js"
import { english } from "./languages/en.js"
import type { Messages } from "./messages.js"
import { bestTag, canonicalTag, directionOf } from "./negotiate.js"
import { type I18nOptions, defaultLanguage } from "./options.js"
import { builtInTags } from "./tags.js"

/** The language of one response or email. */
export interface Language {
  /** BCP 47. */
  readonly tag: string
  readonly direction: "ltr" | "rtl"
  readonly messages: Messages
}

export const englishLanguage: Language = { tag: defaultLanguage, direction: "ltr", messages: english }

/**
 * The best offered language, loaded.
 *
 * @param wanted tags, the most wanted first
 */
export async function languageFor(options: I18nOptions, wanted: readonly string[]): Promise<Language> {
  const offered = offeredTags(options)
  const { defaultLocale = defaultLanguage } = options
  const fallback = offered.includes(defaultLocale) ? defaultLocale : defaultLanguage
  const tag = bestTag(wanted, offered, fallback) ?? fallback
  return cached(options, tag)
}

/** Tags of the languages that users can get. The application's own come first: its `de-CH` is nearer to `de-CH` than `de`. */
export function offeredTags({ locales, messages = {} }: I18nOptions): readonly string[] {
  const all = [...new Set([...Object.keys(messages), ...bundledTags])]
  return locales?.filter((tag) => all.includes(tag)) ?? all
}

const languages = new WeakMap<I18nOptions, Map<string, Promise<Language>>>()

function cached(options: I18nOptions, tag: string): Promise<Language> {
  const known = languages.get(options) ?? new Map<string, Promise<Language>>()
  languages.set(options, known)
  const language = known.get(tag) ?? load(options, tag)
  known.set(tag, language)
  // A file that couldn't be read now may be readable later.
  language.catch(() => known.delete(tag))
  return language
}

async function load({ messages = {} }: I18nOptions, tag: string): Promise<Language> {
  const own = Object.hasOwn(messages, tag) ? messages[tag] : undefined
  const base = await builtIn(bestTag([tag], builtInTags, tag) ?? tag)
  return {
    tag: canonicalTag(tag) ?? defaultLanguage,
    direction: directionOf(tag),
    messages: own === undefined ? base : completed(base, own),
  }
}

/** What can't be used of the application's texts in a language, and the languages that the bundle doesn't have. */
export function mistakesOf(options: I18nOptions, { tag }: Language): readonly string[] {
  const { locales = [], messages = {} } = options
  const offered = offeredTags(options)
  const missing = locales.filter((locale) => !offered.includes(locale))
  if (missing.length > 0)
    return [
      `i18n.locales: The bundle has no texts in ${missing.join(", ")}. Import them from @latchkey/core/languages, and add them to \`i18n.messages\``,
    ]
  const key = Object.keys(messages).find((given) => canonicalTag(given) === tag)
  const own = key === undefined ? undefined : messages[key]
  return own === undefined ? [] : mistakesIn(english, own, `i18n.messages.${key}`)
}

/** The texts of `base` with those of `own` in their place. What isn't a text, or has no place, is left out. */
export function completed<T extends object>(base: T, own: object): T {
  const merged = Object.entries(base).map(([key, text]: [string, unknown]) => [
    key,
    either(text, Reflect.get(own, key)),
  ])
  return Object.fromEntries(merged) as T
}

function either(text: unknown, own: unknown): unknown {
  if (typeof text === "string") return typeof own === "string" ? own : text
  return isObject(text) && isObject(own) ? completed(text, own) : text
}

function isObject(value: unknown): value is object {
  return typeof value === "object" && value !== null
}

/** What can't be used of an application's texts: `path: problem. fix`. */
function mistakesIn(base: object, own: object, path: string): readonly string[] {
  return Object.entries(own).flatMap(([key, text]: [string, unknown]) => {
    const place = `${path}.${key}`
    const known: unknown = Object.hasOwn(base, key) ? Reflect.get(base, key) : undefined
    if (known === undefined) return [`${place}: There is no such text. Correct its name`]
    if (typeof known === "string") return typeof text === "string" ? placeholderMistakes(known, text, place) : []
    return isObject(known) && isObject(text) ? mistakesIn(known, text, place) : []
  })
}

function placeholderMistakes(known: string, text: string, place: string): readonly string[] {
  const names = placeholdersOf(known)
  return placeholdersOf(text)
    .filter((name) => !names.includes(name))
    .map((name) => `${place}: The text has no placeholder {${name}}. Use those of the English text`)
}

function placeholdersOf(text: string): readonly string[] {
  return [...text.matchAll(/\{(\w+)\}/g)].map(([, name = ""]) => name)
}
