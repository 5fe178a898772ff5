import Nodemailer from "@latchkey/next/providers/nodemailer"
import Resend from "@latchkey/next/providers/resend"
import { saveMail } from "@/database"

const from = process.env.EMAIL_FROM ?? "Harbor <noreply@harbor.example>"

/** In development, emails go to the page /mailbox. Anyone can read it, so production needs a mail service. */
export const hasMailbox: boolean = process.env.NODE_ENV !== "production" || process.env.MAILBOX === "on"

export const email = hasMailbox
  ? Nodemailer({
      name: "Email",
      from,
      server: { sendMail: async ({ to, subject, text }) => saveMail({ to: to.address, subject, text }) },
    })
  : Resend({ name: "Email", from })
