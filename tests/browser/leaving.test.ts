import { expect, test } from "vitest"
import { inChromium, signIn } from "./chromium.js"
import { openHost } from "./host.js"
import { linkTo, shoot } from "./looks.js"

const modes = ["strict", "compatible"] as const

inChromium("leaving and arriving", (visit) => {
  test.each(modes)("[%s] after a sign-out, the back button shows nothing of the session", async (mode) => {
    const host = await openHost(mode)
    const { page } = await visit()
    await signIn(page, host.origin, "/account")
    expect(await page.locator("#who").innerText()).toBe("ada")
    await page.goto(`${host.origin}/auth/session`)
    expect(await page.innerText("body")).toContain("ada@people.test")
    await page.goto(`${host.origin}/auth/signout`)
    await page.getByRole("button", { name: "Sign out" }).click()
    await page.waitForURL((url) => !url.pathname.startsWith("/auth/"))
    const seen: string[] = []
    for (let steps = 0; steps < 3; steps++) {
      await page.goBack()
      seen.push(`${new URL(page.url()).pathname}: ${await page.innerText("body")}`)
    }
    expect(seen).toEqual([expect.stringContaining("/auth/signout: "), "/auth/session: null", "/account: signed out"])
  })

  test.each([
    ["strict", true],
    ["compatible", false],
  ] as const)(
    "[%s] a link opened in another browser signs in after the user selects the button: scripts %s",
    async (mode, scripts) => {
      const host = await openHost(mode)
      const link = await linkTo(host)
      const scanner = await visit({ javaScriptEnabled: scripts })
      await scanner.page.goto(host.origin + link)
      await scanner.page.reload()
      expect(await scanner.page.context().cookies()).not.toContainEqual(
        expect.objectContaining({ name: expect.stringContaining("session-token") }),
      )
      const { page, complaints } = await visit({ javaScriptEnabled: scripts })
      await page.goto(host.origin + link)
      await page.getByRole("button", { name: "Sign in" }).click()
      await page.waitForURL(`${host.origin}/`)
      await page.goto(`${host.origin}/auth/session`)
      expect(await page.innerText("body")).toContain("ada@example.test")
      expect(complaints).toEqual([])
      await scanner.page.getByRole("button", { name: "Sign in" }).click()
      await scanner.page.waitForURL(/error=Verification/)
      await shoot(scanner.page, "link-used")
    },
  )
})
