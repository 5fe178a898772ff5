import Nodemailer from "@latchkey/sveltekit/providers/nodemailer"
import Resend from "@latchkey/sveltekit/providers/resend"
import { dev } from "$app/env"
import { EMAIL_FROM, MAILBOX } from "$app/env/private"
import { saveMail } from "./database"

const from = EMAIL_FROM ?? "Harbor <noreply@harbor.example>"

/** In development, emails go to the page /mailbox. Anyone can read it, so production needs a mail service. */
export const hasMailbox: boolean = dev || MAILBOX === "on"

export const email = hasMailbox
  ? Nodemailer({
      name: "Email",
      from,
      server: { sendMail: async ({ to, subject, text }) => saveMail({ to: to.address, subject, text }) },
    })
  : Resend({ name: "Email", from })
