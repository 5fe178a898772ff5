import { memoryAdapter } from "@latchkey/adapter-kit/memory"
import nodemailer, { type MailMessage } from "@latchkey/core/providers/nodemailer"
import resend from "@latchkey/core/providers/resend"
import type { EmailConfig, VerificationRequest } from "@latchkey/core/types"
import { visit } from "@latchkey/testing"
import { describe, expect, test, vi } from "vitest"

const from = "Acme <hello@acme.test>"

/** What a sender gets if an application wraps it, and the emails that it sends. */
function outbox(wrap: (params: VerificationRequest, send: EmailConfig["sendVerificationRequest"]) => unknown) {
  const sent: MailMessage[] = []
  const server = { sendMail: async (message: MailMessage) => sent.push(message) }
  const { sendVerificationRequest: send } = nodemailer({ server })
  const provider = nodemailer({
    server,
    from,
    sendVerificationRequest: async (params) => void (await wrap(params, send)),
  })
  const signIn = async () => {
    const headers = { "accept-language": "de" }
    const browser = await visit({ providers: [provider], adapter: memoryAdapter() }, { headers })
    await browser.signIn("nodemailer", { email: "ada@example.test" })
  }
  return { sent, signIn }
}

describe("a sender that an application wraps", () => {
  test("sends the email in the language of the user, with what the application changed", async () => {
    const url = "https://go.acme.test/1"
    const { sent, signIn } = outbox(async (params, send) => send({ ...params, url }))
    await signIn()
    expect(sent).toEqual([expect.objectContaining({ from, subject: "Bei go.acme.test anmelden" })])
    expect(sent[0]?.text.split("\n")[1]).toBe(url)
    expect(sent[0]?.html).toContain(url)
  })

  test("works with the parameters of Auth.js v5 alone", async () => {
    const { sent, signIn } = outbox(async ({ identifier, url, expires, provider, token, theme, request }, send) =>
      send({ identifier, url, expires, provider, token, theme, request }),
    )
    await signIn()
    expect(sent).toEqual([expect.objectContaining({ subject: "Bei app.test anmelden" })])
    expect(sent[0]?.html).toContain('<html lang="de"')
  })
})

describe("a sender that an application calls with a provider object of its own, as Auth.js v5 lets it", () => {
  const url = "https://app.test/auth/callback/email?callbackUrl=%2F&token=t&email=a%40b.test"
  const params = { identifier: "ada@example.test", url, token: "t", expires: new Date(), theme: {} }
  const request = new Request("https://app.test/invite")

  test("sends a plain English email", async () => {
    const sent: MailMessage[] = []
    const server = { sendMail: async (message: MailMessage) => sent.push(message) }
    const mail = nodemailer({ server })
    const given: object = { ...params, request, provider: { server, from } }
    await mail.sendVerificationRequest(given as VerificationRequest)
    expect(sent).toEqual([
      {
        to: { address: "ada@example.test" },
        from,
        subject: "Sign in to app.test",
        text: `Sign in to app.test\n${url}\n\n`,
        html: `<p><a href="${url.replaceAll("&", "&amp;")}">Sign in to app.test</a></p>`,
      },
    ])
  })

  test("sends it to the service", async () => {
    const fetched = vi.spyOn(globalThis, "fetch").mockResolvedValue(new Response())
    const given: object = { ...params, request, provider: { apiKey: "key", from } }
    await resend({}).sendVerificationRequest(given as VerificationRequest)
    const [[to, init] = []] = fetched.mock.calls
    expect(to).toBe("https://api.resend.com/emails")
    expect(JSON.parse(String(init?.body))).toMatchObject({
      from,
      to: "ada@example.test",
      subject: "Sign in to app.test",
    })
  })
})
