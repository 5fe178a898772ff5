import { duration } from "../i18n/duration.js"
import { fill } from "../i18n/fill.js"
import type { VerificationRequest } from "../model/email-provider.js"
import type { Theme } from "../model/pages.js"
import type { Awaitable } from "../model/user.js"
import { maxCodeAge } from "./code.js"
import { mailLanguageFor, type MailLanguage, type MailLanguages } from "./texts.js"

/** The data for a sign-in email. */
export interface MailContent {
  /** The sign-in link. Make it the first URL in the message, where email clients and tests look for it. */
  readonly url: string
  /** Host of the site, with its port if the URL has one. */
  readonly host: string
  /** Code that the user can enter instead of opening the link; `undefined` if codes are off. */
  readonly code: string | undefined
  /** Email of the recipient. */
  readonly identifier: string
  /** Lifetime of the link in seconds; `undefined` if it isn't known. */
  readonly linkLasts: number | undefined
  /** Lifetime of the code in seconds; `undefined` without a code. */
  readonly codeLasts: number | undefined
  readonly theme: Theme
  readonly language: MailLanguage
}

/** The subject and the two bodies of an email. */
export interface MailText {
  readonly subject: string
  readonly text: string
  readonly html: string
}

/** Options that change the email of a provider. */
export interface MessageOptions {
  /**
   * Creates the email.
   *
   * @param usual the built-in email, which you can change or return as it is
   */
  readonly message?: ((content: MailContent, usual: MailText) => Awaitable<MailText>) | undefined
  /** Texts of your own by language tag, which replace the built-in ones. The request selects the language. */
  readonly texts?: MailLanguages | undefined
}

export async function contentOf(request: VerificationRequest, { texts }: MessageOptions): Promise<MailContent> {
  const { url, identifier, theme, code, token, provider } = request
  const codeLasts = Math.min(provider.maxAge, maxCodeAge)
  return {
    url,
    host: new URL(url).host,
    code,
    identifier,
    // If the token is the code, the link expires together with it.
    linkLasts: code === token ? codeLasts : provider.maxAge,
    codeLasts: code === undefined ? undefined : codeLasts,
    theme,
    language: await mailLanguageFor(request, texts),
  }
}

/** The closing paragraphs: when link and code expire, and what to do with an unexpected email. */
export function closingOf(content: MailContent): readonly string[] {
  const { code, language } = content
  const { ignore, keepCode } = language.texts
  const expiry = expiryText(content)
  return [...(expiry === "" ? [] : [expiry]), code === undefined ? ignore : `${ignore} ${keepCode}`]
}

function expiryText({ linkLasts, codeLasts, language: { tag, texts } }: MailContent): string {
  const sentence = (text: string, seconds: number | undefined) =>
    seconds === undefined ? [] : [fill(text, { time: duration(seconds, tag) })]
  return [...sentence(texts.linkLasts, linkLasts), ...sentence(texts.codeLasts, codeLasts)].join(" ")
}
