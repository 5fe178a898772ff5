import { duration, fill } from "../i18n/fill.js"
import type { Language } from "../i18n/language.js"
import type { MailText, MessageOptions } from "../model/email-message.js"
import type { AccountEmail, VerificationRequest } from "../model/email-provider.js"
import type { Letter } from "./letter.js"
import { messageFor, rendered } from "./message.js"
import { siteName } from "./site-name.js"
import { languageOfMessage } from "./texts.js"

/** The email about a change of the user's email. */
export async function accountMessage(message: AccountEmail): Promise<MailText> {
  const language = await languageOfMessage(message)
  const { letter } = message
  if (letter !== undefined) return rendered(fromModule(message, language, letter))
  return rendered(message.kind === "confirm" ? confirmation(message, language) : notice(message, language))
}

/** What all of them have. */
function envelope(
  { url, theme }: AccountEmail,
  { tag, direction }: Language,
): Pick<Letter, "tag" | "direction" | "theme" | "host"> {
  return { tag, direction, theme, host: siteName(theme, new URL(url).host) }
}

function fromModule(
  message: AccountEmail,
  language: Language,
  { subject, heading, text, link, code, closing = [] }: NonNullable<AccountEmail["letter"]>,
): Letter {
  const button = link && { url: link.url, button: link.text, fallback: link.fallback }
  return { ...envelope(message, language), subject, heading, preview: text, text, link: button, code, closing }
}

/** To the new email. */
function confirmation(message: AccountEmail, language: Language): Letter {
  const { url, email, expiresIn } = message
  const { tag, messages } = language
  const { subject, heading, text, button, linkLasts, fallback, ignore, preview } = messages.mail.changeEmail
  const head = envelope(message, language)
  const lasts = expiresIn === undefined ? [] : [fill(linkLasts, { time: duration(expiresIn, tag) })]
  return {
    ...head,
    subject: fill(subject, { host: head.host }),
    heading,
    preview,
    text: fill(text, { email }),
    link: { url, button, fallback },
    closing: [...lasts, ignore],
  }
}

/** To the former email, whose owner may not be who changed it. It has no link: the user goes to the site as usual. */
function notice(message: AccountEmail, language: Language): Letter {
  const { subject, heading, text, warning, preview } = language.messages.mail.emailChanged
  const head = envelope(message, language)
  return {
    ...head,
    subject: fill(subject, { host: head.host }),
    heading,
    preview,
    text: fill(text, { email: message.email }),
    closing: [fill(warning, { host: head.host })],
  }
}

/** Creates the built-in email for a message. */
export async function compose(
  message: VerificationRequest | AccountEmail,
  options: MessageOptions = {},
): Promise<MailText> {
  return "kind" in message ? accountMessage(message) : messageFor(message, options)
}
