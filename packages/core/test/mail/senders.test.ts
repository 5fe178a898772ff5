import { customFetch } from "@latchkey/core"
import forwardemail from "@latchkey/core/providers/forwardemail"
import httpEmail from "@latchkey/core/providers/http-email"
import mailgun from "@latchkey/core/providers/mailgun"
import postmark from "@latchkey/core/providers/postmark"
import resend from "@latchkey/core/providers/resend"
import sendgrid from "@latchkey/core/providers/sendgrid"
import type { EmailConfig } from "@latchkey/core/types"
import { describe, expect, test } from "vitest"
import { emailOf, errorAt } from "../flows/signin/setup.js"
import { desk, only, type Service, serviceForTests, towards } from "./setup.js"

const apiKey = "key-0123456789abcdef"
const from = "Acme <hello@acme.test>"
const basic = (text: string) => `Basic ${Buffer.from(text).toString("base64")}`

const service = await serviceForTests()

const fetchOf = () => ({ [customFetch]: towards(service).fetch })

type Parts = Readonly<Record<"subject" | "text" | "html", unknown>>

interface Case {
  readonly name: string
  readonly make: (options: object) => EmailConfig
  readonly endpoint: string
  readonly headers: Readonly<Record<string, string>>
  /** The request body without the message. */
  readonly rest: object
  /** Finds the message in the request body. */
  readonly parts: (body: Record<string, unknown>) => Parts
}

const json = { "content-type": "application/json" }
const bearer = { ...json, authorization: `Bearer ${apiKey}` }
const parts = ({ subject, text, html }: Record<string, unknown>): Parts => ({ subject, text, html })
const to = "ada@example.test"

const cases: readonly Case[] = [
  {
    name: "Resend",
    make: resend,
    endpoint: "https://api.resend.com/emails",
    headers: bearer,
    rest: { from, to },
    parts,
  },
  {
    name: "SendGrid",
    make: sendgrid,
    endpoint: "https://api.sendgrid.com/v3/mail/send",
    headers: bearer,
    rest: { personalizations: [{ to: [{ email: to }] }], from: { email: "hello@acme.test", name: "Acme" } },
    parts: ({ subject, content }) => {
      const [text, html, ...more] = content as { type: string; value: string }[]
      expect([text?.type, html?.type, more]).toEqual(["text/plain", "text/html", []])
      return { subject, text: text?.value, html: html?.value }
    },
  },
  {
    name: "Postmark",
    make: postmark,
    endpoint: "https://api.postmarkapp.com/email",
    headers: { ...json, accept: "application/json", "x-postmark-server-token": apiKey },
    rest: { From: from, To: to, MessageStream: "outbound" },
    parts: ({ Subject, TextBody, HtmlBody }) => ({ subject: Subject, text: TextBody, html: HtmlBody }),
  },
  {
    name: "Mailgun",
    make: mailgun,
    endpoint: "https://api.mailgun.net/v3/acme.test/messages",
    headers: {
      authorization: basic(`api:${apiKey}`),
      "content-type": expect.stringMatching(/^multipart\/form-data; boundary=/),
    },
    rest: { from, to },
    parts,
  },
  {
    name: "Forward Email",
    make: forwardemail,
    endpoint: "https://api.forwardemail.net/v1/emails",
    headers: { ...json, authorization: basic(`${apiKey}:`) },
    rest: { from, to },
    parts,
  },
  {
    name: "Email",
    make: (options) => httpEmail({ endpoint: "https://mail.acme.test/send", ...options }),
    endpoint: "https://mail.acme.test/send",
    headers: bearer,
    rest: { from, to },
    parts,
  },
]

const messageKeys = ["subject", "text", "html", "content", "Subject", "TextBody", "HtmlBody"]

async function bodyOf({ headers, body }: Service["received"][number]): Promise<Record<string, unknown>> {
  const type = headers["content-type"] ?? ""
  if (type.startsWith("application/json")) return JSON.parse(body)
  return Object.fromEntries(await new Response(body, { headers: { "content-type": type } }).formData())
}

