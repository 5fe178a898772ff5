import type { Browser } from "@latchkey/testing"
import { expect } from "vitest"
import { attack } from "../../../../tests/attack.js"
import { emailOf } from "../flows/signin/setup.js"
import { answer, type Issued } from "../methods/webauthn/setup.js"
import { ada, adaWithPasskey, passkeySite, type PasskeySite } from "./webauthn-setup.js"

const limited = { rest: { rateLimit: { address: (headers: Headers) => headers.get("x-real-ip") ?? undefined } } }

async function statusOf(browser: Browser, path: string, ip: string, body?: URLSearchParams): Promise<Response> {
  const headers = { "x-real-ip": ip, "x-auth-return-redirect": "1" }
  return browser.fetch(path, { headers, ...(body && { method: "POST", body }) })
}

async function ask(browser: Browser, ip: string): Promise<Response> {
  return statusOf(browser, `/auth/webauthn-options/passkey?email=${ada}`, ip)
}

async function guess({ browser }: PasskeySite, ip: string, data = "{}"): Promise<Response> {
  const csrfToken = (await browser.csrf()) ?? ""
  return statusOf(
    browser,
    "/auth/callback/passkey",
    ip,
    new URLSearchParams({ csrfToken, action: "authenticate", data }),
  )
}

attack("RATE-01", "ten of sixty requests for options from one IP address are refused", async (mode) => {
  const its = await passkeySite(mode, limited)
  const answers = []
  for (let count = 0; count < 60; count += 1) answers.push(await ask(its.browser, "192.0.2.1"))
  expect(answers.filter(({ status }) => status === 429)).toHaveLength(10)
  const last = answers.at(-1)
  expect(Number(last?.headers.get("retry-after"))).toBeGreaterThan(0)
  expect(last?.headers.getSetCookie().join()).not.toContain("challenge")
  expect((await ask(its.browser, "192.0.2.2")).status).toBe(200)
  its.clock.advance({ minutes: 15 })
  expect((await ask(its.browser, "192.0.2.1")).status).toBe(200)
})

attack("RATE-01", "ten of sixty invalid passkeys from one IP address are refused", async (mode) => {
  const its = await passkeySite(mode, limited)
  const answers = []
  for (let count = 0; count < 60; count += 1) answers.push(await guess(its, "192.0.2.1"))
  expect(answers.filter(({ status }) => status === 429)).toHaveLength(10)
  expect(await answers.at(-1)?.json()).toEqual({ url: "https://app.test/auth/signin?error=RateLimited" })
})

attack("RATE-03", "attempts with the email of a user don't keep that user from signing in", async (mode) => {
  const its = await passkeySite(mode, limited)
  const authenticator = await adaWithPasskey(its)
  for (let count = 0; count < 60; count += 1) {
    await ask(its.browser, "192.0.2.66")
    await guess(its, "192.0.2.66", JSON.stringify({ id: authenticator.credentials[0]?.id }))
  }
  const browser = its.browser.fresh()
  await browser.signInWithPasskey(authenticator, { fields: { email: ada } })
  expect(await emailOf(browser)).toBe(ada)
})

attack(
  "RATE-01",
  "invalid passkeys and requests for options count together, and a valid passkey once",
  async (mode) => {
    const its = await passkeySite(mode, limited)
    const authenticator = await adaWithPasskey(its)
    const { browser } = its
    for (let count = 0; count < 24; count += 1) {
      expect((await ask(browser, "192.0.2.1")).status).toBe(200)
      expect((await guess(its, "192.0.2.1")).status).toBe(200)
    }
    const issued = (await (await ask(browser, "192.0.2.1")).json()) as Issued
    const signed = await guess(its, "192.0.2.1", JSON.stringify(await answer(authenticator, issued)))
    expect([signed.status, await emailOf(browser)]).toEqual([200, ada])
    expect((await guess(its, "192.0.2.1")).status).toBe(200)
    expect((await guess(its, "192.0.2.1")).status).toBe(429)
    expect((await ask(browser, "192.0.2.1")).status).toBe(429)
  },
)
