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

/** The message that a person gets who asks in the browser. */
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
  if (message === undefined) throw new Error(`Nothing was sent: ${errorAt(browser)}`)
  return message
}

const codeIn = (text: string) => /^\d{6}$/m.exec(text)?.[0]

describe("the built-in message", () => {
  test("has the link first, then the code, how long both last, and a word to whoever did not ask", async () => {
    const { subject, text } = await mailed()
    expect(subject).toBe("Sign in to app.test")
    const lines = text.trimEnd().split("\n")
    expect(lines.slice(0, 6)).toEqual([
      "Sign in to app.test",
      expect.stringMatching(/^https:\/\/app\.test\/auth\/callback\/nodemailer\?callbackUrl=\S+$/),
      "",
      "Reading this on another device? Enter this code where you asked to sign in:",
      expect.stringMatching(/^\d{6}$/),
      "",
    ])
    expect(text).toContain("The link works once, for 24 hours. The code works for 10 minutes.")
    expect(text).toContain("You did not ask for this?")
  })

  test("says nothing of a code where there is none", async () => {
    const { text, html } = await mailed({ code: false })
    for (const part of [text, html]) expect(part).not.toMatch(/code|\b\d{6}\b/i)
  })

  test("says how long a short-lived link lasts, and no longer of its code", async () => {
    const { text } = await mailed({ maxAge: 300 })
    expect(text).toContain("The link works once, for 5 minutes. The code works for 5 minutes.")
  })

  test("a token of one's own that is a code is the code", async () => {
    const { text } = await mailed({ generateVerificationToken: () => "493817" })
    expect(codeIn(text)).toBe("493817")
    expect(text).toContain("The link works once, for 10 minutes.")
  })

  test("loads nothing, tracks nobody, and has one link", async () => {
    const { html, text } = await mailed({ theme: { logo: "https://cdn.acme.test/logo.png" } })
    expect(html.match(/href=/g)).toHaveLength(1)
    expect(html).not.toMatch(/<img|<script|<link|src=|url\(|@import|http-equiv|cdn\.acme/i)
    expect(html).toContain(`>${codeIn(text)}<`)
    const [first] = /https?:\/\/[^\s<>"']+/.exec(html.replaceAll("&amp;", "&")) ?? []
    expect(text.split("\n")[1]).toBe(first)
  })

  test("tells mail programs of its dark colours, unless the theme has decided", async () => {
    const auto = await mailed()
    expect(auto.html).toContain('<meta name="color-scheme" content="light dark">')
    expect(auto.html).toContain("@media (prefers-color-scheme:dark)")
    const dark = await mailed({ theme: { colorScheme: "dark" } })
    expect(dark.html).toContain('<meta name="color-scheme" content="dark">')
    expect(dark.html).toContain('bgcolor="#15191f"')
    const light = await mailed({ theme: { colorScheme: "light" } })
    for (const { html } of [dark, light]) expect(html).not.toContain("@media")
  })

  test("is not clipped by Gmail, nor broken by the longest line of SMTP when it is encoded as it stands", async () => {
    const { html } = await mailed()
    expect(html.length).toBeLessThan(20_000)
    for (const line of html.split("\n")) expect(line.length).toBeLessThan(998 * 2)
  })

  test("names the port of a site that has one", async () => {
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

  test("the texts are those of the browser's language, with lengths of time in it", async () => {
    const { subject, text, html } = await mailed({ texts, language: "de-AT,de;q=0.9,en;q=0.5" })
    expect(subject).toBe("Anmelden bei app.test")
    expect(text).toMatch(/^Anmelden bei app\.test\nhttps:\/\//)
    expect(text).toContain("Der Link gilt 24 Stunden. Der Code gilt 10 Minuten.")
    expect(html).toMatch(/<html lang="de" dir="ltr">/)
    expect(html).toContain(">Anmelden</a>")
  })

  test("those who ask for none of them read English", async () => {
    expect((await mailed({ texts, language: "fr" })).subject).toBe("Sign in to app.test")
  })

  test("a language that runs from the right does, and host, code and address do not", async () => {
    const { html } = await mailed({ texts, language: "ar" })
    expect(html).toMatch(/<html lang="ar" dir="rtl">/)
    expect(html.match(/dir="ltr"/g)).toHaveLength(3)
  })

  test("a translation cannot become markup or a header", async () => {
    const { subject, html } = await mailed({ texts, language: "ar" })
    expect(subject).toBe("app.test <script> Bcc: eve@evil.test")
    expect(html).not.toContain("<script")
  })
})

describe("a message of one's own", () => {
  test("gets everything it needs, and the built-in one to start from", async () => {
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
  "nothing goes out from %j",
  async (from) => {
    await expect(mailed({ from })).rejects.toThrow("/auth/signin EmailSignin")
  },
)
