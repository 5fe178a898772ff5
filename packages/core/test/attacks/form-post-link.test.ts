import { createProvider } from "@latchkey/testing"
import { expect } from "vitest"
import { attack } from "../../../../tests/attack.js"
import { flowCookies, open, outcome } from "../flows/oauth/app.js"

attack("OIDC-27", "an error posted during linking is shown as an error of the provider", async (mode) => {
  const op = createProvider()
  const other = createProvider({ id: "other", issuer: "https://other.test" })
  const posting = op.provider({ authorization: { params: { response_mode: "form_post" } } })
  const { browser } = await open([posting, other.provider()], { security: mode })
  await browser.signInWith(other, { as: "grace" })
  const csrfToken = (await browser.csrf()) ?? ""
  await browser.post("/auth/signin/op", { csrfToken, link: "true" })
  await browser.consentAt(op, { error: "login_required" })
  expect(outcome(browser)).toBe("OAuthCallbackError")
  expect(flowCookies(browser)).toEqual([])
})
