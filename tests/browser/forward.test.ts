import { createProvider } from "@latchkey/testing"
import { expect, test } from "vitest"
import { inChromium } from "./chromium.js"
import { type Choices, listening, openHost, strictest } from "./host.js"
import { shoot } from "./looks.js"

inChromium("the page that forwards a response to another deployment", (visit) => {
  test.each([
    ["strict", true],
    ["compatible", false],
  ] as const)("[%s] works under the strictest policy of an application: scripts %s", async (mode, scripts) => {
    const op = await listening(createProvider())
    const providers: Choices["providers"] = () => [
      op.provider({ name: "Acme", authorization: { params: { response_mode: "form_post" } } }),
    ]
    const proxy = await openHost(mode, {
      op,
      providers,
      name: "proxy.app.localhost",
      proxy: (origin) => `${origin}/auth`,
    })
    const preview = await openHost(mode, {
      op,
      providers,
      name: "preview.app.localhost",
      proxy: () => `${proxy.origin}/auth`,
    })
    proxy.policy = (nonce) => strictest(nonce).replace("form-action 'self'", `form-action ${preview.origin}`)
    const { page, complaints } = await visit({ javaScriptEnabled: scripts })
    await page.goto(`${preview.origin}/auth/signin?callbackUrl=/`)
    await page.getByRole("button", { name: "Sign in with Acme" }).click()
    await page.getByRole("button", { name: "ada" }).click()
    if (!scripts) {
      await page.getByRole("button").click()
      expect(page.url()).toBe(`${proxy.origin}/auth/callback/op`)
      await shoot(page, "forward")
      await page.getByRole("button", { name: "Continue" }).click()
    }
    await page.waitForURL(`${preview.origin}/`)
    expect(await page.locator("#who").innerText()).toBe("Ada Lovelace")
    expect(proxy.seen).toContain("POST /auth/callback/op")
    // The provider has no favicon.
    expect(complaints.filter((text) => !text.includes("status of 404"))).toEqual([])
  })
})
