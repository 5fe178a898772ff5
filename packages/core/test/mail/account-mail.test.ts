import { memoryAdapter } from "@latchkey/adapter-kit/memory"
import loops from "@latchkey/core/providers/loops"
import nodemailer, { type MailMessage } from "@latchkey/core/providers/nodemailer"
import { visit } from "@latchkey/testing"
import { expect, test } from "vitest"
import { emailOf } from "../flows/signin/setup.js"

const former = "ada@users.test"
const email = "lovelace@users.test"

test("a change of email is confirmed at the new one and told to the former one, in the language of the user", async () => {
  const sent: MailMessage[] = []
  const mail = nodemailer({ server: { sendMail: async (message: MailMessage) => sent.push(message) } })
  const config = { providers: [mail], adapter: memoryAdapter() }
  const browser = await visit(config, { headers: { "accept-language": "de" } })
  const linkOf = (at: number) => sent[at]?.text.split("\n")[1] ?? ""
  await browser.signIn("nodemailer", { email: former })
  await browser.get(linkOf(0))
  await browser.post("/auth/account", { csrfToken: (await browser.csrf()) ?? "", action: "change-email", email })
  expect(sent[1]).toMatchObject({
    to: { address: email },
    subject: "Bestätigen Sie Ihre neue E-Mail-Adresse für app.test",
  })
  const { searchParams } = new URL(linkOf(1))
  await browser.post("/auth/account", { csrfToken: (await browser.csrf()) ?? "", ...Object.fromEntries(searchParams) })
  expect(await emailOf(browser)).toBe(email)
  expect(sent[2]).toMatchObject({ to: { address: former }, subject: "Ihre E-Mail-Adresse für app.test wurde geändert" })
  expect(sent[2]?.text).toContain("l***@users.test")
  expect(sent[2]?.text).not.toContain(email)
  expect(sent).toHaveLength(3)
})

test("Loops sends no email about a change of email, because its template is for a sign-in link", () => {
  expect(loops({ transactionalId: "x" }).sendAccountEmail).toBeUndefined()
})
