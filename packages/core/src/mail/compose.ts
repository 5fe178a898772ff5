import type { MailText, MessageOptions } from "../model/email-message.js"
import type { AccountEmail, VerificationRequest } from "../model/email-provider.js"
import { accountMessage } from "./account-letter.js"
import { messageFor } from "./message.js"

/** Creates the built-in email for a message. */
export async function compose(
  message: VerificationRequest | AccountEmail,
  options: MessageOptions = {},
): Promise<MailText> {
  return "kind" in message ? accountMessage(message) : messageFor(message, options)
}