describe.each(cases)("$name", ({ make, endpoint, headers, rest, parts }) => {
  test("gets exactly the request from its API documentation, and the link signs the user in", async () => {
    const { fetch, asked } = towards(service)
    const { browser, log } = await desk(make({ apiKey, from, [customFetch]: fetch }))
    const id = make({}).id
    await browser.signIn(id, { email: "Ada@example.test", callbackUrl: "/inbox" })
    expect(asked).toEqual([endpoint])
    const request = only(service.received)
    expect([request.method, request.path]).toEqual(["POST", new URL(endpoint).pathname])
    expect(request.headers).toMatchObject(headers)
    const body = await bodyOf(request)
    const bare = Object.fromEntries(Object.entries(body).filter(([key]) => !messageKeys.includes(key)))
    expect(bare).toEqual(rest)
    const { subject, text, html } = parts(body)
    expect(subject).toBe("Sign in to app.test")
    const url = /^Sign in to app\.test\r?\n(https:\/\/\S+)\r?\n/.exec(String(text))?.[1] ?? ""
    const code = /^\d{6}$/m.exec(String(text))?.[0] ?? "none"
    expect(html).toContain(`href="${url.replaceAll("&", "&amp;")}"`)
    expect(html).toContain(`>${code}<`)
    await browser.get(url)
    expect([browser.location, await emailOf(browser)]).toEqual(["https://app.test/inbox", "ada@example.test"])
    log.assertClean()
  })

  test("a configured endpoint replaces the default", async () => {
    const provider = make({ apiKey, from, endpoint: `${service.origin}/elsewhere` })
    await (await desk(provider)).browser.signIn(provider.id, { email: "ada@example.test" })
    expect(service.received.map(({ path }) => path)).toEqual(["/elsewhere"])
  })

  test("a rejection is logged without key, email, link and code, and the user can try again", async () => {
    const provider = make({ apiKey, from, ...fetchOf() })
    const { browser, store, log } = await desk(provider)
    const echo = () =>
      `no: ${JSON.stringify(service.received.at(-1))} ${apiKey} ${encodeURIComponent("ada@example.test")}`
    service.answer = {
      status: 403,
      body: async function* () {
        yield echo()
      },
    }
    await browser.signIn(provider.id, { email: "ada@example.test" })
    expect(errorAt(browser)).toBe("/auth/signin EmailSignin")
    expect(store.rows().verificationTokens).toEqual([])
    const error = only(log.entries.filter(({ level }) => level === "error"))
    expect(error.text).toContain("status 403")
    expect(error.text).not.toMatch(/key-0123|ada(@|%40)example|token=[0-9a-f]{8}/)
    expect(browser.location).not.toMatch(/key-0123|ada@example|status/)
    expect(browser.text.replace('value="ada@example.test"', "")).not.toMatch(/key-0123|ada@example|status 403/)
    service.answer = { status: 202 }
    await browser.signIn(provider.id, { email: "ada@example.test" })
    expect(new URL(browser.location).pathname).toBe("/auth/verify-request")
  })
})

describe("regions", () => {
  test.each([
    [sendgrid, "EU", "https://api.eu.sendgrid.com/v3/mail/send"],
    [mailgun, "EU", "https://api.eu.mailgun.net/v3/acme.test/messages"],
  ] as const)("%o in %s", async (make, region, endpoint) => {
    const { fetch, asked } = towards(service)
    const provider = make({ apiKey, from, region, [customFetch]: fetch })
    await (await desk(provider)).browser.signIn(provider.id, { email: "ada@example.test" })
    expect(asked).toEqual([endpoint])
  })
})

test("Mailgun uses the provider's name for a sender without one, and the domain of the sender", async () => {
  const { fetch, asked } = towards(service)
  const { browser } = await desk(
    mailgun({ apiKey, from: "hello@mail.acme.test", name: "Acme, Inc.", [customFetch]: fetch }),
  )
  await browser.signIn("mailgun", { email: "ada@example.test" })
  expect(asked).toEqual(["https://api.mailgun.net/v3/mail.acme.test/messages"])
  expect((await bodyOf(only(service.received)))["from"]).toBe('"Acme, Inc." <hello@mail.acme.test>')
})

test("SendGrid gets only an email for a sender without a name", async () => {
  const { browser } = await desk(sendgrid({ apiKey, from: "hello@acme.test", ...fetchOf() }))
  await browser.signIn("sendgrid", { email: "ada@example.test" })
  expect(JSON.parse(only(service.received).body).from).toEqual({ email: "hello@acme.test" })
})
