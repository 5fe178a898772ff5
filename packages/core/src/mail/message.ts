import type { VerificationRequest } from "../model/provider.js"
import { closingOf, contentOf, type MailContent, type MailText, type MessageOptions } from "./content.js"
import { htmlOf } from "./template.js"
import { fill } from "./texts.js"

/** The message for a request, as the options of its provider want it. */
export async function messageFor(request: VerificationRequest, options: MessageOptions): Promise<MailText> {
  const content = contentOf(request, options)
  const usual = usualMessage(content)
  const { subject, text, html } = (await options.message?.(content, usual)) ?? usual
  return { subject: oneLine(subject), text, html }
}

/** The built-in message (spec/pages.md): it names the site and never the address it goes to. */
export function usualMessage(content: MailContent): MailText {
  const { host, language } = content
  return { subject: oneLine(fill(language.texts.subject, { host })), text: textOf(content), html: htmlOf(content) }
}

/** A line break would begin another header (RFC 5322 §2.2). */
function oneLine(text: string): string {
  return text.replace(/[\p{Cc}\u2028\u2029]+/gu, " ").trim()
}

/** The link comes first, on a line of its own, so that people and programs find it. */
function textOf(content: MailContent): string {
  const { url, host, code, language } = content
  const { texts } = language
  const heading = oneLine(fill(texts.heading, { host }))
  // Of a link alone about which nothing is known, nothing is said.
  const closing = content.linkLasts === undefined ? [] : closingOf(content)
  const paragraphs = [...(code === undefined ? [] : [`${texts.code}\n${code}`]), ...closing]
  return `${heading}\n${url}\n\n${paragraphs.map((paragraph) => `${paragraph}\n\n`).join("")}`
}
