import type { MailText, MessageOptions } from "../../model/email-message.js"
import type { EmailProvider, VerificationRequest } from "../../model/email-provider.js"
import { escapeHtml } from "../../primitives/escape-html.js"

/** The email of a request. Its texts and layout come with the request, because this file is part of middleware. */
export async function messageFor(request: VerificationRequest, options: MessageOptions): Promise<MailText> {
  const provider: Partial<EmailProvider> = request.provider
  return (provider.compose ?? plainMessage)(request, options)
}

/** For an application that calls the sender with a provider object of its own, as Auth.js v5 lets it. */
async function plainMessage({ url }: Pick<VerificationRequest, "url">): Promise<MailText> {
  const subject = `Sign in to ${new URL(url).host}`
  return { subject, text: `${subject}\n${url}\n\n`, html: `<p><a href="${escapeHtml(url)}">${subject}</a></p>` }
}
