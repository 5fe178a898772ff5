import { duration, fill } from "../i18n/fill.js"
import type { MailContent, MailText, MessageOptions } from "../model/email-message.js"
import type { VerificationRequest } from "../model/email-provider.js"
import type { Letter } from "./letter.js"
import { siteName } from "./site-name.js"
import { htmlOf } from "./template.js"
import { mailLanguageFor } from "./texts.js"

/** Creates the email for a request, with the options of the provider. */
export async function messageFor(request: VerificationRequest, options: MessageOptions): Promise<MailText> {
  const content = await contentOf(request, options)
  const usual = rendered(letterOf(content))
  const { subject, text, html } = (await options.message?.(content, usual)) ?? usual
  return { subject: oneLine(subject), text, html }
}

/** The built-in email. It names the site but not the recipient. */
function letterOf(content: MailContent): Letter {
  const { url, code, theme, language } = content
  const host = siteName(theme, content.host)
  const { tag, direction, texts } = language
  return {
    tag,
    direction,
    theme,
    host,
    subject: fill(texts.subject, { host }),
    heading: texts.heading,
    preview: code === undefined ? texts.preview : fill(texts.previewWithCode, { code }),
    link: { url, button: texts.button, fallback: texts.fallback },
    code: code === undefined ? undefined : { label: texts.code, code },
    closing: closingOf(content),
  }
}

/** The two bodies of an email. */
export function rendered(letter: Letter): MailText {
  return { subject: oneLine(letter.subject), text: textOf(letter), html: htmlOf(letter) }
}

/** A line break would start another header (RFC 5322 §2.2). */
function oneLine(text: string): string {
  return text.replace(/[\p{Cc}\u2028\u2029]+/gu, " ").trim()
}

/** The link comes first and on its own line, so that email clients detect it. */
function textOf({ host, heading, text, link, code, closing }: Letter): string {
  const title = [oneLine(fill(heading, { host })), ...(link === undefined ? [] : [link.url])].join("\n")
  const paragraphs = [
    ...(text === undefined ? [] : [text]),
    ...(code === undefined ? [] : [`${code.label}\n${code.code}`]),
    ...closing,
  ]
  return `${title}\n\n${paragraphs.map((paragraph) => `${paragraph}\n\n`).join("")}`
}

async function contentOf(request: VerificationRequest, { texts }: MessageOptions): Promise<MailContent> {
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
function closingOf(content: MailContent): readonly string[] {
  const { code, language } = content
  const { ignore, keepCode } = language.texts
  return [expiryText(content), code === undefined ? ignore : `${ignore} ${keepCode}`]
}

function expiryText({ linkLasts, codeLasts, language: { tag, texts } }: MailContent): string {
  const sentence = (text: string, seconds: number) => fill(text, { time: duration(seconds, tag) })
  const link = sentence(texts.linkLasts, linkLasts)
  return codeLasts === undefined ? link : `${link} ${sentence(texts.codeLasts, codeLasts)}`
}

/** Maximum lifetime of a code in seconds. It's short because a code is easier to guess than a link. */
export const maxCodeAge = 600
