import type { MailTexts } from "../i18n/mail-messages.js"
import type { Theme } from "./pages.js"
import type { Awaitable } from "./user.js"

export type { MailTexts }

/** Texts by language tag (BCP 47), such as `de` or `pt-BR`. Texts that you leave out are the built-in ones. */
export type MailLanguages = Readonly<Record<string, Partial<MailTexts>>>

/** The language of an email. */
export interface MailLanguage {
  /** BCP 47. */
  readonly tag: string
  readonly direction: "ltr" | "rtl"
  readonly texts: MailTexts
}

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
  /** Lifetime of the link in seconds. */
  readonly linkLasts: number
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
