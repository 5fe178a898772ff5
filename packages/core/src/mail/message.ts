import { fill } from "../i18n/fill.js"
import type { VerificationRequest } from "../model/email-provider.js"
import { closingOf, contentOf, type MailContent, type MailText, type MessageOptions } from "./content.js"
import { htmlOf } from "./template.js"

/** Creates the email for a request, with the options of the provider. */
export async function messageFor(request: VerificationRequest, options: MessageOptions): Promise<MailText> {
  const content = contentOf(request, options)
  const usual = usualMessage(content)
  const { subject, text, html } = (await options.message?.(content, usual)) ?? usual
  return { subject: oneLine(subject), text, html }
}

/** The built-in email. It names the site but not the recipient. */
export function usualMessage(content: MailContent): MailText {
  const { host, language } = content
  return { subject: oneLine(fill(language.texts.subject, { host })), text: textOf(content), html: htmlOf(content) }
}

/** A line break would start another header (RFC 5322 §2.2). */
function oneLine(text: string): string {
  return text.replace(/[\p{Cc}\u2028\u2029]+/gu, " ").trim()
}

/** The link comes first and on its own line, so that email clients detect it. */
function textOf(content: MailContent): string {
  const { url, host, code, language } = content
  const { texts } = language
  const heading = oneLine(fill(texts.heading, { host }))
  const closing = content.linkLasts === undefined ? [] : closingOf(content)
  const paragraphs = [...(code === undefined ? [] : [`${texts.code}\n${code}`]), ...closing]
  return `${heading}\n${url}\n\n${paragraphs.map((paragraph) => `${paragraph}\n\n`).join("")}`
}
