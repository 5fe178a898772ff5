import type { EmailConfig, EmailUserConfig } from "../model/provider.js"
import nodemailer, { type NodemailerUserConfig } from "./nodemailer.js"

/**
 * The former name of the Nodemailer provider, with the id `email`.
 *
 * @deprecated import `providers/nodemailer`; stored accounts and links carry the id, so pass `id: "email"` to keep them
 * @throws AuthError without `server`
 */
export default function email(config: NodemailerUserConfig): EmailConfig {
  return { ...nodemailer(config), id: "email", name: "Email" }
}

export type { EmailConfig, EmailUserConfig }
