import { memoryAdapter } from "@latchkey/adapter-kit/memory"
import { customFetch } from "@latchkey/core"
import httpEmail from "@latchkey/core/providers/http-email"
import loops from "@latchkey/core/providers/loops"
import nodemailer from "@latchkey/core/providers/nodemailer"
import type { EmailConfig } from "@latchkey/core/types"
import { openInbox } from "@latchkey/testing"
import { expect, onTestFinished, test } from "vitest"
import { linkIn, site } from "./setup.js"

const from = "Acme <hello@acme.test>"

/** A user changes the email at a site that sends through this provider, and opens the link that `findLink` returns. */
async function change(provider: EmailConfig, findLink: () => Promise<string> | string): Promise<void> {
  const { account, browser, first } = await site(memoryAdapter(), { sender: provider })
  await browser.signInWith(first, { as: "ada" })
  await account().changeEmail("ada@new.test")
  await account().confirmEmail(linkIn([{ url: await findLink() }]))
  expect((await account().overview()).user.email).toBe("ada@new.test")
}

test("nodemailer sends a link to the new email, and a notice without a link to the former one", async () => {
  const inbox = await openInbox()
  onTestFinished(() => inbox.close())
  await change(nodemailer({ server: inbox.url, from }), async () => (await inbox.waitFor()).link ?? "")
  const notice = await inbox.waitFor(({ to }) => to.includes("ada@example.test"))
  expect(inbox.messages[0]).toMatchObject({
    to: ["ada@new.test"],
    subject: "Confirm your new email for app.test",
    text: expect.stringContaining("The link works once and expires in 60 minutes."),
    html: expect.stringContaining("Confirm email"),
  })
  expect(notice.subject).toBe("Your email for app.test was changed")
  expect(notice.text).toContain("The email of your account is now a***@new.test.")
  expect([notice.link, notice.html.includes("href")]).toEqual([undefined, false])
})

test("a sender over HTTP does the same", async () => {
  const sent: { to: string; subject: string; text: string }[] = []
  const fetch = async (_: unknown, init?: RequestInit) => {
    sent.push(JSON.parse(String(init?.body)))
    return new Response()
  }
  const provider = httpEmail({ endpoint: "https://mail.test/send", from, [customFetch]: fetch })
  await change(provider, () => /https:\S+/.exec(sent[0]?.text ?? "")?.[0] ?? "")
  expect(sent.map(({ to, subject }) => [to, subject])).toEqual([
    ["ada@new.test", "Confirm your new email for app.test"],
    ["ada@example.test", "Your email for app.test was changed"],
  ])
})

test("a sender with a template of its own sends only the link", async () => {
  const sent: { email: string; dataVariables: { url: string } }[] = []
  const fetch = async (_: unknown, init?: RequestInit) => {
    sent.push(JSON.parse(String(init?.body)))
    return new Response()
  }
  const provider = loops({ apiKey: "key-0123456789abcdef", transactionalId: "t1", [customFetch]: fetch })
  await change(provider, () => sent[0]?.dataVariables.url ?? "")
  expect(sent.map(({ email }) => email)).toEqual(["ada@new.test"])
})
