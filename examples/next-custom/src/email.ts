import type { EmailConfig } from "@latchkey/next/providers"
import Nodemailer from "@latchkey/next/providers/nodemailer"

const from = process.env.EMAIL_FROM ?? "Harbor <noreply@harbor.example>"

/** Without a mail server, messages are stored in the database and shown at /outbox. */
export const hasMailServer = Boolean(process.env.EMAIL_SERVER)

export const email: EmailConfig = hasMailServer
  ? Nodemailer({ id: "email", name: "Email", server: process.env.EMAIL_SERVER, from })
  : {
      id: "email",
      name: "Email",
      type: "email",
      from,
      async sendVerificationRequest({ identifier, url }) {
        const { store } = await import("@/store")
        store().saveMessage(identifier, url)
      },
    }
