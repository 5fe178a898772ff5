import { gzipSync } from "node:zlib"
import { describe, expect, test } from "vitest"
import { findings } from "./audit.js"
import { names, screenOf } from "./catalogue.js"
import { walk } from "./keyboard.js"
import { outside, smallTargets } from "./measure.js"
import { onStage, setLook } from "./stage.js"

/** English, and the language whose texts are the longest in UTF-8. */
test.each(names)("%s is smaller than 10 KiB when compressed", async (name) => {
  for (const language of ["en", "uk"]) {
    const { html } = await screenOf(name, language)
    expect(gzipSync(html).length, language).toBeLessThan(10_240)
  }
})

/** One look of each of the richest pages. The long test has all pages in all looks. */
const samples = [
  ["signin-14", { colorScheme: "light", width: 360 }],
  ["signin-4", { colorScheme: "dark", width: 1280 }],
  ["verify-code-wrong", { colorScheme: "dark", width: 360 }],
  ["account", { colorScheme: "light", width: 1280 }],
] as const

/** Where the user goes on after an error. */
const failed = [
  ["signin-password-wrong", "password"],
  ["signin-email-refused", "email"],
  ["verify-code-wrong", "code"],
] as const

onStage("a built-in page", (stage) => {
  describe.each(samples)("%s", (name, look) => {
    test("has no finding of axe, loads nothing, fits a narrow screen, and works with the keyboard", async () => {
      const { page, show, asked } = stage()
      await setLook(page, look)
      await show(await screenOf(name, "en"))
      // A page with passkeys asks for a challenge, so that the browser can offer them while the user types.
      expect(asked.slice(1).filter((line) => !line.includes("/webauthn-options/"))).toEqual([])
      expect(await findings(page)).toEqual([])
      expect(await walk(page)).toEqual([])
      await page.setViewportSize({ width: 320, height: 640 })
      expect([...(await outside(page)), ...(await smallTargets(page))]).toEqual([])
    })
  })
  test.each(failed)("%s has the focus in the field %s, which an error describes", async (name, field) => {
    const { page, show } = stage()
    await show(await screenOf(name, "en"))
    const focused = page.locator(":focus")
    expect(await focused.getAttribute("name")).toBe(field)
    expect(await focused.getAttribute("aria-invalid")).toBe("true")
    const [described = ""] = ((await focused.getAttribute("aria-describedby")) ?? "").split(" ")
    expect(await page.locator(`#${described}[role=alert], [role=alert] #${described}`).isVisible()).toBe(true)
  })

  test("a form is submitted with Enter", async () => {
    const { page, show, asked } = stage()
    await show(await screenOf("signin-4", "en"))
    const field = page.locator("form[action$='/signin/mail'] input[name=email]")
    await field.fill("ada@example.test")
    await field.press("Enter")
    await expect.poll(() => asked).toContain("POST https://app.test/auth/signin/mail")
  })
})
