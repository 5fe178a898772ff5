import { mfa } from "@latchkey/mfa"
import { describe, expect, test } from "vitest"
import { ada, grace, isSignedIn, modes, signedIn, siteOf } from "./site.js"

describe.each(modes)("with a second factor (%s)", (mode) => {
  test("a phone that signs in is held, and no second code goes to a phone", async () => {
    const codes: { readonly to: string; readonly code: string }[] = []
    const sms = { send: (message: { readonly to: string; readonly code: string }) => void codes.push(message) }
    const site = siteOf({ mode, config: { modules: [mfa({ sms })] } })
    const browser = await signedIn(site)
    await browser.get("/auth/account")
    const index = browser.forms.findIndex(({ action, fields }) => action.endsWith("mfa/enroll") && "phone" in fields)
    await browser.submitForm(index, { phone: grace })
    await browser.submitForm("mfa/confirm", { code: codes[0]?.code ?? "" })
    expect(browser.text).toContain("recovery codes")
    const [, recovery = ""] = /<li>([A-Z2-7-]{16,})<\/li>/.exec(browser.text) ?? []
    const other = await signedIn(site, ada)
    expect(new URL(other.location).pathname).toBe("/auth/factor")
    expect(await isSignedIn(other)).toBe(false)
    expect(other.forms.filter(({ fields }) => fields["action"] === "sms")).toEqual([])
    expect(other.text).not.toContain("Send a code by text message")
    await other.submitForm("auth/factor", { action: "sms" })
    expect(codes).toHaveLength(1)
    await other.submitForm("auth/factor", { code: recovery })
    expect(await isSignedIn(other)).toBe(true)
  })
})
