import { customFetch, withEnv } from "@latchkey/core"
import forwardemail from "@latchkey/core/providers/forwardemail"
import loops from "@latchkey/core/providers/loops"
import mailgun from "@latchkey/core/providers/mailgun"
import postmark from "@latchkey/core/providers/postmark"
import resend from "@latchkey/core/providers/resend"
import sendgrid from "@latchkey/core/providers/sendgrid"
import type { EmailConfig } from "@latchkey/core/types"
import { afterEach, expect, test, vi } from "vitest"
import { errorAt } from "../flows/signin/setup.js"
import { desk, only, serviceForTests, towards } from "./setup.js"

const apiKey = "key-0123456789abcdef"
const from = "Acme <hello@acme.test>"

const service = await serviceForTests()
afterEach(() => {
  vi.useRealTimers()
})

const fetchOf = () => ({ [customFetch]: towards(service).fetch })

const provider = (options: object = {}) => resend({ apiKey, from, ...fetchOf(), ...options })
const asking = async (given: EmailConfig, email = "ada@example.test") => {
  const its = await desk(given)
  await its.browser.signIn(given.options?.id ?? given.id, { email })
  return { ...its, errors: its.log.entries.filter(({ level }) => level === "error").map(({ text }) => text) }
}

test.each([
  ["a redirect", { status: 307, headers: { location: "/elsewhere" } }],
  ["an error of the service", { status: 500, body: "down" }],
])("%s fails the sign-in and isn't followed", async (_title, answer) => {
  service.answer = answer
  const { browser } = await asking(provider())
  expect(errorAt(browser)).toBe("/auth/signin EmailSignin")
  expect(service.received).toHaveLength(1)
})

test("an endless response is canceled", async () => {
  let sent = 0
  service.answer = {
    status: 500,
    body: async function* () {
      for (; sent < 2000; sent++) {
        yield "x".repeat(65_536)
        await new Promise((resolve) => setImmediate(resolve))
      }
    },
  }
  const { errors } = await asking(provider())
  expect(errors.join("").length).toBeLessThan(8000)
  expect(sent).toBeLessThan(500)
})

test("a request without a response is aborted within ten seconds", async () => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] })
  let signal: AbortSignal | null | undefined
  let reached = () => {}
  const begun = new Promise<void>((resolve) => (reached = resolve))
  const hanging: typeof fetch = (_, init) => {
    signal = init?.signal
    reached()
    return new Promise(() => {})
  }
  const done = asking(provider({ [customFetch]: hanging }))
  await begun
  await vi.advanceTimersByTimeAsync(9000)
  expect(signal?.aborted).toBe(false)
  await vi.advanceTimersByTimeAsync(1000)
  const { browser, errors } = await done
  expect(errorAt(browser)).toBe("/auth/signin EmailSignin")
  expect(signal?.aborted).toBe(true)
  expect(errors.join()).toMatch(/Resend didn't respond in time/)
})

test.each([
  "ada@example.test,eve@evil.test",
  "ada@example.test\r\nBcc: eve@evil.test",
  "Ada <ada@example.test>",
  '"a b"@example.test',
])("MAIL-03: a recipient that `normalizeIdentifier` accepts as %j is rejected before any request", async (email) => {
  for (const make of [resend, sendgrid, postmark, mailgun, forwardemail, loops]) {
    const given = make({
      apiKey,
      from,
      transactionalId: "t1",
      normalizeIdentifier: (typed: string) => typed,
      ...fetchOf(),
    })
    const { browser, errors } = await asking(given, email)
    expect(errorAt(browser)).toBe("/auth/signin EmailSignin")
    expect(errors.join()).toContain("isn't a single plain email")
    expect(errors.join()).not.toContain("eve@")
  }
  expect(service.received).toEqual([])
})

test.each(["a@acme.test, b@evil.test", "Acme\r\nBcc: eve@evil.test <a@acme.test>"])(
  "MAIL-03: the sender %j is rejected",
  async (bad) => {
    const { errors } = await asking(provider({ from: bad }))
    expect(service.received).toEqual([])
    expect(errors.join()).toContain("`from` isn't a single email")
  },
)

test.each([
  [undefined, /no API key\. Set AUTH_RESEND_KEY or `apiKey`/],
  ["", /no API key/],
  ["key-0123\nx-evil: 1", /API key of Resend contains spaces or other invalid characters/],
  ["key-0123 ", /API key of Resend contains spaces or other invalid characters/],
])("the key %j is rejected before any request", async (given, message) => {
  const { browser, errors } = await asking(provider({ apiKey: given }))
  expect(service.received).toEqual([])
  expect(errorAt(browser)).toBe("/auth/signin EmailSignin")
  expect(errors.join()).toMatch(message)
  expect(errors.join()).not.toContain("key-0123")
})

test("the error names the variable after the configured provider id", async () => {
  const { errors } = await asking(provider({ id: "mail-eu", apiKey: undefined }))
  expect(errors.join()).toContain("AUTH_MAIL_EU_KEY")
})

test.each(["http://mail.evil.test/send", "ftp://127.0.0.1/", "not an address", "http://127.0.0.1.evil.test/"])(
  "the endpoint %s is rejected, because the key and the link would be sent unencrypted",
  async (endpoint) => {
    const { errors } = await asking(provider({ endpoint }))
    expect(service.received).toEqual([])
    expect(errors.join()).toMatch(/isn't an https URL/)
  },
)

test("the default sender is at the host of the link", async () => {
  await asking(provider({ from: undefined }))
  expect(JSON.parse(only(service.received).body)).toMatchObject({ from: "no-reply@app.test" })
})

test("a provider without options takes its key from the environment", async () => {
  const { fetch } = towards(service)
  const env = { AUTH_RESEND_KEY: apiKey, AUTH_MAILGUN_KEY: "another" }
  for (const given of [resend, mailgun, sendgrid, postmark, forwardemail, loops]) {
    const [filled] = withEnv({ providers: [given] }, env).providers
    expect(filled).toMatchObject(given === resend ? { options: { apiKey } } : {})
  }
  const { providers, ...config } = withEnv({ providers: [resend({ from })], runtime: { fetch } }, env)
  const { browser } = await desk(providers[0] as EmailConfig, {
    providers: [],
    ...config,
    url: undefined,
    trustHost: true,
    secret: "only-for-tests-0123456789abcdefghij",
  })
  await browser.signIn("resend", { email: "ada@example.test" })
  expect(only(service.received).headers.authorization).toBe(`Bearer ${apiKey}`)
})
