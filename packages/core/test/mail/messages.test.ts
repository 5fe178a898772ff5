import nodemailer, { type MailMessage, type MessageOptions } from "@latchkey/core/providers/nodemailer"
import type { EmailUserConfig, Theme } from "@latchkey/core/types"
import { visit } from "@latchkey/testing"
import { memoryAdapter } from "@latchkey/adapter-kit/memory"
import { describe, expect, test } from "vitest"
import { errorAt } from "../flows/signin/setup.js"

interface Asked extends MessageOptions, Omit<EmailUserConfig, "server"> {
  readonly theme?: Theme
  readonly language?: string
  readonly origin?: string
}

/** The email that a user receives after requesting it in the browser. */
async function mailed({ theme, language, origin = "https://app.test", ...options }: Asked = {}): Promise<MailMessage> {
  const sent: MailMessage[] = []
  const server = { sendMail: async (message: MailMessage) => sent.push(message) }
  const config = { providers: [nodemailer({ server, ...options })], adapter: memoryAdapter(), ...(theme && { theme }) }
  const browser = await visit(config, {
    origin,
    headers: language === undefined ? {} : { "accept-language": language },
  })
  await browser.signIn("nodemailer", { email: "ada@example.test" })
  const [message] = sent
  if (message === undefined) throw new Error(`No email was sent: ${errorAt(browser)}`)
  return message
}

const codeIn = (text: string) => /^\d{6}$/m.exec(text)?.[0]

