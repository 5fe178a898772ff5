import type { Theme } from "../model/config.js"
import type { VerificationRequest } from "../model/provider.js"
import type { Awaitable } from "../model/user.js"
import { codeLife } from "./code.js"
import { duration, fill, languageFor, type MailLanguage, type MailLanguages } from "./texts.js"

/** What a message is made from. */
export interface MailContent {
  /** The link: it goes before anything else that looks like one. */
  readonly url: string
  /** The site, as its address has it. */
  readonly host: string
  /** For typing into the page that asked; `undefined`: there is none. */
  readonly code: string | undefined
  /** The address the message goes to. */
  readonly identifier: string
  /** Seconds that the link lasts; `undefined`: not known. */
  readonly linkLasts: number | undefined
  /** Seconds that the code lasts. */
  readonly codeLasts: number | undefined
  readonly theme: Theme
  readonly language: MailLanguage
}

/** A message as it is sent. */
export interface MailText {
  readonly subject: string
  readonly text: string
  readonly html: string
}

/** How the message of a provider may differ from the built-in one. */
export interface MessageOptions {
  /**
   * Makes the message.
   *
   * @param usual the built-in one, to be changed or not
   */
  readonly message?: ((content: MailContent, usual: MailText) => Awaitable<MailText>) | undefined
  /** Texts in further languages; which one is used, the browser of the person says. @default English */
  readonly texts?: MailLanguages | undefined
}

export function contentOf(request: VerificationRequest, { texts }: MessageOptions): MailContent {
  const { url, identifier, theme, code, token, provider } = request
  const codeLasts = Math.min(provider.maxAge, codeLife)
  return {
    url,
    host: new URL(url).host,
    code,
    identifier,
    // A token that is itself a code lasts no longer than a code.
    linkLasts: code === token ? codeLasts : provider.maxAge,
    codeLasts: code === undefined ? undefined : codeLasts,
    theme,
    language: languageFor(request.request.headers.get("accept-language"), texts),
  }
}

/** What else is to be said: how long link and code last, and what to do if they come unasked. */
export function closingOf(content: MailContent): readonly string[] {
  const { code, language } = content
  const { ignore, keepCode } = language.texts
  const ends = endsOf(content)
  return [...(ends === "" ? [] : [ends]), code === undefined ? ignore : `${ignore} ${keepCode}`]
}

/** How long link and code last, as far as it is known. */
function endsOf({ linkLasts, codeLasts, language: { tag, texts } }: MailContent): string {
  const sentence = (text: string, seconds: number | undefined) =>
    seconds === undefined ? [] : [fill(text, { time: duration(seconds, tag) })]
  return [...sentence(texts.linkLasts, linkLasts), ...sentence(texts.codeLasts, codeLasts)].join(" ")
}
