import type { EmailConfig, VerificationRequest } from "@latchkey/core/types"
import { count } from "./costs.js"
import type { Secrets } from "./secrets.js"

export interface Message {
  readonly to: string
  readonly link: string
  readonly code: string | undefined
  /** Milliseconds. */
  readonly at: number
}

/** The mailboxes of all users. Only their owners read them. */
export interface Mail {
  readonly provider: EmailConfig
  readonly sent: Message[]
  /** The next message isn't sent, and the error quotes its link. */
  isDown: boolean
  hasFailed: boolean
}

export function createMail(secrets: Secrets, now: () => number): Mail {
  const sent: Message[] = []
  const mail: Mail = {
    sent,
    isDown: false,
    hasFailed: false,
    provider: {
      id: "mail",
      name: "Mail",
      type: "email",
      sendVerificationRequest({ identifier, url, code, token }: VerificationRequest) {
        count("messages")
        secrets.know("token of a link", token)
        if (mail.isDown) {
          mail.isDown = false
          mail.hasFailed = true
          throw new Error(`The server refused the message: Sign in at ${url}`)
        }
        sent.push({ to: identifier, link: url, code, at: now() })
      },
    },
  }
  return mail
}
