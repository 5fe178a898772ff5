import { memoryAdapter } from "@latchkey/adapter-kit"
import nodemailer, { type MailText } from "@latchkey/core/providers/nodemailer"
import { type Inbox, openInbox, type SmtpFault, visit } from "@latchkey/testing"
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest"
import { emailOf, errorAt, hasSession } from "./setup.js"

let inbox: Inbox
let fault: { recipient?: SmtpFault; message?: SmtpFault } = {}

beforeAll(async () => {
  inbox = await openInbox({ onRecipient: () => fault.recipient, onMessage: () => fault.message })
})
afterAll(() => inbox.close())
beforeEach(() => {
  fault = {}
})

async function site(from = "Acme <hello@acme.test>") {
  const store = memoryAdapter()
  const browser = await visit({ providers: [nodemailer({ server: inbox.url, from })], adapter: store })
  return { store, browser }
}

describe("through a mail server", () => {
  test("the message arrives, and its link signs in", async () => {
    const { browser } = await site()
    await browser.signIn("nodemailer", { email: "Ada@Example.test", callbackUrl: "/inbox" })
    const message = await inbox.waitFor(({ to }) => to.includes("ada@example.test"))
    expect(message.from).toBe("hello@acme.test")
    expect(message.to).toEqual(["ada@example.test"])
    expect(message.subject).toBe("Sign in to app.test")
    await browser.get(message.link ?? "")
    expect(browser.location).toBe("https://app.test/inbox")
    expect(await emailOf(browser)).toBe("ada@example.test")
  })

  test("its link signs in on another device after a click", async () => {
    const { browser } = await site()
    await browser.signIn("nodemailer", { email: "grace@example.test" })
    const { link = "" } = await inbox.waitFor(({ to }) => to.includes("grace@example.test"))
    const phone = browser.fresh()
    await phone.get(link)
    expect(hasSession(phone)).toBe(false)
    await phone.submitForm(0)
    expect(await emailOf(phone)).toBe("grace@example.test")
  })

  test("its code signs in the browser that asked", async () => {
    const { browser } = await site()
    await browser.signIn("nodemailer", { email: "kay@example.test", callbackUrl: "/inbox" })
    const { text, html } = await inbox.waitFor(({ to }) => to.includes("kay@example.test"))
    const code = /^\d{6}$/m.exec(text)?.[0] ?? "none"
    expect(html).toContain(`>${code}<`)
    await browser.submitForm("callback/nodemailer", { code })
    expect([browser.location, await emailOf(browser)]).toEqual(["https://app.test/inbox", "kay@example.test"])
  })

  test("MAIL-03: a custom message can't add headers or recipients", async () => {
    const message = (_: unknown, usual: MailText) => ({ ...usual, subject: "Hi\r\nBcc: eve@evil.test\r\n\r\nbody" })
    const provider = nodemailer({ server: inbox.url, from: '"Acme, Inc." <hello@acme.test>', message })
    const browser = await visit({ providers: [provider], adapter: memoryAdapter() })
    await browser.signIn("nodemailer", { email: "joan@example.test" })
    const arrived = await inbox.waitFor(({ to }) => to.includes("joan@example.test"))
    expect([arrived.to, arrived.headerTo, arrived.from]).toEqual([
      ["joan@example.test"],
      ["joan@example.test"],
      "hello@acme.test",
    ])
    expect(arrived.subject).toBe("Hi Bcc: eve@evil.test body")
    expect(arrived.headers.map(({ name }) => name.toLowerCase())).not.toContain("bcc")
  })

  test.each(["ada,eve@example.test", "ada@example.test,eve@evil.test", "ada@example.test\r\nRCPT TO:<eve@evil.test>"])(
    "nothing is sent for %j",
    async (email) => {
      const { browser } = await site()
      const before = inbox.messages.length
      await browser.signIn("nodemailer", { email })
      expect(errorAt(browser)).toBe("/auth/signin EmailSignin")
      expect(inbox.messages).toHaveLength(before)
    },
  )

  const refusals: [string, { recipient?: SmtpFault; message?: SmtpFault }][] = [
    ["refuses the recipient", { recipient: { code: 550, text: "No such user" } }],
    ["refuses the message for now", { message: { code: 451, text: "Try again later" } }],
    ["refuses the message for good", { message: { code: 554, text: "Spam" } }],
  ]
  test.each(refusals)(
    "MAIL-11: a server that %s leaves no token, and the next attempt works",
    async (_title, given) => {
      const { store, browser } = await site()
      fault = given
      await browser.signIn("nodemailer", { email: "linus@example.test" })
      expect(errorAt(browser)).toBe("/auth/signin EmailSignin")
      expect(store.rows().verificationTokens).toEqual([])
      fault = {}
      const before = inbox.messages.length
      await browser.signIn("nodemailer", { email: "linus@example.test" })
      await browser.get(inbox.messages[before]?.link ?? "")
      expect(await emailOf(browser)).toBe("linus@example.test")
    },
  )

  test("MAIL-11: a mail server that is down leaves no token", async () => {
    const gone = await openInbox()
    await gone.close()
    const store = memoryAdapter()
    const browser = await visit({ providers: [nodemailer({ server: gone.url })], adapter: store })
    await browser.signIn("nodemailer", { email: "ada@example.test" })
    expect(errorAt(browser)).toBe("/auth/signin EmailSignin")
    expect(store.rows().verificationTokens).toEqual([])
  })
})
