import { duration, fill } from "../i18n/fill.js"
import type { Language } from "../i18n/language.js"
import type { MailText, MessageOptions } from "../model/email-message.js"
import type { AccountEmail, VerificationRequest } from "../model/email-provider.js"
import type { Letter } from "./letter.js"
import { messageFor, rendered } from "./message.js"
import { languageOfMessage } from "./texts.js"

/** The email about a change of the user's email. */
export async function accountMessage(message: AccountEmail): Promise<MailText> {
  const language = await languageOfMessage(message)
  const { letter } = message
  if (letter !== undefined) return rendered(fromModule(message, language, letter))
  return rendered(message.kind === "confirm" ? confirmation(message, language) : notice(message, language))
}

function fromModule(
  { url, theme }: AccountEmail,
  { tag, direction }: Language,
  { subject, heading, text, link, code, closing = [] }: NonNullable<AccountEmail["letter"]>,
): Letter {
  const button = link && { url: link.url, button: link.text, fallback: link.fallback }
  return {
    tag,
    direction,
    theme,
    host: new URL(url).host,
    subject,
    heading,
    preview: text,
    text,
    link: button,
    code,
    closing,
  }
}

/** To the new email. */
function confirmation({ url, email, expiresIn, theme }: AccountEmail, { tag, direction, messages }: Language): Letter {
  const { subject, heading, text, button, linkLasts, fallback, ignore, preview } = messages.mail.changeEmail
  const host = new URL(url).host
  const lasts = expiresIn === undefined ? [] : [fill(linkLasts, { time: duration(expiresIn, tag) })]
  return {
    tag,
    direction,
    theme,
    host,
    subject: fill(subject, { host }),
    heading,
    preview,
    text: fill(text, { email }),
    link: { url, button, fallback },
    closing: [...lasts, ignore],
  }
}

/** To the former email, whose owner may not be who changed it. It has no link: the user goes to the site as usual. */
function notice({ url, email, theme }: AccountEmail, { tag, direction, messages }: Language): Letter {
  const { subject, heading, text, warning, preview } = messages.mail.emailChanged
  const host = new URL(url).host
  return {
    tag,
    direction,
    theme,
    host,
    subject: fill(subject, { host }),
    heading,
    preview,
    text: fill(text, { email }),
    closing: [fill(warning, { host })],
  }
}

/** Creates the built-in email for a message. */
export async function compose(
  message: VerificationRequest | AccountEmail,
  options: MessageOptions = {},
): Promise<MailText> {
  return "kind" in message ? accountMessage(message) : messageFor(message, options)
}