describe("the built-in message", () => {
  test("has the link first, then the code, when both expire, and what to do with an unexpected email", async () => {
    const { subject, text } = await mailed()
    expect(subject).toBe("Sign in to app.test")
    const lines = text.trimEnd().split("\n")
    expect(lines.slice(0, 6)).toEqual([
      "Sign in to app.test",
      expect.stringMatching(/^https:\/\/app\.test\/auth\/callback\/nodemailer\?callbackUrl=\S+$/),
      "",
      "Signing in on another device? Enter this code there:",
      expect.stringMatching(/^\d{6}$/),
      "",
    ])
    expect(text).toContain("The link works once and expires in 24 hours. The code expires in 10 minutes.")
    expect(text).toContain("If you didn't request this email")
  })

  test("has the name of the theme, without a second host that could be a link", async () => {
    const { subject, text, html } = await mailed({ theme: { name: "Acme Harbor\r\nBcc: eve@evil.test" } })
    expect(subject).toBe("Sign in to Acme Harbor Bcc: eve@evil.test")
    expect(text.split("\n")[0]).toBe("Sign in to Acme Harbor Bcc: eve@evil.test")
    expect(html).toContain("Acme Harbor")
  })

  test("doesn't mention a code if codes are off", async () => {
    const { text, html } = await mailed({ code: false })
    for (const part of [text, html]) expect(part).not.toMatch(/code|\b\d{6}\b/i)
  })

  test("gives a short-lived link and its code the same lifetime", async () => {
    const { text } = await mailed({ maxAge: 300 })
    expect(text).toContain("The link works once and expires in 5 minutes. The code expires in 5 minutes.")
  })

  test("a custom token that looks like a code is the code", async () => {
    const { text } = await mailed({ generateVerificationToken: () => "493817" })
    expect(codeIn(text)).toBe("493817")
    expect(text).toContain("The link works once and expires in 10 minutes.")
  })

  test("loads no resources and has one link", async () => {
    const { html, text } = await mailed({ theme: { logo: "https://cdn.acme.test/logo.png" } })
    expect(html.match(/href=/g)).toHaveLength(1)
    expect(html).not.toMatch(/<img|<script|<link|src=|url\(|@import|http-equiv|cdn\.acme/i)
    expect(html).toContain(`>${codeIn(text)}<`)
    const [first] = /https?:\/\/[^\s<>"']+/.exec(html.replaceAll("&amp;", "&")) ?? []
    expect(text.split("\n")[1]).toBe(first)
  })

  test("declares light and dark colors, unless the theme selects one", async () => {
    const auto = await mailed()
    expect(auto.html).toContain('<meta name="color-scheme" content="light dark">')
    expect(auto.html).toContain("@media (prefers-color-scheme:dark)")
    const dark = await mailed({ theme: { colorScheme: "dark" } })
    expect(dark.html).toContain('<meta name="color-scheme" content="dark">')
    expect(dark.html).toContain('bgcolor="#15191f"')
    const light = await mailed({ theme: { colorScheme: "light" } })
    for (const { html } of [dark, light]) expect(html).not.toContain("@media")
  })

  test("is small enough for Gmail, and its lines are short enough for SMTP", async () => {
    const { html } = await mailed()
    expect(html.length).toBeLessThan(20_000)
    for (const line of html.split("\n")) expect(line.length).toBeLessThan(998 * 2)
  })

  test("includes the port of the site", async () => {
    const { subject } = await mailed({ origin: "http://localhost:3000" })
    expect(subject).toBe("Sign in to localhost:3000")
  })
})

describe("in another language", () => {
  const texts = {
    de: {
      subject: "Anmelden bei {host}",
      heading: "Anmelden bei {host}",
      button: "Anmelden",
      code: "Code: hier eingeben",
      linkLasts: "Der Link gilt {time}.",
      codeLasts: "Der Code gilt {time}.",
    },
    ar: { heading: "تسجيل الدخول إلى {host}", subject: "{host} <script>\r\nBcc: eve@evil.test" },
  }

  test("texts and durations are in the language of the browser", async () => {
    const { subject, text, html } = await mailed({ texts, language: "de-AT,de;q=0.9,en;q=0.5" })
    expect(subject).toBe("Anmelden bei app.test")
    expect(text).toMatch(/^Anmelden bei app\.test\nhttps:\/\//)
    expect(text).toContain("Der Link gilt 24 Stunden. Der Code gilt 10 Minuten.")
    expect(html).toMatch(/<html lang="de" dir="ltr">/)
    expect(html).toContain(">Anmelden</a>")
  })

  test("a browser without a matching language gets English", async () => {
    expect((await mailed({ texts, language: "sw" })).subject).toBe("Sign in to app.test")
  })

  test("a right-to-left language keeps the host, the code and the URL left to right", async () => {
    const { html } = await mailed({ texts, language: "ar" })
    expect(html).toMatch(/<html lang="ar" dir="rtl">/)
    expect(html.match(/dir="ltr"/g)).toHaveLength(3)
  })

  test("a translation can't inject HTML or a header", async () => {
    const { subject, html } = await mailed({ texts, language: "ar" })
    expect(subject).toBe("app.test <script> Bcc: eve@evil.test")
    expect(html).not.toContain("<script")
  })
})

describe("a custom message", () => {
  test("receives the content and the built-in email", async () => {
    const seen: unknown[] = []
    const { subject, text, html } = await mailed({
      message: (content, usual) => {
        seen.push(content)
        return { ...usual, subject: `${content.code} is your code\r\nBcc: eve@evil.test`, html: "<p>own</p>" }
      },
    })
    expect(subject).toMatch(/^\d{6} is your code Bcc: eve@evil\.test$/)
    expect(html).toBe("<p>own</p>")
    expect(seen).toMatchObject([
      {
        url: text.split("\n")[1],
        host: "app.test",
        code: codeIn(text),
        identifier: "ada@example.test",
        linkLasts: 86_400,
        codeLasts: 600,
        language: { tag: "en", direction: "ltr" },
      },
    ])
  })
})

test.each(["a@acme.test, b@evil.test", "Acme <a@acme.test>\r\nBcc: eve@evil.test"])(
  "no email is sent from %j",
  async (from) => {
    await expect(mailed({ from })).rejects.toThrow("/auth/signin EmailSignin")
  },
)
