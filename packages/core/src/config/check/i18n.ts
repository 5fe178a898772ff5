import { canonicalTag } from "../../i18n/negotiate.js"
import { defaultLanguage } from "../../i18n/options.js"
import { builtInTags, isBuiltIn } from "../../i18n/tags.js"
import type { AuthConfig } from "../../model/config.js"
import { isPlainObject } from "../merge.js"
import { invalid, type Problem } from "./problem.js"

export function* i18nProblems({ i18n }: AuthConfig): Generator<Problem> {
  const given: unknown = i18n
  if (given === undefined) return
  if (!isPlainObject(given)) {
    yield invalid("i18n", "The value isn't an object", 'Set an object such as { locales: ["en", "de"] }')
    return
  }
  const { locales, defaultLocale, cookies, messages } = given
  const own = isPlainObject(messages) ? Object.keys(messages) : []
  yield* messageProblems(messages)
  yield* localeProblems(locales, own)
  if (!Array.isArray(locales) || locales.length > 0) {
    yield* defaultProblems(defaultLocale, Array.isArray(locales) ? locales : [...builtInTags, ...own])
  }
  yield* cookieProblems(cookies)
}

const setTags = 'Use a language tag such as "de" or "pt-BR"'

function* localeProblems(locales: unknown, own: readonly string[]): Generator<Problem> {
  if (locales === undefined) return
  if (!Array.isArray(locales) || locales.length === 0) {
    yield invalid("i18n.locales", "The value isn't a list of languages", 'Set a list such as ["en", "de"], or omit it')
    return
  }
  for (const [index, tag] of locales.entries()) {
    if (typeof tag === "string" && (isBuiltIn(tag) || own.includes(tag))) continue
    const fix = `Use one of ${builtInTags.join(", ")}, or add its texts to \`i18n.messages\``
    yield invalid(`i18n.locales[${index}]`, "There are no texts in this language", fix)
  }
}

function* defaultProblems(defaultLocale: unknown, offered: readonly unknown[]): Generator<Problem> {
  if (offered.includes(defaultLocale ?? defaultLanguage)) return
  const fix = "Set it to one of the languages that users can get"
  yield invalid("i18n.defaultLocale", "The default language isn't offered", fix)
}

/** The name of a cookie is a token (RFC 6265 §4.1.1). */
const cookieName = /^[\w!#$%&'*+.^`|~-]+$/

function* cookieProblems(cookies: unknown): Generator<Problem> {
  if (cookies === undefined) return
  const fix = 'Set a list such as ["NEXT_LOCALE"], or an empty one'
  if (!Array.isArray(cookies)) yield invalid("i18n.cookies", "The value isn't a list of cookie names", fix)
  else if (!cookies.every((name) => typeof name === "string" && cookieName.test(name)))
    yield invalid("i18n.cookies", "The list has a value that isn't the name of a cookie", fix)
}

function* messageProblems(messages: unknown): Generator<Problem> {
  if (messages === undefined) return
  if (!isPlainObject(messages)) {
    yield invalid("i18n.messages", "The value isn't an object", "Set an object with texts by language tag")
    return
  }
  for (const [tag, texts] of Object.entries(messages)) {
    if (canonicalTag(tag) === undefined) yield invalid(`i18n.messages.${tag}`, "The name isn't a language tag", setTags)
    else yield* textProblems(`i18n.messages.${tag}`, texts)
  }
}

/** Whether a text has a place is only known when the language is loaded. */
function* textProblems(path: string, texts: unknown): Generator<Problem> {
  if (texts === undefined || typeof texts === "string") return
  if (!isPlainObject(texts)) yield invalid(path, "The value is neither a text nor an object with texts", "Set a text")
  else for (const [key, text] of Object.entries(texts)) yield* textProblems(`${path}.${key}`, text)
}
