import { describe, expect, test } from "vitest"
import { languageFor } from "../i18n/language.js"
import { builtInTags } from "../i18n/tags.js"
import type { AccountEmail, EmailProvider } from "../model/email-provider.js"
import { accountMessage, compose } from "./account-letter.js"

const provider: EmailProvider = {
  id: "mail",
  name: "Mail",
  type: "email",
  style: {},
  from: undefined,
  maxAge: 600,
  secret: undefined,
  apiKey: undefined,
  server: undefined,
  code: true,
  fetch,
  sendVerificationRequest: () => undefined,
  sendAccountEmail: undefined,
  compose,
  generateVerificationToken: undefined,
  normalizeIdentifier: undefined,
}
const url = "https://app.test/auth/account?action=confirm-email&token=secret"
const common = { provider, theme: {}, request: new Request("https://app.test/auth/account") }
const confirm: AccountEmail = {
  ...common,
  kind: "confirm",
  identifier: "new@users.test",
  email: "new@users.test",
  url,
  expiresIn: 3600,
}
const changed: AccountEmail = {
  ...common,
  kind: "changed",
  identifier: "old@users.test",
  email: "n***@users.test",
  url: "https://app.test",
}

describe("the email that confirms a new email", () => {
  test("has the link first, the new email, and how long the link works", async () => {
    const { subject, text, html } = await accountMessage(confirm)
    expect(subject).toBe("Confirm your new email for app.test")
    expect(text.split("\n").slice(0, 4)).toEqual([
      "Confirm your new email for app.test",
      url,
      "",
      "new@users.test becomes the email of your account when you confirm it.",
    ])
    expect(text).toContain("The link works once and expires in 60 minutes.")
    expect(html).toContain(">Confirm email</a>")
    expect(html.match(/href=/g)).toHaveLength(1)
  })
})

describe("the email to the former email", () => {
  test("has no link, says what the new one looks like, and what to do", async () => {
    const { subject, text, html } = await accountMessage(changed)
    expect(subject).toBe("Your email for app.test was changed")
    expect(text).toContain("The email of your account is now n***@users.test.")
    expect(text).toContain("If you didn't change it, contact the owner of app.test right away.")
    expect(`${text}${html}`).not.toMatch(/https?:|href=/)
  })
})

test.each(builtInTags)("both are in %s, without a placeholder", async (tag) => {
  const language = await languageFor({}, [tag])
  for (const message of [confirm, changed]) {
    const { subject, text, html } = await accountMessage({ ...message, language })
    expect(html).toContain(`<html lang="${tag}" dir="${language.direction}">`)
    expect(subject).toContain("app.test")
    const { changeEmail, emailChanged } = language.messages.mail
    expect(subject).toBe(
      (message.kind === "confirm" ? changeEmail : emailChanged).subject.replace("{host}", "app.test"),
    )
    expect(`${subject}${text}${html.replace(/<style[\s\S]*?<\/style>/, "")}`).not.toMatch(/\{\w+\}/)
  }
})

test("the language is that of the request if the sender is called without one", async () => {
  const request = new Request("https://app.test/auth/account?ui_locales=de")
  expect((await accountMessage({ ...changed, request })).subject).toBe(
    "Ihre E-Mail-Adresse für app.test wurde geändert",
  )
})
