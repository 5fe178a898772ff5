import { memoryAdapter } from "@latchkey/adapter-kit"
import { visit } from "@latchkey/testing"
import { describe, expect, test } from "vitest"
import { ada, asked, codeOf, other, type, wrong } from "./email-code-setup.js"
import { emailOf, mailbox } from "./setup.js"

describe("the page after the request", () => {
  test("accepts the code without a script, and supports autofill", async () => {
    const { browser, mail } = await asked()
    expect(browser.forms).toMatchObject([
      { method: "POST", auto: false, fields: { csrfToken: expect.any(String), code: "" } },
      {
        method: "POST",
        auto: false,
        fields: { csrfToken: expect.any(String), email: ada, callbackUrl: expect.any(String) },
      },
    ])
    expect(browser.text).toMatch(/<input[^>]* name="code"[^>]* inputmode="numeric" autocomplete="one-time-code"/)
    expect(browser.text).not.toContain(codeOf(mail))
    expect(browser.response.headers.get("content-security-policy")).toContain("form-action 'self'")
  })

  test("has no field in another browser or for another provider", async () => {
    const { browser } = await asked()
    for (const [visitor, query] of [
      [browser.fresh(), "provider=email&type=email"],
      [browser, "provider=other"],
      [browser, ""],
    ] as const) {
      await visitor.get(`/auth/verify-request?${query}`)
      expect(visitor.forms).toEqual([])
      expect(visitor.response.headers.get("content-security-policy")).toContain("form-action 'none'")
    }
  })

  test("may redirect to another site that the redirect callback allows", async () => {
    const redirect = ({ url }: { url: string }) => url
    const mail = mailbox()
    const browser = await visit({ providers: [mail.provider], adapter: memoryAdapter(), callbacks: { redirect } })
    await browser.signIn("email", { email: ada, callbackUrl: "https://docs.app.test/inbox" })
    expect(browser.response.headers.get("content-security-policy")).toContain(
      "form-action 'self' https://docs.app.test",
    )
    await type(browser, codeOf(mail))
    expect(browser.location).toBe("https://docs.app.test/inbox")
  })

  test("shows the error for a wrong code, and no URL contains the code", async () => {
    const { browser, mail } = await asked()
    const guess = other(codeOf(mail))
    await type(browser, guess)
    expect(browser.location).toBe(wrong)
    expect(browser.text).toMatch(/role="alert"><p id="code-error">That code is incorrect/)
    expect(browser.text).toMatch(/aria-describedby="code-error code-hint"[^>]*aria-invalid="true"/)
    for (const { headers } of browser.trail) expect(headers.get("location") ?? "").not.toContain(guess)
    expect(browser.text).not.toContain(guess)
    await type(browser, codeOf(mail))
    expect(await emailOf(browser)).toBe(ada)
  })

  test("can be a custom page that posts the code and gets the error", async () => {
    const { browser, mail } = await asked({ pages: { verifyRequest: "/sent" } })
    expect(browser.location).toBe("https://app.test/sent?provider=email&type=email")
    const csrfToken = (await browser.csrf()) ?? ""
    await browser.post("/auth/callback/email", { csrfToken, code: other(codeOf(mail)) })
    expect(browser.location).toBe("https://app.test/sent?provider=email&type=email&error=Verification")
    await browser.post("/auth/callback/email", { csrfToken, code: codeOf(mail) })
    expect(browser.location).toBe("https://app.test/inbox")
    expect(await emailOf(browser)).toBe(ada)
  })

  test("returns the target as JSON to a script that posts the code", async () => {
    const { browser, mail } = await asked()
    const post = async (code: string) => {
      const body = JSON.stringify({ csrfToken: await browser.csrf(), code })
      const headers = { "content-type": "application/json", "x-auth-return-redirect": "1" }
      return (await browser.fetch("/auth/callback/email", { method: "POST", body, headers })).json()
    }
    expect(await post(other(codeOf(mail)))).toEqual({ url: wrong })
    expect(await post(codeOf(mail))).toEqual({ url: "https://app.test/inbox" })
    expect(await emailOf(browser)).toBe(ada)
  })
})
