import { duration } from "../i18n/duration.js"
import { fill } from "../i18n/fill.js"
import type { MailContent, MessageOptions } from "../model/email-message.js"
import type { VerificationRequest } from "../model/email-provider.js"
import { maxCodeAge } from "./code.js"
import { mailLanguageFor } from "./texts.js"

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
  return [expiryText(content), code === undefined ? ignore : `${ignore} ${keepCode}`]
}

function expiryText({ linkLasts, codeLasts, language: { tag, texts } }: MailContent): string {
  const sentence = (text: string, seconds: number) => fill(text, { time: duration(seconds, tag) })
  const link = sentence(texts.linkLasts, linkLasts)
  return codeLasts === undefined ? link : `${link} ${sentence(texts.codeLasts, codeLasts)}`
}
