import { expect, test } from "vitest"
import { send } from "../../applications/http.js"
import { type Application, secret } from "../application.js"
import { signedIn } from "../visitor.js"

export function configuration(app: Application): void {
  test("without a secret nothing is shown, and the log says what to do", async () => {
    const site = await app.served({ AUTH_SECRET: "" })
    for (const path of ["/", "/private/", "/api/session/", "/auth/session", "/auth/signin"]) {
      const { status, text } = await send(site.origin, path)
      expect(status, path).toBe(500)
      expect(text, path).not.toMatch(/at .*\.js:\d+|signed out/)
    }
    await expect.poll(() => site.output()).toContain("Set AUTH_SECRET to 32 random bytes")
  })

  test("no page contains a secret", async () => {
    const { origin } = await app.served()
    const browser = await signedIn(origin)
    for (const path of ["/", "/login/", "/private/", "/profile/", "/auth/signin"]) {
      await browser.get(path)
      expect(browser.text, path).not.toContain(secret)
      expect(browser.text, path).not.toContain(app.op.clientSecret)
    }
  })
}
