import type { EmailConfig } from "@latchkey/next/providers"
import Nodemailer from "@latchkey/next/providers/nodemailer"

const from = process.env.EMAIL_FROM ?? "Harbour <door@harbour.example>"

/** Without a mail server the links are kept in the database and shown at /outbox. */
export const hasMailServer = Boolean(process.env.EMAIL_SERVER)

export const mail: EmailConfig = hasMailServer
  ? Nodemailer({ id: "mail", name: "e-mail", server: process.env.EMAIL_SERVER, from })
  : {
      id: "mail",
      name: "e-mail",
      type: "email",
      from,
      async sendVerificationRequest({ identifier, url }) {
        const { store } = await import("@/store")
        store().keepMessage(identifier, url)
      },
    }
