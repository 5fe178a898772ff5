import { describe, expect, test } from "vitest"
import { ada, asked, codeOf, other, type } from "./email-code-setup.js"
import { emailOf } from "./setup.js"

const form = /<form class="resend" action="https:\/\/app\.test\/auth\/signin\/email" method="POST" data-resend="(\d+)">/

describe("sending an email again", () => {
  test("says where the email went, to this browser only", async () => {
    const { browser } = await asked()
    expect(browser.text).toContain(`We sent a sign-in link and a code to <strong><bdi>${ada}</bdi></strong>.`)
    const elsewhere = browser.fresh()
    await elsewhere.get(`/auth/verify-request?provider=email&type=email&email=${encodeURIComponent(ada)}`)
    expect(elsewhere.text).toContain("A sign-in link has been sent to your email address.")
    expect(elsewhere.text).not.toContain(ada)
    expect(elsewhere.forms).toEqual([])
    await browser.get("/auth/verify-request?provider=other&type=email")
    expect(browser.text).not.toContain(ada)
  })

  test("has a form that counts the seconds since the last email, and keeps the callback URL", async () => {
    const { browser, clock, mail } = await asked()
    expect(form.exec(browser.text)?.[1]).toBe("60")
    clock.advance({ seconds: 45 })
    await browser.get(browser.location)
    expect(form.exec(browser.text)?.[1]).toBe("15")
    clock.advance({ seconds: 45 })
    await browser.get(browser.location)
    expect(form.exec(browser.text)?.[1]).toBe("0")
    expect(browser.text).not.toContain("We sent the email again.")
    await browser.submitForm("signin/email")
    expect(mail.sent.map(({ identifier }) => identifier)).toEqual([ada, ada])
    expect(browser.text).toContain("We sent the email again.")
    expect(form.exec(browser.text)?.[1]).toBe("60")
    await type(browser, codeOf(mail))
    expect([await emailOf(browser), browser.location]).toEqual([ada, "https://app.test/inbox"])
  })

  test("is limited like the form of the sign-in page", async () => {
    const { browser, mail } = await asked()
    for (let count = 0; count < 10 && browser.location.includes("/verify-request"); count++)
      await browser.submitForm("signin/email")
    expect(browser.response.status).toBe(429)
    expect(mail.sent).toHaveLength(10)
  })

  test("leads to the form for another email", async () => {
    const { browser } = await asked()
    const link = /href="([^"]+)">Use a different email</.exec(browser.text)?.[1]
    expect(link).toBe("https://app.test/auth/signin?callbackUrl=https%3A%2F%2Fapp.test%2Finbox")
  })

  test("is still there after a wrong code, with the error at the field and the focus in it", async () => {
    const { browser, mail } = await asked()
    await type(browser, other(codeOf(mail)))
    expect(browser.text).toMatch(
      /<input id="input-code"[^>]* autofocus[^>]* aria-describedby="code-error code-hint" aria-invalid="true">/,
    )
    expect(browser.text).toMatch(/<\/div><div class="error" role="alert"><p id="code-error">/)
    expect(browser.text).toContain(ada)
    expect(browser.text).toMatch(form)
    await type(browser, codeOf(mail))
    expect(await emailOf(browser)).toBe(ada)
  })
})
