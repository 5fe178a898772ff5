import type { Captcha } from "@latchkey/core/captcha"
import { expect, test } from "vitest"
import { good, modes, siteOf } from "../site.js"

test.each(modes)("sign-up and reset need a CAPTCHA, and the form keeps what was typed (%s)", async (mode) => {
  const asked: string[] = []
  const widget = {
    script: "https://captcha.test/api.js",
    className: "box",
    siteKey: "k",
    hosts: ["https://captcha.test"],
  }
  const captcha: Captcha = {
    field: "proof",
    widget,
    verify: ({ token, action }) => (asked.push(action), token === "good"),
  }
  const site = siteOf({ mode, config: { captcha } })
  const browser = await site.open()
  for (const [path, fields, action] of [
    ["sign-up", { email: "ada@users.test", password: good }, "sign-up"],
    ["forgot", { email: "ada@users.test" }, "reset"],
  ] as const) {
    const sent = site.sent.length
    await browser.get(`/auth/password/${path}`)
    expect(browser.text).toContain(`class="captcha box" data-sitekey="k" data-action="${action}"`)
    expect(browser.response.headers.get("content-security-policy")).toContain("frame-src https://captcha.test")
    const { csrfToken = "" } = browser.forms[0]?.fields ?? {}
    for (const proof of ["", "bad"]) {
      await browser.post(`/auth/password/${path}`, { csrfToken, ...fields, proof })
      expect(browser.response.status).toBe(400)
      expect(browser.text).toContain("you aren&#39;t a bot")
      expect(browser.text).toContain('value="ada@users.test"')
    }
    expect([asked.at(-1), site.sent.length]).toEqual([action, sent])
    await browser.post(`/auth/password/${path}`, { csrfToken, ...fields, proof: "good" })
    expect([browser.response.status, site.sent.length]).toEqual([200, sent + 1])
  }
  expect(asked).toEqual(["sign-up", "sign-up", "reset", "reset"])
})
