import type { EmailConfig, EmailUserConfig, VerificationRequest } from "../model/email-provider.js"
import Nodemailer, { type NodemailerUserConfig } from "./nodemailer.js"

/**
 * The former name of the Nodemailer provider, with the id `email`.
 *
 * @deprecated Import `providers/nodemailer`. Stored accounts and links that were already sent contain the id, so pass
 * `id: "email"` to keep them working.
 * @throws AuthError when it sends a message without `server`
 * @see https://nodemailer.com/smtp/
 */
export default function Email<const Id extends string = "email">(
  config: NodemailerUserConfig & { readonly id?: Id | undefined } = {},
): EmailConfig & { readonly id: Id } {
  // An id in the options replaces it.
  return { ...Nodemailer(config), id: "email" as Id, name: "Email" }
}

export type { EmailConfig, EmailUserConfig }
export type { EmailProviderId } from "../provider-kit/generated/built-in-id.js"
export type EmailProviderType = "email"
export type EmailProviderSendVerificationRequestParams = VerificationRequest
