import { afterEach, describe, expect, test, vi } from "vitest"
import { makeProvider } from "../config/read-providers.js"
import { resolveProvider } from "../config/compile.js"
import { features } from "../engine/features.js"
import { EmailSignInError } from "../errors.js"
import type { EmailConfig } from "../model/email-provider.js"
import type { Theme } from "../model/pages.js"
import { systemRuntime } from "../primitives/runtime.js"
import email from "./email.js"
import nodemailer, { type MailMessage, type MailTransport } from "./nodemailer.js"

const url = 'https://app.example.test/auth/callback/nodemailer?callbackUrl=%2F&token="><script>&email=a%40b.test'

async function send(config: EmailConfig, identifier = "a@b.test", theme: Theme = {}): Promise<void> {
  const provider = resolveProvider(features.providers, makeProvider(config), { providers: [] }, systemRuntime)
  if (provider.type !== "email") throw new Error("not an email provider")
  const request = new Request("https://app.example.test")
  await provider.sendVerificationRequest({
    identifier,
    url,
    theme,
    request,
    provider,
    token: "t",
    expires: new Date(0),
  })
}

/** Sends nothing and keeps what it was given. */
function outbox(result: unknown = {}) {
  const sent: MailMessage[] = []
  const sendMail: MailTransport["sendMail"] = async (message) => {
    sent.push(message)
    return result
  }
  return { sent, sendMail }
}

afterEach(() => {
  vi.useRealTimers()
})

describe("the Nodemailer provider", () => {
  test.each([[], [{}], [{ server: undefined }], [{ server: "" }]])(
    "without a server, loads in a build, and the first message says what is missing (%j)",
    async (...options) => {
      const provider = nodemailer(...options)
      await expect(send(provider)).rejects.toThrow("Nodemailer has no mail server. Set `server`")
    },
  )

  test("needs no server with `sendVerificationRequest`", async () => {
    const sent: string[] = []
    await send(nodemailer({ sendVerificationRequest: ({ identifier }) => void sent.push(identifier) }))
    expect(sent).toEqual(["a@b.test"])
  })

  test("sends through an object with `sendMail`", async () => {
    const server = outbox()
    await send(nodemailer({ server, from: "Acme <hello@acme.test>" }))
    expect(server.sent).toHaveLength(1)
    expect(server.sent[0]).toMatchObject({
      to: { address: "a@b.test" },
      from: "Acme <hello@acme.test>",
      subject: "Sign in to app.example.test",
    })
  })

  test("sends from no-reply@ the host of the link by default", async () => {
    const server = outbox()
    await send(nodemailer({ server }))
    expect(server.sent[0]?.from).toBe("no-reply@app.example.test")
  })

  test.each([{ rejected: ["a@b.test"] }, { pending: [{ address: "a@b.test" }] }])(
    "reports %j without the address",
    async (result) => {
      const sending = send(nodemailer({ server: outbox(result) }))
      await expect(sending).rejects.toThrow(EmailSignInError)
      await expect(sending).rejects.not.toThrow(/a@b\.test/)
    },
  )

  test("treats an empty list of rejected recipients as success", async () => {
    await expect(send(nodemailer({ server: outbox({ rejected: [], pending: [] }) }))).resolves.toBeUndefined()
  })

  test("gives up after 10 seconds", async () => {
    vi.useFakeTimers()
    const sending = send(nodemailer({ server: { sendMail: () => new Promise(() => {}) } }))
    const outcome = sending.then(
      () => "sent",
      (error: unknown) => String(error),
    )
    await vi.advanceTimersByTimeAsync(9999)
    expect(vi.getTimerCount()).toBe(1)
    await vi.advanceTimersByTimeAsync(1)
    expect(await outcome).toMatch(/within 10 seconds/)
  })

  test("leaves no timer running", async () => {
    vi.useFakeTimers()
    await send(nodemailer({ server: outbox() }))
    expect(vi.getTimerCount()).toBe(0)
  })

  test("passes on the error of the mail server", async () => {
    const failure = new Error("535 no")
    await expect(send(nodemailer({ server: { sendMail: () => Promise.reject(failure) } }))).rejects.toBe(failure)
  })
})

describe("with the real nodemailer", () => {
  interface Mail {
    readonly message: { getEnvelope(): object; createReadStream(): unknown }
  }

  /** A transport plugin (nodemailer.com/plugins/create): it sees the message as it would go out. */
  function plugin() {
    const envelopes: object[] = []
    return {
      envelopes,
      name: "test",
      version: "1",
      send(mail: Mail, done: (error: Error | null, result: object) => void) {
        envelopes.push(mail.message.getEnvelope())
        done(null, {})
      },
    }
  }

  test("a comma in an email doesn't add a recipient", async () => {
    const server = plugin()
    await send(nodemailer({ server, from: "a@acme.test" }), "victim@b.test,evil@c.test")
    expect(server.envelopes).toHaveLength(1)
    expect(server.envelopes[0]).toMatchObject({ to: [expect.any(String)] })
  })

  test("one provider creates one transport", async () => {
    const server = plugin()
    let made = 0
    // Nodemailer introduces itself to each plugin it wraps.
    const countMade = (): void => {
      made++
    }
    Object.defineProperty(server, "mailer", { set: countMade })
    const provider = nodemailer({ server })
    await send(provider)
    await send(provider)
    expect([made, server.envelopes.length]).toEqual([1, 2])
  })

  test("accepts options for `createTransport`", async () => {
    await expect(send(nodemailer({ server: { jsonTransport: true } }))).resolves.toBeUndefined()
  })
})

describe("the message", () => {
  async function mailed(theme: Theme): Promise<MailMessage> {
    const server = outbox()
    await send(nodemailer({ server }), "a@b.test", theme)
    const [message] = server.sent
    if (message === undefined) throw new Error("no email")
    return message
  }

  test("has the site and the link, and nothing about the user", async () => {
    const { subject, text, html } = await mailed({})
    expect(subject).toBe("Sign in to app.example.test")
    expect(text.startsWith(`Sign in to app.example.test\n${url}\n\n`)).toBe(true)
    expect(html).toContain("app&#8203;.example&#8203;.test")
    expect(text + html).not.toContain("a@b.test")
  })

  test("escapes its values", async () => {
    const { html } = await mailed({ brandColor: '"><script>' })
    expect(html).not.toContain("<script")
    expect(html).toContain("token=&quot;&gt;&lt;script&gt;&amp;email=")
    expect(html).not.toMatch(/background:(?!#[0-9a-f]{3,6}[;!"])/)
  })

  test("has a blue button with white text unless the theme says otherwise", async () => {
    expect((await mailed({ brandColor: "" })).html).toContain("background:#346df1;color:#fff")
    expect((await mailed({ buttonText: "red" })).html).toContain("color:red")
  })
})

test("the provider email is the same with its former id", async () => {
  const server = outbox()
  const provider = email({ server })
  expect(provider).toMatchObject({ id: "email", name: "Email", type: "email" })
  await send(provider)
  expect(server.sent).toHaveLength(1)
  expect(
    resolveProvider(features.providers, makeProvider(email({ server, id: "mail" })), { providers: [] }, systemRuntime)
      .id,
  ).toBe("mail")
})
