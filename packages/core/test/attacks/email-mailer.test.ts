import nodemailer from "@latchkey/core/providers/nodemailer"
import { Auth } from "@latchkey/core"
import { afterEach, expect, vi } from "vitest"
import { attack, type Mode } from "../../../../tests/attack.js"
import { errorAt, hasSession, intercept } from "../flows/signin/setup.js"
import { csrfPair } from "../http/app.js"
import { site, victim } from "./email-setup.js"

afterEach(() => void vi.useRealTimers())

const unhandled: unknown[] = []
process.on("unhandledRejection", (reason) => unhandled.push(reason))

const refusal = "/auth/signin EmailSignin"

attack("MAIL-11", "a mailer that fails leaves no token, and the next request works", async (mode) => {
  const failures: (() => Promise<void>)[] = [
    () => Promise.reject(new Error("421 busy: smtp://user:hunter2@mail.test")),
    () => {
      throw new Error("no transport")
    },
    () => Promise.reject(undefined),
    () => Promise.reject("text"),
  ]
  for (const failure of failures) {
    let fails = true
    const links: string[] = []
    const its = await site(mode, {
      email: { sendVerificationRequest: ({ url }) => (fails ? failure() : void links.push(url)) },
    })
    await its.browser.signIn("email", { email: victim })
    expect(errorAt(its.browser)).toBe(refusal)
    expect(its.browser.text).not.toContain("hunter2")
    expect(its.store.rows().verificationTokens).toEqual([])
    expect(its.log.entries.filter(({ level }) => level === "error")).toHaveLength(1)
    fails = false
    await its.browser.signIn("email", { email: victim })
    await its.browser.get(links[0] ?? "")
    expect(hasSession(its.browser)).toBe(true)
  }
})

attack("MAIL-11", "a mailer that does not respond is abandoned after ten seconds", async (mode) => {
  for (const late of [undefined, 30_000]) {
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] })
    let asked = () => {}
    const reached = new Promise<void>((resolve) => {
      asked = resolve
    })
    const its = await site(mode, {
      email: {
        sendVerificationRequest: () => {
          asked()
          return new Promise((_, reject) => late && setTimeout(() => reject(new Error("too late")), late))
        },
      },
    })
    const done = its.browser.signIn("email", { email: victim })
    await reached
    expect(its.store.rows().verificationTokens).toHaveLength(1)
    await vi.advanceTimersByTimeAsync(10_000)
    await done
    expect(errorAt(its.browser)).toBe(refusal)
    expect(its.store.rows().verificationTokens).toEqual([])
    await vi.advanceTimersByTimeAsync(60_000)
    vi.useRealTimers()
    await new Promise((resolve) => setImmediate(resolve))
    expect(unhandled).toEqual([])
  }
})

attack("MAIL-11", "a token that cannot be stored is not sent, and the error page says to try again", async (mode) => {
  for (const fails of ["createVerificationToken", "useVerificationToken"]) {
    const sent: string[] = []
    const its = await site(mode, {
      email: {
        sendVerificationRequest: ({ url }) => {
          sent.push(url)
          throw new Error("421 busy")
        },
      },
      adapter: (good) =>
        intercept(good, async (method, run) => {
          if (method === fails) throw new Error("the database is away: hunter2")
          return run()
        }),
    })
    await its.browser.signIn("email", { email: victim })
    expect(errorAt(its.browser), fails).toBe(refusal)
    expect(its.browser.text).not.toContain("hunter2")
    expect(sent).toHaveLength(fails === "createVerificationToken" ? 0 : 1)
    expect(its.log.entries.some(({ text }) => text.includes("the database is away"))).toBe(true)
  }
})

const markup = ["a@x.com, <a href=//evil>claim</a>", "<img src=x onerror=1>@x.com", '"><script>1</script>@x.com']

attack("ADV-NA-05", "an email with HTML is refused, and no page renders it", async (mode) => {
  // Without a look-up, the page asks to confirm any link.
  const its = await site(mode, {
    adapter(store) {
      const { getVerificationToken: _, ...methods } = store
      return methods
    },
  })
  for (const email of markup) {
    await its.browser.signIn("email", { email })
    expect(errorAt(its.browser)).toBe(refusal)
    expect(its.browser.text).not.toMatch(/<img src=x|<script>1|<a href=\/\/evil/)
    await its.browser.get(`/auth/signin?error=${encodeURIComponent(email)}&email=${encodeURIComponent(email)}`)
    expect(its.browser.text).not.toMatch(/<img src=x|<script>1|<a href=\/\/evil/)
    await its.browser.get(`/auth/callback/email?token=${"0".repeat(64)}&email=${encodeURIComponent(email)}`)
    expect(its.browser.forms[0]?.fields["email"]).toBe(email)
    expect(its.browser.text).not.toMatch(/<img src=x|<script>1|<a href=\/\/evil/)
  }
  expect(its.mail.sent).toEqual([])
})

interface Mail {
  readonly html: string
  readonly text: string
}

/** The default message, for emails that the default `normalizeIdentifier` refuses. */
async function mailed(mode: Mode) {
  const mails: Mail[] = []
  const provider = nodemailer({
    server: { sendMail: async (mail) => mails.push(mail) },
    normalizeIdentifier: (typed) => typed,
  })
  return { mails, its: await site(mode, { rest: { providers: [provider] } }) }
}

attack("ADV-NA-05", "neither the email nor the callback URL becomes HTML or a link in the message", async (mode) => {
  for (const email of [...markup, "eve@evil.test"]) {
    for (const callbackUrl of ["/", "/?next=https://evil.test/", '/"><a href=//evil.test>', "https://evil.test/"]) {
      const { mails, its } = await mailed(mode)
      await its.browser.signIn("nodemailer", { email, callbackUrl })
      const [{ html, text }] = mails as [Mail]
      for (const raw of ["<script", "<img", "onerror=1>", "<a href=//", email.includes("<") ? email : "eve@"]) {
        expect(html).not.toContain(raw)
      }
      expect(html.match(/href=/g)).toHaveLength(1)
      expect(html).toMatch(/href="https:\/\/app\.test\/auth\/callback\/nodemailer\?[^"<>]*"/)
      expect(text.match(/https?:\/\//g)).toHaveLength(1)
      expect(text).toMatch(/^Sign in to app\.test\nhttps:\/\/app\.test\/auth\/callback\/nodemailer\?\S*\n/)
      expect(text).not.toMatch(/\/\/evil\.test/)
    }
  }
})

attack("ADV-NA-05", "a host with HTML sends no message, and an untrusted host is not in the link", async (mode) => {
  const hosts = ["<img src=x>", 'app.test"><b>', "app.test/<b>", "evil.test, app.test", "evil.test"]
  for (const host of hosts) {
    const { mails, its } = await mailed(mode)
    const { url: _, ...config } = its.config
    for (const trusted of [its.config, { ...config, trustHost: ["app.test"] }]) {
      const send = async (path: string, init?: RequestInit) =>
        Auth(new Request(`https://app.test${path}`, init), trusted)
      const { token, cookie } = await csrfPair(send)
      await send("/auth/signin/nodemailer", {
        method: "POST",
        body: new URLSearchParams({ csrfToken: token, email: victim }),
        headers: { cookie, "x-forwarded-host": host },
      })
    }
    for (const { html, text } of mails) expect(html + text).not.toMatch(/evil|<b>|<img/)
    // Only the application with a configured `url` sends a message.
    expect(mails).toHaveLength(1)
  }
})
