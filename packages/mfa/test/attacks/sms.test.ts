import { turnstile } from "@latchkey/core/captcha"
import { defineModule, type Module, proven } from "@latchkey/core/module"
import type { AuthConfig } from "@latchkey/core/types"
import { type Browser, visit } from "@latchkey/testing"
import { describe, expect, test } from "vitest"
import { modes, type Site, siteOf, submit } from "../site.js"

/** Each sign-in makes a new user, as for guests. */
const guests: Module = defineModule({
  id: "guests",
  providers: [{ id: "guests", name: "Guest", fields: { as: {} } }],
  load: async () => ({ prove: async () => proven({ account: null, amr: "guest" }) }),
})

describe.each(modes)("with security: %s, messages", (security) => {
  const site = async (more: Partial<AuthConfig> = {}) =>
    siteOf({}, { security, modules: [guests], rateLimit: {}, ...more })

  async function guestAt({ config, clock }: Site, address: string): Promise<Browser> {
    const browser = await visit(config, { clock, headers: { "x-forwarded-for": address } })
    await browser.signIn("guests", { as: "guest", callbackUrl: "/auth/account" })
    expect(await browser.session()).not.toBeNull()
    return browser
  }

  const enroll = async (browser: Browser, phone: string, fields: Readonly<Record<string, string>> = {}) =>
    browser.post("/auth/mfa/enroll", { method: "sms", phone, csrfToken: (await browser.csrf()) ?? "", ...fields })

  test("to many numbers from one address are limited, for all users together", async () => {
    const its = await site()
    for (let guest = 0; guest < 5; guest++) {
      const browser = await guestAt(its, "203.0.113.8")
      for (let each = 0; each < 4; each++) await enroll(browser, `+8821610${guest}00${each}`)
    }
    expect(its.messages).toHaveLength(10)
  })

  test("to one number are limited over a day, for all users together and in any spelling", async () => {
    const its = await site()
    const spellings = ["+447700900123", "0044 7700 900123", "447700900123", "+44 (0) 7700/900.123", "07700-900123"]
    for (let round = 0; round < 5; round++) {
      const browser = await guestAt(its, `203.0.113.${round}`)
      for (const spelling of spellings) await enroll(browser, spelling)
      if (round === 0) expect(its.messages).toHaveLength(5)
      its.clock.advance({ hours: 1, seconds: 1 })
    }
    expect(its.messages).toHaveLength(10)
  })

  test("to the owner of a number aren't used up by users who type it", async () => {
    const its = await site()
    const owner = await guestAt(its, "203.0.113.1")
    await enroll(owner, "+447700900123")
    await owner.submitForm("mfa/confirm", { code: its.messages.at(-1)?.code ?? "" })
    for (let round = 0; round < 3; round++) {
      const thief = await guestAt(its, `203.0.113.${10 + round}`)
      for (let each = 0; each < 6; each++) await enroll(thief, "+447700900123")
      its.clock.advance({ hours: 1, seconds: 1 })
    }
    const sent = its.messages.length
    await owner.get("/auth/mfa/verify")
    await owner.submitForm("mfa/verify", { action: "sms" })
    expect(its.messages).toHaveLength(sent + 1)
  })

  test("to the owner of a number are limited over a day", async () => {
    const its = await site()
    const owner = await guestAt(its, "203.0.113.1")
    await enroll(owner, "+447700900123")
    await owner.submitForm("mfa/confirm", { code: its.messages.at(-1)?.code ?? "" })
    const sent = its.messages.length
    for (let round = 0; round < 6; round++) {
      for (let each = 0; each < 6; each++) {
        await owner.get("/auth/mfa/verify")
        await owner.submitForm("mfa/verify", { action: "sms" })
        if (round === 0 && each === 5) expect(its.messages).toHaveLength(sent + 5)
      }
      its.clock.advance({ minutes: 15, seconds: 1 })
    }
    expect(its.messages).toHaveLength(sent + 20)
  })

  test("each need a CAPTCHA, if one is configured, until the number is confirmed", async () => {
    const widget = turnstile({ siteKey: "1x00000000000000000000AA", secretKey: "x".repeat(35) })
    const solved = new Set(["one", "two"])
    const captcha = { ...widget, verify: ({ token }: { readonly token: string }) => solved.delete(token) }
    const its = await site({ captcha: { ...captcha, actions: ["sign-up"] } })
    const browser = await guestAt(its, "203.0.113.8")
    await submit(browser, "enroll", { method: "sms", phone: "+447700900123" })
    expect(browser.response.status).toBe(400)
    expect(browser.text).toContain("cf-turnstile")
    expect(its.messages).toEqual([])
    await browser.submitForm("mfa/enroll", { [captcha.field]: "one" })
    expect(its.messages).toHaveLength(1)
    await enroll(browser, "+447700900124", { [captcha.field]: "one" })
    expect(its.messages).toHaveLength(1)
    await enroll(browser, "+447700900123", { [captcha.field]: "two" })
    await browser.submitForm("mfa/confirm", { code: its.messages.at(-1)?.code ?? "" })
    await browser.get("/auth/mfa/verify")
    await browser.submitForm("mfa/verify", { action: "sms" })
    expect(its.messages).toHaveLength(3)
  })
})
