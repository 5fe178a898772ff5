import nodemailer, { type MailMessage } from "@latchkey/core/providers/nodemailer"
import type { Browser } from "@latchkey/testing"
import { expect } from "vitest"
import { attack, type Mode } from "../../../../tests/attack.js"
import { emailOf, hasSession } from "../flows/signin/setup.js"
import { type Site, site, victim } from "./email-setup.js"

/** Request headers of mail gateways and mail clients that open links. */
const visits: readonly Record<string, string>[] = [
  {},
  { "sec-purpose": "prefetch" },
  { "sec-purpose": "prefetch;prerender" },
  { purpose: "prefetch" },
  { "x-purpose": "preview" },
  { "sec-fetch-mode": "no-cors", "sec-fetch-dest": "image" },
  { "sec-fetch-mode": "navigate", "sec-fetch-dest": "document", "sec-fetch-site": "none", "sec-fetch-user": "?1" },
  { "user-agent": "Mozilla/5.0 (compatible; Microsoft SafeLinks)" },
  { range: "bytes=0-0" },
]

interface Sent extends Site {
  readonly message: MailMessage
}

async function mailed(mode: Mode): Promise<Sent> {
  const sent: MailMessage[] = []
  const provider = nodemailer({ server: { sendMail: async (message) => sent.push(message) } })
  const its = await site(mode, { rest: { providers: [provider] } })
  await its.browser.signIn("nodemailer", { email: victim, callbackUrl: "/inbox" })
  const [message] = sent
  if (message === undefined) throw new Error("No message was sent")
  return { ...its, message }
}

/** Every URL in a message, including those that mail clients detect in plain text. */
function addressesIn({ text, html }: MailMessage): readonly string[] {
  const found = [text, html.replaceAll("&amp;", "&")].flatMap((part) => part.match(/https?:\/\/[^\s<>"')]+/g) ?? [])
  return [...new Set(found.flatMap((address) => [address, address.replace(/[.,;]$/, "")]))]
}

/** Fetches every URL with GET and HEAD, follows the links of each page, and submits no form. */
async function scan(scanner: Browser, message: MailMessage): Promise<void> {
  const left = [...addressesIn(message)]
  const done = new Set<string>()
  for (let address = left.pop(); address !== undefined; address = left.pop()) {
    if (done.has(address) || !address.startsWith(scanner.origin)) continue
    done.add(address)
    for (const headers of visits) {
      for (const method of ["HEAD", "GET"]) {
        const answer = await scanner.fetch(address, { method, headers })
        expect(answer.status).toBeLessThan(500)
        const page = await answer.text()
        left.push(...[...page.matchAll(/href="([^"]+)"/g)].map(([, href = ""]) => href.replaceAll("&amp;", "&")))
      }
    }
  }
  expect(done.size).toBeGreaterThan(0)
}

attack("MAIL-01", "after a scanner opened every URL, the link still signs in the requesting browser", async (mode) => {
  const { browser, message, store, calls } = await mailed(mode)
  const scanner = browser.fresh()
  calls.length = 0
  await scan(scanner, message)
  expect([hasSession(scanner), [...new Set(calls)]]).toEqual([false, ["getVerificationToken"]])
  expect(store.rows().verificationTokens).toHaveLength(1)
  await browser.get(message.text.split("\n")[1] ?? "")
  expect([browser.location, await emailOf(browser)]).toEqual(["https://app.test/inbox", victim])
})

attack(
  "MAIL-01",
  "after a scanner opened every URL, the link still signs in another browser after a click",
  async (mode) => {
    const { browser, message } = await mailed(mode)
    await scan(browser.fresh(), message)
    const phone = browser.fresh()
    await phone.get(message.text.split("\n")[1] ?? "")
    await phone.submitForm(0)
    expect([phone.location, await emailOf(phone)]).toEqual(["https://app.test/inbox", victim])
  },
)

attack("MAIL-01", "after a scanner opened every URL, the code still signs in the requesting browser", async (mode) => {
  const { browser, message } = await mailed(mode)
  for (let round = 0; round < 3; round++) await scan(browser.fresh(), message)
  await browser.submitForm("callback/nodemailer", { code: /^\d{6}$/m.exec(message.text)?.[0] ?? "" })
  expect([browser.location, await emailOf(browser)]).toEqual(["https://app.test/inbox", victim])
})

attack("MAIL-01", "a preview in the requesting browser consumes neither link nor code", async (mode) => {
  const { browser, message, store } = await mailed(mode)
  const [, link = ""] = message.text.split("\n")
  for (const headers of visits.slice(1, 4)) {
    await browser.fetch(link, { headers })
    await browser.fetch(link, { headers, method: "HEAD" })
  }
  expect(store.rows().verificationTokens).toHaveLength(1)
  await browser.submitForm("callback/nodemailer", { code: /^\d{6}$/m.exec(message.text)?.[0] ?? "" })
  expect(await emailOf(browser)).toBe(victim)
})
