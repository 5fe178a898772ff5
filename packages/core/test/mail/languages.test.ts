import { memoryAdapter } from "@latchkey/adapter-kit/memory"
import nodemailer, { type MailMessage, type MessageOptions } from "@latchkey/core/providers/nodemailer"
import type { I18nOptions, VerificationRequest } from "@latchkey/core/types"
import { visit } from "@latchkey/testing"
import { describe, expect, test } from "vitest"
import { mailbox } from "../flows/signin/setup.js"

const tags = "ar cs da de en es fi fr he hi id it ja ko nb nl pl pt ru sv tr uk zh-CN zh-TW".split(" ")

interface Asking extends MessageOptions {
  readonly accept?: string
  readonly locales?: string
  readonly i18n?: I18nOptions
}

/** The email that a visitor gets from the form of the sign-in page. */
async function mailed({ accept, locales, i18n, ...options }: Asking): Promise<MailMessage> {
  const sent: MailMessage[] = []
  const server = { sendMail: async (message: MailMessage) => sent.push(message) }
  const config = { providers: [nodemailer({ server, ...options })], adapter: memoryAdapter(), ...(i18n && { i18n }) }
  const browser = await visit(config, { headers: accept === undefined ? {} : { "accept-language": accept } })
  await browser.get(`/auth/signin${locales === undefined ? "" : `?ui_locales=${locales}`}`)
  await browser.submitForm("signin/nodemailer", { email: "ada@example.test" })
  const [message] = sent
  if (message === undefined) throw new Error(`No email was sent: ${browser.location}`)
  return message
}

test.each(tags)("an email in %s has its texts, the link, the code, and no placeholder", async (tag) => {
  const { subject, text, html } = await mailed({ accept: tag })
  expect(html).toMatch(new RegExp(`<html lang="${tag}" dir="${tag === "ar" || tag === "he" ? "rtl" : "ltr"}">`))
  expect(subject).toContain("app.test")
  expect(subject === "Sign in to app.test").toBe(tag === "en")
  expect(text).toMatch(/^.+\nhttps:\/\/app\.test\/auth\/callback\/nodemailer\?\S+\n/)
  expect(text).toMatch(/^\d{6}$/m)
  for (const part of [subject, text, html.replace(/<style[\s\S]*?<\/style>/, "")]) expect(part).not.toMatch(/\{\w+\}/)
})

test("an email is in the language of the page on which it was requested", async () => {
  expect((await mailed({ locales: "fr", accept: "de" })).subject).toBe("Se connecter à app.test")
})

test("texts of the application replace those of emails", async () => {
  const i18n = { messages: { de: { mail: { signIn: { subject: "Los, {host}" } } } } }
  const { subject, html } = await mailed({ accept: "de", i18n })
  expect(subject).toBe("Los, app.test")
  expect(html).toContain(">Anmelden</a>")
})

describe("the provider's own texts", () => {
  const texts = { de: { subject: "Eigener Betreff" }, sw: { subject: "Ingia" } }

  test("win, and are completed from their language", async () => {
    const { subject, html } = await mailed({ texts, accept: "de-AT" })
    expect(subject).toBe("Eigener Betreff")
    expect(html).toContain(">Anmelden</a>")
  })

  test("add a language", async () => {
    const { subject, html } = await mailed({ texts, accept: "sw" })
    expect(subject).toBe("Ingia")
    expect(html).toMatch(/<html lang="sw" dir="ltr">/)
    expect(html).toContain(">Sign in</a>")
  })

  test("aren't used for a user who prefers another language", async () => {
    expect((await mailed({ texts, accept: "fr, de;q=0.5" })).subject).toBe("Se connecter à app.test")
  })
})

test("a sender of the application gets the language of the user", async () => {
  const mail = mailbox()
  const browser = await visit(
    { providers: [mail.provider], adapter: memoryAdapter() },
    { headers: { "accept-language": "he, de;q=0.5" } },
  )
  await browser.signIn("email", { email: "ada@example.test" })
  expect(mail.sent[0]).toMatchObject({ language: { tag: "he", direction: "rtl" }, languages: ["he", "de"] })
})

test("a sender that is called without a language reads it from the request", async () => {
  const mail = mailbox()
  const browser = await visit({ providers: [mail.provider], adapter: memoryAdapter() })
  await browser.signIn("email", { email: "ada@example.test" })
  const [message] = mail.sent
  if (message === undefined) throw new Error("No email was sent")
  const sent: MailMessage[] = []
  const own = nodemailer({ server: { sendMail: async (mailed: MailMessage) => sent.push(mailed) } })
  const { language: _, languages: __, ...rest } = message
  const request = new Request("https://app.test/auth/signin/email", { headers: { "accept-language": "sv" } })
  const provider = { ...message.provider, server: own.server }
  await own.sendVerificationRequest({ ...rest, provider, request } satisfies VerificationRequest)
  expect(sent[0]?.subject).toBe("Logga in på app.test")
})
