import { builtIn } from "../i18n/built-in.js"
import { type Language, languageFor } from "../i18n/language.js"
import type { MailTexts } from "../i18n/mail-messages.js"
import { acceptedTags, bestTag, canonicalTag, directionOf, listedTags } from "../i18n/negotiate.js"
import { builtInTags } from "../i18n/tags.js"
import type { MailLanguage, MailLanguages } from "../model/email-message.js"

/** The part of a message's parameters that says in which language it is. */
export interface Addressed {
  readonly language?: Language | undefined
  readonly languages?: readonly string[] | undefined
  readonly request: Request
}

/** The language of a sign-in email. Among equally good ones, a language of the provider's own `texts` wins. */
export async function mailLanguageFor(message: Addressed, own: MailLanguages = {}): Promise<MailLanguage> {
  const language = await languageOfMessage(message)
  const { tag, direction, messages } = language
  const chosen = chosenTag(message.languages ?? wantedBy(message.request), Object.keys(own), tag)
  const texts = Object.hasOwn(own, chosen) ? own[chosen] : undefined
  if (texts === undefined) return { tag, direction, texts: messages.mail.signIn }
  const base = bestTag([chosen], [tag], "") === undefined ? await builtIn(nearest(chosen)) : messages
  return {
    tag: canonicalTag(chosen) ?? tag,
    direction: directionOf(chosen),
    texts: { ...base.mail.signIn, ...given(texts) },
  }
}

function chosenTag(wanted: readonly string[], own: readonly string[], tag: string): string {
  for (const each of wanted) {
    const found = bestTag([each], own, tag) ?? bestTag([each], [tag], tag)
    if (found !== undefined) return found
  }
  return tag
}

/** An application can call a sender itself, without the language of the user. */
export async function languageOfMessage({ language, languages, request }: Addressed): Promise<Language> {
  return language ?? languageFor({}, languages ?? wantedBy(request))
}

function wantedBy({ url, headers }: Request): readonly string[] {
  const locales = new URL(url).searchParams.get("ui_locales") ?? ""
  return [...listedTags(locales), ...acceptedTags(headers.get("accept-language") ?? "")]
}

function nearest(tag: string): string {
  return bestTag([tag], builtInTags, tag) ?? tag
}

function given(texts: Partial<MailTexts>): Partial<MailTexts> {
  return Object.fromEntries(Object.entries(texts).filter(([, text]) => typeof text === "string"))
}
